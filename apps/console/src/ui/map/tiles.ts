import * as L from 'leaflet';
import type { TileSource } from './use-map-tiles.ts';

/** As many tiles failing before any has come means that the service cannot be reached or refuses the key. */
const failuresMax = 4;

/** Draws tiles on a map. `onFailed` is called once, when none of them comes. */
export function addTiles(map: L.Map, tiles: TileSource, onFailed: () => void): readonly L.TileLayer[] {
  let isThere = false;
  let failures = 0;
  return tiles.urls.map((url) => {
    // Keys are bound to the console's address, which the service reads from the referrer.
    const layer = L.tileLayer(url, {
      subdomains: tiles.subdomains,
      maxZoom: tiles.zoomMax,
      referrerPolicy: 'origin',
    });
    layer.on('tileload', () => {
      isThere = true;
    });
    layer.on('tileerror', () => {
      failures += 1;
      if (!isThere && failures === failuresMax) onFailed();
    });
    return layer.addTo(map);
  });
}
