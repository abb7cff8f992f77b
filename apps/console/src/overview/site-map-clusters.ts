import Supercluster from 'supercluster';
import type { GeoBox } from '../ui/map/basemap.ts';
import { clusterZoomMax, type SiteMark, type SitePositions } from './site-map-places.ts';

/**
 * An index of site positions. It does not depend on states, so that a change of state needs no new index. Marks refer
 * to places in the indexed columns. Fractional zooms count as the zoom below.
 */
export type SiteIndex = (bounds: GeoBox, zoom: number) => SiteMark[];

/** Marks closer than this are grouped. */
const clusterRadiusPx = 58;

/** Supercluster's extent: the pixels of one tile. */
const tilePx = 256;

export function indexSites({ ids, longitudes, latitudes }: SitePositions): SiteIndex {
  const clusters = new Supercluster<{ index: number }>({
    radius: clusterRadiusPx,
    extent: tilePx,
    minZoom: 0,
    maxZoom: clusterZoomMax,
  });
  clusters.load(
    ids.map((_, index) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [longitudes[index] ?? 0, latitudes[index] ?? 0] },
      properties: { index },
    })),
  );
  const members = new Map<number, readonly number[]>();
  const membersOf = (clusterId: number): readonly number[] => {
    const known = members.get(clusterId);
    if (known) return known;
    const found = clusters.getLeaves(clusterId, Number.POSITIVE_INFINITY).map(({ properties }) => properties.index);
    members.set(clusterId, found);
    return found;
  };
  return ({ west, south, east, north }, zoom) => {
    const whole = Math.max(0, Math.min(Math.floor(zoom), clusterZoomMax + 1));
    return clusters.getClusters([west, south, east, north], whole).map(({ geometry, properties }): SiteMark => {
      const [longitude = 0, latitude = 0] = geometry.coordinates;
      if ('cluster_id' in properties) {
        const clusterId = properties.cluster_id;
        return {
          kind: 'cluster',
          key: `c${clusterId}`,
          longitude,
          latitude,
          splitZoom: clusters.getClusterExpansionZoom(clusterId),
          indexes: membersOf(clusterId),
        };
      }
      const { index } = properties;
      return { kind: 'site', key: `s${ids[index]}`, longitude, latitude, index };
    });
  };
}
