import { pathOf } from '@voltdeck/regions/regions';
import { language } from '../../language.ts';

/** "浙江省 / 杭州市" of a code; the table is large and only loaded when an address names a region. */
export async function regionPathText(code: string): Promise<string | null> {
  const { regionTable } = await import('@voltdeck/regions/region-table');
  const path = pathOf(regionTable, code);
  return path.length === 0 ? null : path.map((region) => (language === 'en' ? region.en : region.zh)).join(' / ');
}
