import { pathOf } from '@voltdeck/regions/regions';
import { language } from '../../language.ts';

/** "浙江省 / 杭州市" for a code; the large table is loaded only when an address names a region. */
export async function regionPathText(code: string): Promise<string | null> {
  const { regionTable } = await import('@voltdeck/regions/region-table');
  const path = pathOf(regionTable, code);
  return path.length === 0 ? null : path.map((region) => (language === 'en' ? region.en : region.zh)).join(' / ');
}
