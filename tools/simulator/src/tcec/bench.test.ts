import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { liveClock } from '../clock.ts';
import { type Bench, openBench } from './bench.ts';
import type { CheckResult } from './checklist.ts';
import { openBothBenches, testSettings, verdictsOf } from './test-benches.ts';
import { openCarelessServer } from './test-careless-server.ts';

const isPassed = { kind: 'passed' };

/** What was not passed, with its reason. */
function notPassed(verdicts: Record<string, CheckResult['verdict']>): Record<string, CheckResult['verdict']> {
  return Object.fromEntries(Object.entries(verdicts).filter(([, { kind }]) => kind !== 'passed'));
}

describe('both roles of the bench against each other', () => {
  let benches: { operator: Bench; demand: Bench; close(): Promise<void> };
  beforeAll(async () => {
    benches = await openBothBenches();
  });
  afterAll(() => benches.close());

  test('a whole journey from the token to the confirmed bill passes the checks of both sides, good and bad', async () => {
    const { operator, demand } = benches;
    const isQuick = ({ isSlow }: CheckResult) => !isSlow;
    // Nobody compared the day yet, and the operator was not told to let the bill go first.
    expect(notPassed(await verdictsOf(demand, isQuick))).toEqual({
      'charge.day': { kind: 'not-run', because: 'not-asked' },
    });
    expect(notPassed(await verdictsOf(operator, isQuick))).toEqual({
      'told.order-first': { kind: 'not-run', because: 'not-chosen' },
    });
    expect(await verdictsOf(demand, ({ id }) => id === 'charge.day')).toEqual({ 'charge.day': isPassed });
  });

  test('a bill whose confirmation fails in any way is told again until it is confirmed', async () => {
    const verdicts = await verdictsOf(benches.demand, ({ id }) => id.startsWith('order.'));
    expect(Object.keys(verdicts)).toHaveLength(6);
    expect(notPassed(verdicts)).toEqual({});
  }, 120_000);
});

describe('a server with a fault', () => {
  test('one that examines nothing and answers everything with Ret 0 fails every check of what must be refused', async () => {
    const benches = await openBothBenches();
    const careless = await openCarelessServer(benches.operator, benches.demand.settings);
    const demand = await openBench({ ...benches.demand.settings, url: careless.url }, liveClock());
    const verdicts = await verdictsOf(demand, ({ id, isSlow }) => !isSlow && /^(envelope|fields|link)\./.test(id));
    const failed = Object.entries(verdicts).filter(([, { kind }]) => kind === 'failed');
    expect(failed.map(([id]) => id).sort()).toEqual([
      'envelope.early-clock',
      'envelope.field-missing',
      'envelope.foreign-operator',
      'envelope.late-clock',
      'envelope.no-token',
      'envelope.not-encrypted',
      'envelope.not-json',
      'envelope.odd-padding',
      'envelope.other-key',
      'envelope.oversized',
      'envelope.plain-text',
      'envelope.replayed',
      'envelope.seq-number',
      'envelope.wrong-signature',
      'envelope.wrong-token',
      'fields.missing',
      'fields.number-as-text',
    ]);
    expect(verdicts['envelope.no-token']).toEqual({ kind: 'failed', expected: 'Ret 4002', got: 'Ret 0' });
    expect(verdicts['envelope.replayed']).toEqual({ kind: 'failed', expected: 'Ret 4003', got: 'Ret 0' });
    await demand.close();
    await careless.close();
    await benches.close();
  });

  test('one that signs with other keys has answered nothing', async () => {
    const benches = await openBothBenches();
    const { theirKeys } = benches.demand.settings;
    const settings = { ...benches.demand.settings, theirKeys: { ...theirKeys, sigSecret: 'another' } };
    const demand = await openBench(settings, liveClock());
    const verdicts = await verdictsOf(demand, ({ id }) => id === 'token.given' || id === 'charge.start');
    expect(verdicts['token.given']).toEqual({
      kind: 'failed',
      expected: 'Ret 0',
      got: 'wrong signature of Ret 4001',
    });
    expect(verdicts['charge.start']).toMatchObject({ kind: 'failed' });
    await demand.close();
    await benches.close();
  });

  test('one that is away fails, and what needs a charge is not made', async () => {
    const demand = await openBench(testSettings('demand'), liveClock());
    const verdicts = await verdictsOf(demand, ({ id }) => id === 'token.given' || id.startsWith('charge.s'));
    expect(verdicts['token.given']).toMatchObject({ kind: 'failed', got: expect.stringContaining('ECONNREFUSED') });
    expect(verdicts['charge.stop']).toEqual({ kind: 'not-run', because: 'no-charge' });
    await demand.close();
  });
});

test('a bill that overtakes the result of the stop is confirmed all the same', async () => {
  const benches = await openBothBenches({ isOrderFirst: true });
  const ofCharge = ({ id }: CheckResult) => /^charge\.(start|stop|stop-result|order)$/.test(id);
  expect(notPassed(await verdictsOf(benches.demand, ofCharge))).toEqual({});
  const told = benches.operator.book.all.filter(({ interfaceName }) =>
    /order_info|stop_charge_result/.test(interfaceName),
  );
  expect(told.map(({ interfaceName }) => interfaceName)).toEqual([
    'notification_charge_order_info',
    'notification_stop_charge_result',
  ]);
  expect(await verdictsOf(benches.operator, ({ id }) => id === 'told.order-first')).toEqual({
    'told.order-first': isPassed,
  });
  await benches.close();
});

test('a token that has ended is waited for and refused', async () => {
  const benches = await openBothBenches({ tokenSeconds: 1 });
  const verdicts = await verdictsOf(benches.demand, ({ id }) => id === 'envelope.expired-token');
  expect(verdicts).toEqual({ 'envelope.expired-token': isPassed });
  await benches.close();
});
