import { pathOf, type RegionCode, type RegionLanguage } from '@voltdeck/regions/regions';

export type RegionStep = { code: RegionCode; name: string };

/** The region and its ancestors, largest first; empty for an unknown code. The table is large and loaded on demand. */
export async function regionTrail(code: RegionCode, language: RegionLanguage): Promise<RegionStep[]> {
  const { regionTable } = await import('@voltdeck/regions/region-table');
  return pathOf(regionTable, code).map((region) => ({
    code: region.code,
    name: language === 'en' ? region.en : region.zh,
  }));
}
