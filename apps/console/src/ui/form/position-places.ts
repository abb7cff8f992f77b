import type { Language } from '@voltdeck/contract/languages';
import { regionTable } from '@voltdeck/regions/region-table';
import { nameIn, pathOf, searchRegions } from '@voltdeck/regions/regions';

const foundMax = 8;

/** A region with its parents in its name: "Zhejiang / Hangzhou". */
export type Place = { code: string; name: string };

/** The regions that match the text; none for an empty one. */
export function placesFor(text: string, language: Language): readonly Place[] {
  if (text.trim() === '') return [];
  return searchRegions(regionTable, text, language, foundMax).map(({ code }) => ({
    code,
    name: pathOf(regionTable, code)
      .map((region) => nameIn(region, language))
      .join(' / '),
  }));
}
