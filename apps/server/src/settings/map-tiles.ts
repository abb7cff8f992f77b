import type { Language } from '@voltdeck/contract/languages';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { getMapTiles, TileProvider } from '@voltdeck/contract/settings';
import type { MapSettings } from '../environment.ts';

export const embeddedMap: MapSettings = { provider: 'embedded', key: null, tiles: [] };

type MapTiles = AnswerOf<typeof getMapTiles> & {};
type Service = Pick<MapTiles, 'subdomains' | 'datum' | 'zoomMax'> & {
  urls: Readonly<Record<Language, readonly string[]>>;
};

const tianditu = (layer: string) => `https://t{s}.tianditu.gov.cn/DataServer?T=${layer}&x={x}&y={y}&l={z}&tk={key}`;
const amap = (language: string) =>
  `https://webrd0{s}.is.autonavi.com/appmaptile?lang=${language}&size=1&scale=1&style=8&x={x}&y={y}&z={z}`;

const services: Readonly<Record<TileProvider, Service>> = {
  // The vector map and its names. Its datum, CGCS2000, is WGS-84 to within a metre.
  tianditu: {
    urls: { 'zh-CN': [tianditu('vec_w'), tianditu('cva_w')], en: [tianditu('vec_w'), tianditu('eva_w')] },
    subdomains: '01234567',
    datum: 'wgs84',
    zoomMax: 18,
  },
  amap: {
    urls: { 'zh-CN': [amap('zh_cn')], en: [amap('en')] },
    subdomains: '1234',
    datum: 'gcj02',
    zoomMax: 18,
  },
};

/** The tiles to show; null without a service, or while the key that its addresses need is missing. */
export function mapTilesOf({ provider, key, tiles }: MapSettings, language: Language): MapTiles | null {
  if (provider === 'embedded') return null;
  const { urls, ...service } = services[provider];
  const wanted = tiles.length > 0 ? tiles : urls[language];
  if (key === null && wanted.some((url) => url.includes('{key}'))) return null;
  const keyed = wanted.map((url) => url.replaceAll('{key}', encodeURIComponent(key ?? '')));
  return { provider, urls: keyed, ...service };
}

/** The origins that tiles come from, for the content security policy. */
export function tileOrigins(settings: MapSettings): readonly string[] {
  const tiles = mapTilesOf(settings, 'zh-CN');
  if (tiles === null) return [];
  const addresses = tiles.urls.flatMap((url) =>
    url.includes('{s}') ? [...tiles.subdomains].map((subdomain) => url.replaceAll('{s}', subdomain)) : [url],
  );
  return [...new Set(addresses.map((address) => new URL(address).origin))];
}
