import { describe, expect, test } from 'vitest';
import type { MapSettings } from '../environment.ts';
import { openTestApi } from '../http/test-api.ts';
import { embeddedMap, mapTilesOf, tileOrigins } from './map-tiles.ts';

const tianditu: MapSettings = { provider: 'tianditu', key: 'k&1', tiles: [] };

describe('map tiles', () => {
  test('without a service the console keeps its own map', () => {
    expect(mapTilesOf(embeddedMap, 'en')).toBeNull();
    expect(tileOrigins(embeddedMap)).toEqual([]);
  });

  test('Tianditu has a layer of names in the reader’s language, and its key is part of the address', () => {
    expect(mapTilesOf(tianditu, 'zh-CN')).toEqual({
      provider: 'tianditu',
      urls: [
        'https://t{s}.tianditu.gov.cn/DataServer?T=vec_w&x={x}&y={y}&l={z}&tk=k%261',
        'https://t{s}.tianditu.gov.cn/DataServer?T=cva_w&x={x}&y={y}&l={z}&tk=k%261',
      ],
      subdomains: '01234567',
      datum: 'wgs84',
      zoomMax: 18,
    });
    expect(mapTilesOf(tianditu, 'en')?.urls[1]).toContain('T=eva_w');
  });

  test('a service whose key is missing is not shown', () => {
    expect(mapTilesOf({ ...tianditu, key: null }, 'en')).toBeNull();
    expect(tileOrigins({ ...tianditu, key: null })).toEqual([]);
  });

  test('AMap’s tiles are in GCJ-02 and need no key', () => {
    expect(mapTilesOf({ provider: 'amap', key: null, tiles: [] }, 'zh-CN')).toMatchObject({ datum: 'gcj02' });
  });

  test('other addresses replace those of the service', () => {
    const tiles = ['http://tiles.example:8081/{z}/{x}/{y}.png?k={key}'];
    expect(mapTilesOf({ ...tianditu, tiles }, 'en')?.urls).toEqual([
      'http://tiles.example:8081/{z}/{x}/{y}.png?k=k%261',
    ]);
    expect(tileOrigins({ ...tianditu, tiles })).toEqual(['http://tiles.example:8081']);
  });

  test('the content security policy lets pictures come from the tiles’ addresses and nowhere else', async () => {
    const policyOf = async (map: MapSettings) => {
      const api = await openTestApi({ map });
      try {
        const { headers } = await api.app.inject('/');
        const policy = String(headers['content-security-policy']);
        return policy.split('; ').find((directive) => directive.startsWith('img-src'));
      } finally {
        await api.close();
      }
    };
    expect(await policyOf(embeddedMap)).toBe("img-src 'self' data: blob:");
    const origins = Array.from({ length: 8 }, (_, index) => `https://t${index}.tianditu.gov.cn`).join(' ');
    expect(await policyOf(tianditu)).toBe(`img-src 'self' data: blob: ${origins}`);
  });

  test('a signed-in user gets the tiles, in their language; nobody else does', async () => {
    const api = await openTestApi({ map: tianditu });
    try {
      const { data } = await api.get<{ urls: string[] }>('/map-tiles', { language: 'en' });
      expect(data.urls[1]).toContain('T=eva_w');
      expect((await api.get('/map-tiles', { token: null })).status).toBe(401);
    } finally {
      await api.close();
    }
  });
});
