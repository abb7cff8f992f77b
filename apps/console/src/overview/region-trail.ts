import { pathOf, type RegionCode, type RegionLanguage } from '@voltdeck/regions/regions';

export type RegionStep = { code: RegionCode; name: string };

/** The region and those that it lies in, largest first; none for a code nobody knows. The table is large: it is loaded on demand. */
export async function regionTrail(code: RegionCode, language: RegionLanguage): Promise<RegionStep[]> {
  const { regionTable } = await import('@voltdeck/regions/region-table');
  return pathOf(regionTable, code).map((region) => ({
    code: region.code,
    name: language === 'en' ? region.en : region.zh,
  }));
}
