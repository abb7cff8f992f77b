/** A mark on the map: one site, or a group too dense to separate at this zoom. */
export type SiteMark =
  | { kind: 'site'; key: string; longitude: number; latitude: number; index: number }
  | {
      kind: 'cluster';
      key: string;
      longitude: number;
      latitude: number;
      /** The zoom at which it first splits; above `clusterZoomMax` when its sites are on one spot. */
      splitZoom: number;
      indexes: readonly number[];
    };

/** Where sites are, by column: supercluster takes twenty thousand of them in a worker. */
export interface SitePositions {
  ids: readonly number[];
  longitudes: ArrayLike<number>;
  latitudes: ArrayLike<number>;
}

/** Above this zoom every site has its own mark. */
export const clusterZoomMax = 16;

type Place = { id: number; longitude: number; latitude: number };

/** Whether both lists have the same sites at the same places in the same order, so that one index serves both. */
export function haveSamePlaces(one: readonly Place[], other: readonly Place[]): boolean {
  return (
    one.length === other.length &&
    one.every((site, index) => {
      const twin = other[index];
      return twin?.id === site.id && twin.longitude === site.longitude && twin.latitude === site.latitude;
    })
  );
}
