import type { MapSite } from '@voltdeck/contract/overview';

/** Amap's address for directions: opens its app where installed, its page elsewhere. */
export function navigationTo({ name, longitude, latitude }: Pick<MapSite, 'name' | 'longitude' | 'latitude'>): string {
  // A comma would end the name, which comes after the coordinates.
  const place = [longitude, latitude, name.replaceAll(',', ' ')].join(',');
  const query = new URLSearchParams({ to: place, mode: 'car', coordinate: 'wgs84', callnative: '1' });
  return `https://uri.amap.com/navigation?${query}`;
}
