import type { NavigationApp } from '@voltdeck/contract/navigation-apps';
import { type Datum, fromWgs84, isShiftedRegion } from '@voltdeck/regions/datum';
import { abroad } from '@voltdeck/regions/regions';

type Place = { name: string; longitude: number; latitude: number; regionCode: string };

/** The datum of each service's coordinates. Apple shows China on maps in GCJ-02, and the rest of the world in WGS-84. */
const datumOf: Readonly<Record<NavigationApp, (regionCode: string) => Datum>> = {
  amap: () => 'gcj02',
  tencent: () => 'gcj02',
  baidu: () => 'bd09',
  apple: (regionCode) => (regionCode < abroad ? 'gcj02' : 'wgs84'),
};

type Address = (name: string, longitude: string, latitude: string) => string;

const addresses: Readonly<Record<NavigationApp, Address>> = {
  amap: (name, longitude, latitude) =>
    `https://uri.amap.com/navigation?${new URLSearchParams({
      // A comma would end the name, which comes after the coordinates.
      to: [longitude, latitude, name.replaceAll(',', ' ')].join(','),
      mode: 'car',
      coordinate: 'gaode',
      callnative: '1',
    })}`,
  // The page of a place offers the way there; directions would need a starting point.
  baidu: (name, longitude, latitude) =>
    `https://api.map.baidu.com/marker?${new URLSearchParams({
      location: `${latitude},${longitude}`,
      title: name,
      content: name,
      coord_type: 'bd09ll',
      output: 'html',
      src: 'webapp.voltdeck.console',
    })}`,
  tencent: (name, longitude, latitude) =>
    `https://apis.map.qq.com/uri/v1/routeplan?${new URLSearchParams({
      type: 'drive',
      to: name,
      tocoord: `${latitude},${longitude}`,
      coord_type: '2',
      referer: 'voltdeck',
    })}`,
  apple: (name, longitude, latitude) =>
    `https://maps.apple.com/?${new URLSearchParams({ daddr: `${latitude},${longitude}`, q: name, dirflg: 'd' })}`,
};

/** A service's address for the way to a site: opens its app where installed, its page elsewhere. */
export function navigationTo(app: NavigationApp, { name, longitude, latitude, regionCode }: Place): string {
  const stored = { longitude, latitude };
  const shown = isShiftedRegion(regionCode) ? fromWgs84(stored, datumOf[app](regionCode)) : stored;
  return addresses[app](name, shown.longitude.toFixed(6), shown.latitude.toFixed(6));
}
