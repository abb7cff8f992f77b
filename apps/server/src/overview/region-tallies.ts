import type { Language } from '@voltdeck/contract/languages';
import { type MapSite, type RegionTally, regionSitesMax } from '@voltdeck/contract/overview';
import { regionTable } from '@voltdeck/regions/region-table';
import { codesWithin, levelOf, nameIn, type RegionCode, regionByCode } from '@voltdeck/regions/regions';
import { addTally } from '../database/port-tally.ts';
import type { BoardSite } from './site-board.ts';

/**
 * The regions directly within one that have sites; for null the provinces. Those with faults come first, then those with
 * offline ports, then by code.
 */
export function tallyRegions(
  sites: readonly BoardSite[],
  within: RegionCode | null,
  language: Language,
): { regions: RegionTally[]; ownSites: number } {
  let ownSites = 0;
  const tallies = new Map<RegionCode, RegionTally>();
  for (const { regionCode, connectors } of sitesIn(sites, within)) {
    const code = childCodeOf(regionCode, within);
    if (code === within) {
      ownSites += 1;
      continue;
    }
    const known = tallies.get(code);
    const tally = known ?? {
      code,
      name: nameOf(code, language),
      sites: 0,
      connectors: { free: 0, occupied: 0, fault: 0, offline: 0 },
    };
    if (known === undefined) tallies.set(code, tally);
    tally.sites += 1;
    addTally(tally.connectors, connectors);
  }
  const regions = [...tallies.values()].sort(
    ({ connectors: a, code }, { connectors: b, code: other }) =>
      b.fault - a.fault || b.offline - a.offline || (code < other ? -1 : 1),
  );
  return { regions, ownSites };
}

/** The name, or the code itself where the table does not know it. */
function nameOf(code: RegionCode, language: Language): string {
  const region = regionByCode(regionTable, code);
  return region === null ? code : nameIn(region, language);
}

/** The region one level below `within` that a code lies in. */
function childCodeOf(code: RegionCode, within: RegionCode | null): RegionCode {
  const { from, to } = codesWithin('900000');
  if (within === null) return code >= from && code <= to ? from : `${code.slice(0, 2)}0000`;
  return levelOf(within) === 'province' ? `${code.slice(0, 4)}00` : code;
}

function sitesIn(sites: readonly BoardSite[], within: RegionCode | null): readonly BoardSite[] {
  if (within === null) return sites;
  const { from, to } = codesWithin(within);
  return sites.filter(({ regionCode }) => regionCode >= from && regionCode <= to);
}

/** How much a site needs attention: fault, offline, full, then busy, then idle. */
const urgency: Readonly<Record<MapSite['state'], number>> = { fault: 0, offline: 1, busy: 2, charging: 3, free: 4 };

const byTrouble = (a: BoardSite, b: BoardSite): number =>
  urgency[a.state] - urgency[b.state] ||
  b.connectors.fault - a.connectors.fault ||
  b.connectors.offline - a.connectors.offline ||
  a.nameRank - b.nameRank;

type Asked = {
  regionCode: RegionCode | null;
  own: boolean;
  text: string;
  count: number;
  /** The answer goes as far as this site, if it matches. */
  reaching: number | null;
};

/** The first of the sites that match, those in trouble before the others. */
export function sitesWithin(
  sites: readonly BoardSite[],
  { regionCode, own, text, count, reaching }: Asked,
): { items: MapSite[]; matching: number; total: number } {
  const words = text.toLowerCase().split(/\s+/);
  const matching = sitesIn(sites, regionCode)
    .filter(({ name, address, regionCode: code }) => {
      if (own && code !== regionCode) return false;
      const haystack = `${name} ${address}`.toLowerCase();
      return words.every((word) => haystack.includes(word));
    })
    .sort(byTrouble);
  const reached = reaching === null ? -1 : matching.findIndex(({ id }) => id === reaching);
  const items = matching
    .slice(0, Math.min(Math.max(count, reached + 1), regionSitesMax))
    .map(({ nameRank: _, ...site }) => site);
  return { items, matching: matching.length, total: sites.length };
}
