import type { DividerId, SiteId, StationId } from '@voltdeck/units/id';
import { type FeeKind, feeKinds, type PerFee, type RateE4, wholeE4 } from './share.ts';
import { type DividerTerms, plannedDividers } from './share-plan.ts';

/** Terms of a holder's dividers with where they hold: everywhere, at a site, or at one station. */
export type PlacedTerms = DividerTerms & {
  siteId: SiteId | null;
  stationId: StationId | null;
  /** Where that station stands now; null for other terms. */
  stationSiteId: SiteId | null;
};

/** Every station of the holder, those of a site, or one station. */
export type DividedPlace =
  | { kind: 'everywhere' }
  | { kind: 'site'; siteId: SiteId }
  | { kind: 'station'; stationId: StationId; siteId: SiteId | null };

/** The place that terms are about. */
export function placeOf({ siteId, stationId, stationSiteId }: PlacedTerms): DividedPlace {
  if (stationId !== null) return { kind: 'station', stationId, siteId: stationSiteId };
  return siteId === null ? { kind: 'everywhere' } : { kind: 'site', siteId };
}

/** The terms that hold at a place: its own and those of the wider places around it, whose rates are added. */
export function termsAt<Terms extends PlacedTerms>(terms: readonly Terms[], place: DividedPlace): Terms[] {
  return terms.filter(({ siteId, stationId }) => {
    if (siteId === null && stationId === null) return true;
    if (place.kind === 'everywhere') return false;
    return stationId === null ? siteId === place.siteId : place.kind === 'station' && stationId === place.stationId;
  });
}

/** What dividers have at a place at one moment, in the order in which it was agreed, and what is left to the holder. */
export type Division = {
  dividers: readonly { id: DividerId; rateE4: PerFee<RateE4> }[];
  leftE4: PerFee<RateE4>;
};

/** As an order that ends at `atMs` at the place is divided. */
export function divisionAt(terms: readonly PlacedTerms[], place: DividedPlace, atMs: number): Division {
  return division(termsAt(terms, place).filter((each) => isValid(each, atMs)));
}

function division(valid: readonly PlacedTerms[]): Division {
  const dividers = plannedDividers(valid);
  const left = (fee: FeeKind) => dividers.reduce((rest, { rateE4 }) => rest - rateE4[fee], wholeE4);
  return {
    dividers,
    leftE4: { electricity: left('electricity'), service: left('service'), occupancy: left('occupancy') },
  };
}

const isValid = ({ fromMs, toMs }: Pick<DividerTerms, 'fromMs' | 'toMs'>, atMs: number) =>
  fromMs <= atMs && (toMs === null || toMs > atMs);

/** Where and when there is no room for a rate, with who has how much there. `over` has every fee above what is left. */
export type NoRoom = Division & { fee: FeeKind; over: readonly FeeKind[]; place: DividedPlace; atMs: number };

/**
 * The first place and moment at which terms that are to be added would promise more than a whole of a fee; null where
 * there is room. `present` are all terms of the same holder's dividers that overlap with the new ones in time.
 */
export function findNoRoom(present: readonly PlacedTerms[], added: PlacedTerms): NoRoom | null {
  for (const place of placesWithin(present, placeOf(added))) {
    const there = termsAt(present, place);
    // Sums rise only where terms begin.
    const moments = [added, ...there].map(({ fromMs }) => fromMs).filter((atMs) => isValid(added, atMs));
    for (const atMs of moments.sort((one, other) => one - other)) {
      const found = division(there.filter((each) => isValid(each, atMs)));
      const over = feeKinds.filter((fee) => added.rateE4[fee] > found.leftE4[fee]);
      const [fee] = over;
      if (fee !== undefined) return { ...found, fee, over, place, atMs };
    }
  }
  return null;
}

/** The smallest remainder of each fee at a place and within it, from `fromMs` up to `toMs`; for ever where that is null. */
export function leftBetween(
  terms: readonly PlacedTerms[],
  place: DividedPlace,
  span: { fromMs: number; toMs: number | null },
): PerFee<RateE4> {
  const least = { electricity: wholeE4, service: wholeE4, occupancy: wholeE4 };
  for (const each of placesWithin(terms, place)) {
    const moments = [span.fromMs, ...termsAt(terms, each).map(({ fromMs }) => fromMs)];
    for (const atMs of moments.filter((moment) => isValid(span, moment))) {
      const { leftE4 } = divisionAt(terms, each, atMs);
      for (const fee of feeKinds) least[fee] = Math.min(least[fee], leftE4[fee]);
    }
  }
  return least;
}

/** The place itself and every narrower one that has terms of its own. */
function placesWithin(terms: readonly PlacedTerms[], place: DividedPlace): DividedPlace[] {
  if (place.kind === 'station') return [place];
  const within = new Map<string, DividedPlace>([['itself', place]]);
  for (const each of terms) {
    const own = placeOf(each);
    if (own.kind === 'everywhere') continue;
    if (place.kind === 'site' && (own.kind === 'site' || own.siteId !== place.siteId)) continue;
    within.set(own.kind === 'site' ? `site ${own.siteId}` : `station ${own.stationId}`, own);
  }
  return [...within.values()];
}
