import rows from './division-rows.json' with { type: 'json' };

/** `[code, Chinese name, English name, longitude, latitude]`; degrees of the map centre, accurate to a kilometre. */
export type RegionRow = [code: number, zh: string, en: string, longitude: number, latitude: number];

/**
 * China's divisions, province to county, curated by this project: codes and Chinese names follow GB/T 2260 (checked
 * against `@vant/area-data`), English names follow the rules in `english-name-rules.json`.
 */
export const divisionRows = rows as RegionRow[];
