import { provinceCodeOf } from '@voltdeck/regions/regions';

/** In which datum a map's picture is drawn. Ours and Tianditu's: WGS-84. AMap's: GCJ-02, shifted by some 500 m. */
export type MapDatum = 'wgs84' | 'gcj02';

/** Moves a stored WGS-84 point to where it belongs on a picture. */
export type ToPicture = (
  longitude: number,
  latitude: number,
  regionCode: string,
) => [longitude: number, latitude: number];

const asStored: ToPicture = (longitude, latitude) => [longitude, latitude];

/** Pictures of Taiwan are not known to be shifted; a point there stays where it is. */
const unshifted = new Set(['710000']);

/** The conversion is fetched only for the pictures that need it. */
export async function toPictureOf(datum: MapDatum): Promise<ToPicture> {
  if (datum === 'wgs84') return asStored;
  const { default: gcoord } = await import('gcoord');
  return (longitude, latitude, regionCode) =>
    unshifted.has(provinceCodeOf(regionCode))
      ? [longitude, latitude]
      : gcoord.transform<[number, number]>([longitude, latitude], gcoord.WGS84, gcoord.GCJ02);
}
