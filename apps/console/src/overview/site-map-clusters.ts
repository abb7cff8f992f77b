import Supercluster from 'supercluster';
import type { GeoBox } from '../ui/map/basemap.ts';
import type { SiteOnMap } from './site-map-states.ts';

/** A mark on the map: one site, or a group too dense to separate at this zoom. */
export type SiteMark =
  | { kind: 'site'; key: string; longitude: number; latitude: number; index: number }
  | {
      kind: 'cluster';
      key: string;
      longitude: number;
      latitude: number;
      clusterId: number;
      indexes: readonly number[];
    };

/**
 * An index of site positions. It does not depend on states, so that a change of state needs no new index. Marks refer
 * to positions in the indexed list.
 */
export interface SiteIndex {
  /** The marks in a view. Fractional zooms count as the zoom below. */
  marksIn(bounds: GeoBox, zoom: number): SiteMark[];
  /** The zoom at which a cluster first splits; above `clusterZoomMax` when its sites are on one spot. */
  zoomToSplit(clusterId: number): number;
}

/** Above this zoom every site has its own mark. */
export const clusterZoomMax = 16;

/** Marks closer than this are grouped. */
const clusterRadiusPx = 58;

/** Supercluster's extent: the pixels of one tile. */
const tilePx = 256;

export function indexSites(sites: readonly SiteOnMap[]): SiteIndex {
  const clusters = new Supercluster<{ index: number }>({
    radius: clusterRadiusPx,
    extent: tilePx,
    minZoom: 0,
    maxZoom: clusterZoomMax,
  });
  clusters.load(
    sites.map(({ longitude, latitude }, index) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
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
  return {
    marksIn({ west, south, east, north }, zoom) {
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
            clusterId,
            indexes: membersOf(clusterId),
          };
        }
        const { index } = properties;
        return { kind: 'site', key: `s${sites[index]?.id}`, longitude, latitude, index };
      });
    },
    zoomToSplit: (clusterId) => clusters.getClusterExpansionZoom(clusterId),
  };
}

/** Whether both lists have the same sites at the same places in the same order, so that one index serves both. */
export function haveSamePlaces(one: readonly SiteOnMap[], other: readonly SiteOnMap[]): boolean {
  return (
    one.length === other.length &&
    one.every((site, index) => {
      const twin = other[index];
      return twin?.id === site.id && twin.longitude === site.longitude && twin.latitude === site.latitude;
    })
  );
}
