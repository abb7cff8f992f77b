// What a page for 20,000 sites costs at least: Leaflet, supercluster and one mark for each cluster in view.
/* global L, Supercluster */
const map = L.map('map', { zoomControl: false, attributionControl: false, zoomSnap: 0.25 });
window.benchMap = map;
map.fitBounds([
  [17.8, 73.4],
  [53.7, 135.2],
]);
const token = document.cookie.match(/zhny_token=([^;]+)/)[1];
const { data } = await (await fetch('/api/overview/site-places', { headers: { token } })).json();
const index = new Supercluster({ radius: 58, extent: 256, maxZoom: 16 });
index.load(
  data.ids.map((id, at) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [data.longitudes[at], data.latitudes[at]] },
    properties: { id, name: data.names[at] },
  })),
);
const layer = L.layerGroup().addTo(map);
function refresh() {
  const view = map.getBounds();
  layer.clearLayers();
  const box = [view.getWest(), view.getSouth(), view.getEast(), view.getNorth()];
  for (const { geometry, properties } of index.getClusters(box, Math.floor(map.getZoom()))) {
    const [longitude, latitude] = geometry.coordinates;
    const icon = L.divIcon({ className: 'mark', html: String(properties.point_count ?? 1), iconSize: [36, 36] });
    layer.addLayer(L.marker([latitude, longitude], { icon }));
  }
}
map.on('moveend', refresh);
refresh();
