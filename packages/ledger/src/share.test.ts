import type { AgentId, DividerId } from '@voltdeck/units/id';
import { type Fen, fen } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divide, type FeeKind, feeKinds, type PerFee, type Share, type SharePlan, shareChanges } from './share.ts';

const agent = (id: number) => id as AgentId;
const divider = (id: number) => id as DividerId;
const every = <Value>(value: Value): PerFee<Value> => ({ electricity: value, service: value, occupancy: value });
const charged = (electricity: number, service: number, occupancy = 0): PerFee<Fen> => ({
  electricity: fen(electricity),
  service: fen(service),
  occupancy: fen(occupancy),
});
const plain: SharePlan = { channelFeeE4: 0, commissionE4: every(0), dividers: [], agents: [] };

function sumOf(shares: readonly Share[]): number {
  return shares.reduce((sum, { amountFen }) => sum + amountFen, 0);
}

/** Sums by party, without fees and reasons. */
function byParty(shares: readonly Share[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { party, amountFen } of shares) {
    const name = 'id' in party ? `${party.kind} ${party.id}` : party.kind;
    sums[name] = (sums[name] ?? 0) + amountFen;
  }
  return sums;
}

const whole = (electricity: number, service: number) => ({
  receivedFen: fen(electricity + service),
  chargedFen: charged(electricity, service),
  couponFen: fen(0),
});

describe('dividing what an order took', () => {
  test('an order of a site without an agent is the platform’s alone', () => {
    expect(divide(plain, whole(960, 700))).toEqual([
      { party: { kind: 'platform' }, reason: 'remainder', fee: 'electricity', amountFen: 960 },
      { party: { kind: 'platform' }, reason: 'remainder', fee: 'service', amountFen: 700 },
    ]);
  });

  test('channel fee and commission come first, then the agent’s rate, then its dividers by fee', () => {
    const plan: SharePlan = {
      channelFeeE4: 60,
      commissionE4: { electricity: 0, service: 1_000, occupancy: 0 },
      dividers: [],
      agents: [
        {
          id: agent(7),
          rateE4: 8_000,
          dividers: [{ id: divider(3), rateE4: { electricity: 0, service: 5_000, occupancy: 0 } }],
        },
      ],
    };
    expect(divide(plan, whole(10_000, 5_000))).toEqual([
      { party: { kind: 'platform' }, reason: 'channel_fee', fee: 'electricity', amountFen: 60 },
      { party: { kind: 'platform' }, reason: 'remainder', fee: 'electricity', amountFen: 1_988 },
      { party: { kind: 'agent', id: 7 }, reason: 'remainder', fee: 'electricity', amountFen: 7_952 },
      { party: { kind: 'platform' }, reason: 'channel_fee', fee: 'service', amountFen: 30 },
      { party: { kind: 'platform' }, reason: 'commission', fee: 'service', amountFen: 497 },
      { party: { kind: 'platform' }, reason: 'remainder', fee: 'service', amountFen: 895 },
      { party: { kind: 'divider', id: 3 }, reason: 'rate', fee: 'service', amountFen: 1_789 },
      { party: { kind: 'agent', id: 7 }, reason: 'remainder', fee: 'service', amountFen: 1_789 },
    ]);
  });

  test('an agent below another has its rate of what the one above has', () => {
    const plan: SharePlan = {
      ...plain,
      agents: [
        { id: agent(1), rateE4: 8_000, dividers: [] },
        { id: agent(2), rateE4: 7_000, dividers: [] },
      ],
    };
    expect(byParty(divide(plan, whole(10_000, 0)))).toEqual({ platform: 2_000, 'agent 1': 2_400, 'agent 2': 5_600 });
  });

  test('a coupon that the platform bears leaves the others their shares of the whole bill', () => {
    const plan: SharePlan = { ...plain, agents: [{ id: agent(1), rateE4: 9_000, dividers: [] }] };
    const shares = divide(plan, { receivedFen: fen(800), chargedFen: charged(600, 400), couponFen: fen(200) });
    expect(byParty(shares)).toEqual({ platform: -100, 'agent 1': 900 });
    expect(sumOf(shares)).toBe(800);
  });

  test('a coupon that pays the whole bill is shared all the same', () => {
    const plan: SharePlan = { ...plain, agents: [{ id: agent(1), rateE4: 10_000, dividers: [] }] };
    const shares = divide(plan, { receivedFen: fen(0), chargedFen: charged(0, 400), couponFen: fen(400) });
    expect(byParty(shares)).toEqual({ platform: -400, 'agent 1': 400 });
  });

  test('a free order and an unpaid one share nothing', () => {
    expect(divide(plain, { receivedFen: fen(0), chargedFen: charged(0, 0), couponFen: fen(0) })).toEqual([]);
    expect(divide(plain, { receivedFen: fen(0), chargedFen: charged(5, 5), couponFen: fen(0) })).toEqual([]);
  });

  test('rates of more than a whole are refused', () => {
    const dividers = [1, 2].map((id) => ({ id: divider(id), rateE4: every(6_000) }));
    expect(() => divide({ ...plain, dividers }, whole(1, 1))).toThrow(RangeError);
  });
});

const rate = fc.integer({ min: 0, max: 10_000 });
const rates: fc.Arbitrary<PerFee<number>> = fc.record({ electricity: rate, service: rate, occupancy: rate });

/** Up to four dividers whose rates are a whole together at most. */
const dividers = fc.array(rates, { maxLength: 4 }).map((all) =>
  all.map((given, at) => ({
    id: divider(at + 1),
    rateE4: Object.fromEntries(feeKinds.map((fee) => [fee, Math.floor(given[fee] / all.length)])) as PerFee<number>,
  })),
);
const plans: fc.Arbitrary<SharePlan> = fc.record({
  channelFeeE4: rate,
  commissionE4: rates,
  dividers,
  agents: fc
    .array(fc.record({ rateE4: rate, dividers }), { maxLength: 4 })
    .map((agents) => agents.map((each, at) => ({ id: agent(at + 1), ...each }))),
});
const fee = fc.integer({ min: 0, max: 500_000 });
const bills = fc
  .record({ electricity: fee, service: fee, occupancy: fee, couponPart: fc.double({ min: 0, max: 1, noNaN: true }) })
  .map(({ couponPart, ...fees }) => ({
    chargedFen: fees as PerFee<Fen>,
    couponFen: fen(Math.floor(fees.service * couponPart)),
  }));

describe('shares of any order', () => {
  test('any shares add up to what was received, to the fen', () => {
    fc.assert(
      fc.property(plans, bills, fc.double({ min: 0, max: 1, noNaN: true }), (plan, bill, part) => {
        const dueFen =
          bill.chargedFen.electricity + bill.chargedFen.service + bill.chargedFen.occupancy - bill.couponFen;
        const receivedFen = fen(Math.floor(dueFen * part));
        expect(sumOf(divide(plan, { ...bill, receivedFen }))).toBe(receivedFen);
      }),
    );
  });

  test('any way of paying and refunding ends with the shares of the last sum, and a full refund with none', () => {
    const paths = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(plans, bills, paths, (plan, bill, path) => {
        const dueFen =
          bill.chargedFen.electricity + bill.chargedFen.service + bill.chargedFen.occupancy - bill.couponFen;
        if (dueFen === 0) return;
        let posted: Share[] = [];
        for (const part of [...path, 0]) {
          const now = divide(plan, { ...bill, receivedFen: fen(Math.floor(dueFen * part)) });
          posted = [...posted, ...shareChanges(posted, now)];
          expect(shareChanges(posted, now)).toEqual([]);
        }
        expect(shareChanges([], posted)).toEqual([]);
      }),
    );
  });

  test('no party is ever more than a fen a step away from its exact part', () => {
    fc.assert(
      fc.property(plans, bills, (plan, bill) => {
        const receivedFen = fen(
          bill.chargedFen.electricity + bill.chargedFen.service + bill.chargedFen.occupancy - bill.couponFen,
        );
        const shares = byParty(divide(plan, { ...bill, receivedFen }));
        for (const [at, { id }] of plan.agents.entries()) {
          const exact = feeKinds.reduce((sum, kind) => sum + exactOf(plan, kind, at, bill.chargedFen[kind]), 0);
          expect(Math.abs((shares[`agent ${id}`] ?? 0) - exact)).toBeLessThan(3 * (4 + at));
        }
      }),
    );
  });
});

/** An agent's own part in fractions: what reaches it, less what it passes on and what its dividers get. */
function exactOf(plan: SharePlan, kind: FeeKind, at: number, amountFen: number): number {
  const part = (rateE4: number) => rateE4 / 10_000;
  const reached = plan.agents.slice(0, at + 1).reduce((sum, { rateE4 }) => sum * part(rateE4), 1);
  const below = plan.agents[at + 1];
  const kept = reached * (below === undefined ? 1 : 1 - part(below.rateE4));
  const ofDividers = (plan.agents[at]?.dividers ?? []).reduce((sum, { rateE4 }) => sum + part(rateE4[kind]), 0);
  return amountFen * (1 - part(plan.channelFeeE4)) * (1 - part(plan.commissionE4[kind])) * kept * (1 - ofDividers);
}
