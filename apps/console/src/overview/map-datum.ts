import { fromWgs84, isShiftedRegion } from '@voltdeck/regions/datum';
import type { MapDatum } from '../ui/map/use-map-tiles.ts';

/** Converts a stored WGS-84 point to the tiles' datum. */
export type ToPicture = (
  longitude: number,
  latitude: number,
  regionCode: string,
) => [longitude: number, latitude: number];

export function toPictureOf(datum: MapDatum): ToPicture {
  return (longitude, latitude, regionCode) => {
    if (!isShiftedRegion(regionCode)) return [longitude, latitude];
    const shown = fromWgs84({ longitude, latitude }, datum);
    return [shown.longitude, shown.latitude];
  };
}
