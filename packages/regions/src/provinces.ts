import rows from './provinces.generated.json' with { type: 'json' };
import { provinceCodeOf, type RegionCode, type RegionLanguage } from './regions.ts';

/** A first-level region, small enough to use without loading the table. */
export interface Province {
  code: RegionCode;
  zh: string;
  en: string;
  /** For labels on maps and charts: 内蒙古, Inner Mongolia. */
  shortZh: string;
  shortEn: string;
  /** Degrees, WGS-84, of the map centre. */
  longitude: number;
  latitude: number;
}

/** China's 34 provinces in the order of their codes, then Abroad. */
export const provinces: readonly Province[] = rows.map((row) => {
  const [code, zh, en, shortZh, shortEn, longitude, latitude] = row as [
    number,
    string,
    string,
    string,
    string,
    number,
    number,
  ];
  return { code: String(code), zh, en, shortZh, shortEn, longitude, latitude };
});

const byCode: ReadonlyMap<RegionCode, Province> = new Map(provinces.map((province) => [province.code, province]));

/** The province of any region code (330106 gives Zhejiang), or null for an unknown number. */
export function provinceOf(code: RegionCode): Province | null {
  return byCode.get(provinceCodeOf(code)) ?? null;
}

export function provinceShortName(province: Province, language: RegionLanguage): string {
  return language === 'zh-CN' ? province.shortZh : province.shortEn;
}
