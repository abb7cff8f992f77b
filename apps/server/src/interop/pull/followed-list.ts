import type { PartnerFault } from '@voltdeck/contract/partner-faults';
import { minuteMs } from '@voltdeck/units/instant';

/** How far a partner's list of sites is followed. */
export const listLimits = {
  /** Sites of one partner, those that are gone included. */
  sites: 100_000,
  /** As many sites by the standard's ten a page. */
  pages: 10_000,
  /** How long one pull asks, well within the hour after which it counts as left behind. */
  ms: 30 * minuteMs,
} as const;

/** Why a list is not to be relied on, with the numbers of the partner that say so. */
export type ListFault = {
  fault: Extract<PartnerFault, 'list_incomplete' | 'list_too_long' | 'list_too_slow'>;
  because: string;
};

/** The pages of one list as they come: which are promised, and whether the promises are kept. */
export class FollowedList {
  #pageCount = 0;
  #itemSize = 0;
  #listedCount = 0;
  readonly #codes = new Set<string>();

  /** Whether there is such a page. The first is always asked for. */
  hasPage(pageNo: number): boolean {
    return pageNo <= Math.max(1, this.#pageCount);
  }

  /**
   * Takes the next page.
   * @param codes of the sites that it lists, each as often as it does; null for one that cannot be named
   * @returns why the list is followed no further; null where it is
   */
  take(
    pageNo: number,
    { PageCount, ItemSize }: { PageCount: number; ItemSize: number },
    codes: readonly (string | null)[],
  ): ListFault | null {
    // A page that was promised once and is taken back has moved sites to pages that were read already.
    this.#pageCount = Math.max(this.#pageCount, PageCount);
    this.#itemSize = ItemSize;
    if (this.#pageCount > listLimits.pages) {
      return { fault: 'list_too_long', because: `PageCount ${this.#pageCount} > ${listLimits.pages}` };
    }
    // Who has no stations may count that as one page.
    const isNothing = pageNo === 1 && (PageCount === 0 || (PageCount === 1 && ItemSize === 0));
    if (codes.length === 0 && !isNothing) {
      return { fault: 'list_incomplete', because: `PageNo ${pageNo}, PageCount ${this.#pageCount}: StationInfos []` };
    }
    this.#listedCount += codes.filter((code) => code === null || !this.#codes.has(code)).length;
    for (const code of codes) if (code !== null) this.#codes.add(code);
    const sitesMin = Math.max(ItemSize, this.#codes.size);
    if (sitesMin <= listLimits.sites) return null;
    return { fault: 'list_too_long', because: `ItemSize ${sitesMin} > ${listLimits.sites}` };
  }

  /** Why a site that did not come may be there all the same, after the last page; null where it is gone. */
  gap(): ListFault | null {
    if (this.#listedCount >= this.#itemSize) return null;
    return { fault: 'list_incomplete', because: `ItemSize ${this.#itemSize}: ${this.#listedCount} StationInfos` };
  }
}
