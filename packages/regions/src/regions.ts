/**
 * China's administrative divisions in three levels (province, city, county) and the countries abroad, in Chinese and
 * English. The rows are in `region-table.ts`, which is large; load it where it is needed and pass in the table.
 */

/**
 * Six digits, kept as text. In China the GB/T 2260 code: PPCCDD of province, city, county. Abroad (900000) a country is
 * 9NNN00 with its ISO 3166-1 number, and 9NNN01 is the only row below it.
 */
export type RegionCode = string;

export const regionLevels = ['province', 'city', 'county'] as const;
export type RegionLevel = (typeof regionLevels)[number];

export type RegionLanguage = 'zh-CN' | 'en';

export const abroad: RegionCode = '900000';

export interface Region {
  code: RegionCode;
  level: RegionLevel;
  /** null for a province and for Abroad. */
  parentCode: RegionCode | null;
  zh: string;
  en: string;
  /** Degrees, WGS-84, of the map centre: accurate to about a kilometre. */
  longitude: number;
  latitude: number;
}

/** The map view of a region. */
export interface RegionView {
  longitude: number;
  latitude: number;
  /** Web map zoom, 0 (the world) to 19. */
  zoom: number;
}

export interface RegionTable {
  readonly byCode: ReadonlyMap<RegionCode, Region>;
  readonly childrenByCode: ReadonlyMap<RegionCode | null, readonly Region[]>;
  readonly searchKeys: readonly SearchKey[];
}

interface SearchKey {
  region: Region;
  zh: string;
  /** Lower case without accents, as typed on a keyboard. */
  en: string;
  /** The same without spaces and apostrophes, as pinyin is typed. */
  joined: string;
}

/** Former names that people still type. */
const formerNames: Readonly<Record<RegionCode, string>> = {
  540000: 'tibet',
  810000: 'hongkong',
  820000: 'macau',
  150000: 'neimenggu',
  440100: 'canton',
};

const levelOrder: Readonly<Record<RegionLevel, number>> = { province: 0, city: 1, county: 2 };

/**
 * Builds the table that every look-up takes.
 *
 * @param rows `[code as a number, Chinese name, English name, longitude, latitude]`; siblings keep the given order
 * @throws when a row is malformed, a code is duplicate or a parent is missing: the data file is broken
 */
export function openRegions(rows: readonly (readonly (number | string)[])[]): RegionTable {
  const byCode = new Map<RegionCode, Region>();
  for (const row of rows) {
    const region = regionOfRow(row);
    if (byCode.has(region.code)) throw new Error(`region ${region.code} comes twice`);
    byCode.set(region.code, region);
  }
  const childrenByCode = new Map<RegionCode | null, Region[]>();
  for (const region of byCode.values()) {
    if (region.parentCode !== null && !byCode.has(region.parentCode)) {
      throw new Error(`region ${region.code} has no parent ${region.parentCode}`);
    }
    const siblings = childrenByCode.get(region.parentCode);
    if (siblings) siblings.push(region);
    else childrenByCode.set(region.parentCode, [region]);
  }
  const searchKeys = [...byCode.values()].map((region): SearchKey => {
    const en = asciiOf(`${region.en} ${formerNames[region.code] ?? ''}`).trim();
    return { region, zh: region.zh, en, joined: en.replaceAll(/[^a-z0-9]/g, '') };
  });
  return { byCode, childrenByCode, searchKeys };
}

export function regionByCode(table: RegionTable, code: RegionCode): Region | null {
  return table.byCode.get(code) ?? null;
}

/** The regions directly below one; for null the provinces and Abroad. Empty for a county and for an unknown code. */
export function childrenOf(table: RegionTable, code: RegionCode | null): readonly Region[] {
  return table.childrenByCode.get(code) ?? [];
}

/** Province, city and county, as far down as the code goes; empty for an unknown code. */
export function pathOf(table: RegionTable, code: RegionCode): Region[] {
  const path: Region[] = [];
  let region = regionByCode(table, code);
  while (region !== null) {
    path.unshift(region);
    region = region.parentCode === null ? null : regionByCode(table, region.parentCode);
  }
  return path;
}

/** The full name of a region, or null for an unknown code. */
export function regionName(table: RegionTable, code: RegionCode, language: RegionLanguage): string | null {
  const region = regionByCode(table, code);
  return region && nameIn(region, language);
}

/**
 * The whole path in words, as in an address: 浙江省杭州市西湖区; Xihu District, Hangzhou City, Zhejiang Province. A city named
 * like its province (Beijing) appears once. Null for an unknown code.
 */
export function regionPathName(table: RegionTable, code: RegionCode, language: RegionLanguage): string | null {
  const path = pathOf(table, code);
  if (path.length === 0) return null;
  const names = path
    .filter((region, index) => region.zh !== path[index - 1]?.zh)
    .map((region) => nameIn(region, language));
  return language === 'zh-CN' ? names.join('') : names.reverse().join(', ');
}

export function nameIn(region: { zh: string; en: string }, language: RegionLanguage): string {
  return language === 'zh-CN' ? region.zh : region.en;
}

/** Whether a region is the ancestor itself or lies within it. The codes suffice without a table. */
export function isWithin(code: RegionCode, ancestor: RegionCode): boolean {
  const { from, to } = codesWithin(ancestor);
  return code >= from && code <= to;
}

/** The code of a region that is given by its leading digits: "33" is 330000. */
export function wholeCode(given: string): RegionCode {
  return given.padEnd(6, '0');
}

/**
 * The range of codes of a region and everything in it, inclusive, for a query condition. Codes have equal length, so
 * they compare as text. A region may be given by its leading digits.
 */
export function codesWithin(given: RegionCode): { from: RegionCode; to: RegionCode } {
  const code = wholeCode(given);
  const isAbroad = code === abroad;
  const kept = { province: isAbroad ? 1 : 2, city: 4, county: 6 }[levelOf(code)];
  return { from: code, to: code.slice(0, kept).padEnd(6, '9') };
}

export function levelOf(code: RegionCode): RegionLevel {
  if (code === abroad || (code < abroad && code.endsWith('0000'))) return 'province';
  return code.endsWith('00') ? 'city' : 'county';
}

export function parentCodeOf(code: RegionCode): RegionCode | null {
  switch (levelOf(code)) {
    case 'province':
      return null;
    case 'city':
      return provinceCodeOf(code);
    case 'county':
      return `${code.slice(0, 4)}00`;
  }
}

/** The first-level region of any code: its province, or Abroad. */
export function provinceCodeOf(code: RegionCode): RegionCode {
  return code >= abroad ? abroad : `${code.slice(0, 2)}0000`;
}

/**
 * The map view of a region. A region without a known centre uses its parent's centre and zoom. Null for an unknown
 * code.
 */
export function regionView(table: RegionTable, code: RegionCode): RegionView | null {
  const region = regionByCode(table, code);
  if (region === null) return null;
  const { longitude, latitude } = region;
  const parent = region.parentCode === null ? null : regionByCode(table, region.parentCode);
  if (parent && parent.longitude === longitude && parent.latitude === latitude) return regionView(table, parent.code);
  return { longitude, latitude, zoom: zoomOf(region) };
}

function zoomOf(region: Region): number {
  if (region.code === abroad) return 2;
  if (region.code > abroad) return 4.5;
  return { province: 6.5, city: 9, county: 11 }[region.level];
}

/** Maximum number of search results. */
export const searchResultsMax = 50;

/**
 * Finds regions by part of their Chinese or English name, ignoring accents, spaces and apostrophes (`luan` finds
 * Lu'an), or by the start of their code. Best matches first: full names, then prefixes, then the rest; the requested
 * language before the other, larger regions before smaller.
 *
 * @param text what was typed; empty text finds nothing
 * @param limit 1 to `searchResultsMax`
 */
export function searchRegions(table: RegionTable, text: string, language: RegionLanguage, limit = 20): Region[] {
  const typed = asciiOf(text).trim();
  if (typed === '') return [];
  const joined = typed.replaceAll(/[^a-z0-9]/g, '');
  const found: { region: Region; rank: number }[] = [];
  for (const key of table.searchKeys) {
    const zhRank = rankIn(key.zh, typed);
    const enRank = joined === '' ? notFound : Math.min(rankIn(key.en, typed), rankIn(key.joined, joined));
    const other = language === 'zh-CN' ? enRank : zhRank;
    const own = language === 'zh-CN' ? zhRank : enRank;
    const codeRank = /^\d{2,6}$/.test(typed) && key.region.code.startsWith(typed) ? 1 : notFound;
    const rank = Math.min(own, other + 0.5, codeRank);
    if (rank < notFound) found.push({ region: key.region, rank });
  }
  found.sort(
    (one, two) =>
      one.rank - two.rank ||
      levelOrder[one.region.level] - levelOrder[two.region.level] ||
      (one.region.code < two.region.code ? -1 : 1),
  );
  return found.slice(0, Math.min(limit, searchResultsMax)).map(({ region }) => region);
}

const notFound = 9;

function rankIn(name: string, typed: string): number {
  if (name === typed) return 0;
  const at = name.indexOf(typed);
  if (at < 0) return notFound;
  if (at === 0) return 1;
  return name[at - 1] === ' ' ? 2 : 3;
}

function asciiOf(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

function regionOfRow(row: readonly (number | string)[]): Region {
  const [number, zh, en, longitude, latitude] = row;
  if (
    typeof number !== 'number' ||
    typeof zh !== 'string' ||
    typeof en !== 'string' ||
    typeof longitude !== 'number' ||
    typeof latitude !== 'number'
  ) {
    throw new Error(`malformed region row ${JSON.stringify(row)}`);
  }
  const code = String(number);
  return { code, level: levelOf(code), parentCode: parentCodeOf(code), zh, en, longitude, latitude };
}
