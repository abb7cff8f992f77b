import { provinceCodeOf } from '@voltdeck/regions/regions';

/** The datum of a map's tiles. Ours and Tianditu's: WGS-84. AMap's: GCJ-02, shifted by some 500 m. */
export type MapDatum = 'wgs84' | 'gcj02';

/** Converts a stored WGS-84 point to the tiles' datum. */
export type ToPicture = (
  longitude: number,
  latitude: number,
  regionCode: string,
) => [longitude: number, latitude: number];

const asStored: ToPicture = (longitude, latitude) => [longitude, latitude];

/** Tiles of Taiwan are not known to be shifted, so points there stay in place. */
const unshifted = new Set(['710000']);

/** Loads the conversion only for tiles that need it. */
export async function toPictureOf(datum: MapDatum): Promise<ToPicture> {
  if (datum === 'wgs84') return asStored;
  const { default: gcoord } = await import('gcoord');
  return (longitude, latitude, regionCode) =>
    unshifted.has(provinceCodeOf(regionCode))
      ? [longitude, latitude]
      : gcoord.transform<[number, number]>([longitude, latitude], gcoord.WGS84, gcoord.GCJ02);
}
