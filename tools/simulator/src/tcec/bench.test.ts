import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bench } from './bench.ts';
import type { CheckResult } from './checklist.ts';
import { openBothBenches, verdictsOf } from './test-benches.ts';

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
