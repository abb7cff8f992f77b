import type { AgentId, DividerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { type DividerTerms, type ShareParties, sharePlanAt } from './share-plan.ts';

const at = 1_000 as Instant;
const agent = 5 as AgentId;
const every = (rate: number) => ({ electricity: rate, service: rate, occupancy: rate });
const terms = (id: number, rate: number, more: Partial<DividerTerms> = {}): DividerTerms => ({
  dividerId: id as DividerId,
  agentId: agent,
  rateE4: every(rate),
  fromMs: 0,
  toMs: null,
  ...more,
});
const parties = (dividers: readonly DividerTerms[], more: Partial<ShareParties> = {}): ShareParties => ({
  terms: null,
  agents: [{ id: agent, rateE4: 8_000 }],
  dividers,
  ...more,
});
const dividersOf = (given: readonly DividerTerms[]) => sharePlanAt(parties(given), at)?.agents[0]?.dividers;

test('everything is the platform’s where nobody shares', () => {
  expect(sharePlanAt({ terms: null, agents: [], dividers: [] }, at)).toBeNull();
  const over = terms(1, 100, { agentId: null, toMs: 1_000 });
  expect(sharePlanAt({ terms: null, agents: [], dividers: [over] }, at)).toBeNull();
});

test('a divider shares from its first instant up to its last', () => {
  expect(dividersOf([terms(1, 100, { fromMs: 1_001 })])).toEqual([]);
  expect(dividersOf([terms(1, 100, { fromMs: 1_000, toMs: 1_001 })])).toEqual([{ id: 1, rateE4: every(100) }]);
  expect(dividersOf([terms(1, 100, { toMs: 1_000 })])).toEqual([]);
});

test('rates of one divider at several places are added', () => {
  const site = terms(1, 0, { rateE4: { electricity: 0, service: 2_000, occupancy: 500 } });
  expect(dividersOf([terms(1, 1_000), site])).toEqual([
    { id: 1, rateE4: { electricity: 1_000, service: 3_000, occupancy: 1_500 } },
  ]);
});

test('of a promise of more than a whole, those who came later get what is left', () => {
  expect(dividersOf([terms(1, 7_000), terms(2, 7_000), terms(3, 1)])).toEqual([
    { id: 1, rateE4: every(7_000) },
    { id: 2, rateE4: every(3_000) },
    { id: 3, rateE4: every(0) },
  ]);
});

test('every holder has its own dividers', () => {
  const own = terms(2, 500, { agentId: null });
  expect(
    sharePlanAt(parties([terms(1, 100), own], { terms: { channelFeeE4: 60, commissionE4: every(10) } }), at),
  ).toEqual({
    channelFeeE4: 60,
    commissionE4: every(10),
    dividers: [{ id: 2, rateE4: every(500) }],
    agents: [{ id: agent, rateE4: 8_000, dividers: [{ id: 1, rateE4: every(100) }] }],
  });
});
