import type { DividerId, SiteId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DividedPlace, divisionAt, findNoRoom, leftBetween, type PlacedTerms } from './divider-room.ts';
import { feeKinds } from './share.ts';
import { sharePlanAt } from './share-plan.ts';

const every = (rate: number) => ({ electricity: rate, service: rate, occupancy: rate });
const site = (id: number) => id as SiteId;
const station = (id: number) => id as StationId;
const terms = (id: number, rate: number, more: Partial<PlacedTerms> = {}): PlacedTerms => ({
  dividerId: id as DividerId,
  agentId: null,
  rateE4: every(rate),
  fromMs: 0,
  toMs: null,
  siteId: null,
  stationId: null,
  stationSiteId: null,
  ...more,
});
const atSite = (id: number) => ({ siteId: site(id) });
const atStation = (id: number, of: number) => ({ stationId: station(id), stationSiteId: site(of) });
const everywhere: DividedPlace = { kind: 'everywhere' };

describe('room for terms of dividers', () => {
  test('there is room up to exactly a whole', () => {
    expect(findNoRoom([terms(1, 6_000)], terms(2, 4_000))).toBeNull();
    expect(findNoRoom([terms(1, 6_000)], terms(2, 4_001))).toMatchObject({
      fee: 'electricity',
      place: everywhere,
      atMs: 0,
      leftE4: every(4_000),
      dividers: [{ id: 1, rateE4: every(6_000) }],
    });
  });

  test('each fee has its own whole, and a fee without a rate needs no room', () => {
    const full = terms(1, 0, { rateE4: { electricity: 10_000, service: 0, occupancy: 0 } });
    const service = terms(2, 0, { rateE4: { electricity: 0, service: 10_000, occupancy: 1 } });
    expect(findNoRoom([full], service)).toBeNull();
    expect(
      findNoRoom([full, service], terms(3, 0, { rateE4: { electricity: 0, service: 0, occupancy: 10_000 } }))?.fee,
    ).toBe('occupancy');
    expect(findNoRoom([full, service], terms(3, 1))?.over).toEqual(['electricity', 'service']);
  });

  test('what holds at a wider or a narrower place counts, and what holds beside it does not', () => {
    const present = [terms(1, 5_000), terms(2, 3_000, atSite(7)), terms(3, 2_000, atStation(70, 7))];
    expect(findNoRoom(present, terms(4, 1, atStation(70, 7)))?.place).toEqual({
      kind: 'station',
      stationId: 70,
      siteId: 7,
    });
    expect(findNoRoom(present, terms(4, 2_000, atStation(71, 7)))).toBeNull();
    expect(findNoRoom(present, terms(4, 1, atSite(7)))?.place).toEqual({ kind: 'station', stationId: 70, siteId: 7 });
    expect(findNoRoom(present, terms(4, 5_000, atSite(8)))).toBeNull();
    expect(findNoRoom(present, terms(4, 1))?.place).toEqual({ kind: 'station', stationId: 70, siteId: 7 });
    expect(findNoRoom([terms(2, 3_000, atSite(7)), terms(3, 8_000, atSite(8))], terms(4, 2_001))?.place).toEqual({
      kind: 'site',
      siteId: 8,
    });
  });

  test('terms meet only where they overlap in time, down to the millisecond', () => {
    const present = [terms(1, 8_000, { fromMs: 100, toMs: 200 })];
    expect(findNoRoom(present, terms(2, 3_000, { fromMs: 0, toMs: 100 }))).toBeNull();
    expect(findNoRoom(present, terms(2, 3_000, { fromMs: 200 }))).toBeNull();
    expect(findNoRoom(present, terms(2, 3_000, { fromMs: 0, toMs: 101 }))?.atMs).toBe(100);
    expect(findNoRoom(present, terms(2, 3_000, { fromMs: 199 }))?.atMs).toBe(199);
    const later = [...present, terms(3, 5_000, { fromMs: 300, toMs: 400 })];
    expect(findNoRoom(later, terms(2, 5_000, { fromMs: 200 }))).toBeNull();
    expect(findNoRoom(later, terms(2, 5_001, { fromMs: 200 }))?.atMs).toBe(300);
  });

  test('the least that is left is found within the span and within the place', () => {
    const present = [terms(1, 2_000), terms(2, 3_000, { ...atSite(7), fromMs: 100, toMs: 200 })];
    const left = (place: DividedPlace, fromMs: number, toMs: number | null) =>
      leftBetween(present, place, { fromMs, toMs }).service;
    expect(left(everywhere, 0, null)).toBe(5_000);
    expect(left(everywhere, 200, null)).toBe(8_000);
    expect(left({ kind: 'site', siteId: site(7) }, 0, 100)).toBe(8_000);
    expect(left({ kind: 'site', siteId: site(7) }, 0, 101)).toBe(5_000);
    expect(left({ kind: 'site', siteId: site(8) }, 0, null)).toBe(8_000);
  });
});

const places = fc.oneof(
  fc.constant({}),
  fc.constantFrom(1, 2).map(atSite),
  fc.constantFrom([10, 1], [11, 1], [20, 2]).map(([id, of]) => atStation(id as number, of as number)),
);
const anyTerms = fc
  .record({
    id: fc.integer({ min: 1, max: 5 }),
    rates: fc.tuple(...feeKinds.map(() => fc.integer({ min: 0, max: 10_000 }))),
    fromMs: fc.integer({ min: 0, max: 20 }),
    lengthMs: fc.option(fc.integer({ min: 1, max: 20 })),
    place: places,
  })
  .map(({ id, rates: [electricity = 0, service = 0, occupancy = 0], fromMs, lengthMs, place }) =>
    terms(id, 0, {
      rateE4: { electricity, service, occupancy },
      fromMs,
      toMs: lengthMs === null ? null : fromMs + lengthMs,
      ...place,
    }),
  );

test('terms added where there is room never come to more than a whole at any station and moment, and settle as shown', () => {
  fc.assert(
    fc.property(fc.array(anyTerms, { maxLength: 15 }), (wanted) => {
      const agreed: PlacedTerms[] = [];
      for (const each of wanted) if (findNoRoom(agreed, each) === null) agreed.push(each);
      for (const [id, of] of [
        [10, 1],
        [11, 1],
        [12, 1],
        [20, 2],
        [30, 3],
      ] as const) {
        const here = agreed.filter(({ siteId, stationId }) => (siteId ?? of) === of && (stationId ?? id) === id);
        for (let at = 0; at <= 41; at += 1) {
          const valid = here.filter(({ fromMs, toMs }) => fromMs <= at && (toMs === null || toMs > at));
          for (const fee of feeKinds) {
            expect(valid.reduce((sum, { rateE4 }) => sum + rateE4[fee], 0)).toBeLessThanOrEqual(10_000);
          }
          const shown = divisionAt(agreed, { kind: 'station', stationId: station(id), siteId: site(of) }, at);
          const plan = sharePlanAt({ terms: null, agents: [], dividers: here }, at as Instant);
          expect(shown.dividers).toEqual(plan?.dividers ?? []);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('terms that are refused would come to more than a whole', () => {
  fc.assert(
    fc.property(fc.array(anyTerms, { maxLength: 6 }), anyTerms, (wanted, added) => {
      const agreed: PlacedTerms[] = [];
      for (const each of wanted) if (findNoRoom(agreed, each) === null) agreed.push(each);
      const found = findNoRoom(agreed, added);
      if (found === null) return;
      const { place, fee, atMs } = found;
      expect(divisionAt(agreed, place, atMs).leftE4[fee]).toBeLessThan(added.rateE4[fee]);
    }),
  );
});
