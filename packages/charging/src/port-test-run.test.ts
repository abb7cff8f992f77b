import { watts } from '@voltdeck/units/energy';
import { hourMs, minuteMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import { testPromiseFen } from './charge/decide-authorization.ts';
import { after, noon } from './charge/test-charge.ts';
import { decideTestRun, stageOf, type TestRunStage, testRunEndsAt } from './port-test-run.ts';

const running = { state: 'charging', begunAt: noon, minutes: 5, authorization: 'accepted', stopBecause: null } as const;

describe('when a test run is stopped', () => {
  test('a test run charges until its minutes are over, counted from the beginning of the charge', () => {
    const endsAt = after(5 * minuteMs);
    expect(testRunEndsAt(running)).toBe(endsAt);
    expect(decideTestRun({ ...running, now: after(5 * minuteMs - 1) })).toEqual({ kind: 'wait', until: endsAt });
    expect(decideTestRun({ ...running, now: endsAt })).toEqual({ kind: 'stop', because: 'time_limit' });
  });

  test('a test run that began although it was not accepted is stopped at once', () => {
    const refused = { ...running, authorization: 'blocked' } as const;
    expect(testRunEndsAt(refused)).toBe(noon);
    expect(decideTestRun({ ...refused, now: noon })).toEqual({ kind: 'stop', because: 'card_deauthorized' });
    expect(decideTestRun({ ...refused, authorization: null, now: noon })).toMatchObject({ kind: 'wait' });
  });

  test('a test run that a person ended is stopped whatever its minutes, for that reason', () => {
    const ended = { ...running, stopBecause: 'remote' } as const;
    expect(decideTestRun({ ...ended, now: noon })).toEqual({ kind: 'stop', because: 'remote' });
    expect(decideTestRun({ ...ended, now: after(hourMs) })).toEqual({ kind: 'stop', because: 'remote' });
  });

  test.each(['placed', 'settling', 'completed', 'cancelled'] as const)(
    'a test run that is %s has nothing to stop',
    (state) => {
      expect(decideTestRun({ ...running, state, now: after(hourMs) })).toEqual({ kind: 'nothing' });
    },
  );

  test('a test run of which no beginning is known has nothing to stop', () => {
    expect(decideTestRun({ ...running, begunAt: null, now: after(hourMs) })).toEqual({ kind: 'nothing' });
  });
});

describe('what came of a test run', () => {
  const placed = { state: 'placed', energyWh: 0, answer: null, stopBecause: null } as const;
  const accepted = { ...placed, answer: { kind: 'accepted' } } as const;
  test.each<[TestRunStage, Parameters<typeof stageOf>[0]]>([
    ['asking', placed],
    ['waiting', accepted],
    ['waiting', { ...placed, answer: { kind: 'scheduled' } }],
    ['charging', { ...accepted, state: 'charging' }],
    ['stopping', { ...accepted, state: 'charging', stopBecause: 'time_limit' }],
    ['unsettled', { ...accepted, state: 'settling', energyWh: 100, stopBecause: 'time_limit' }],
    ['passed', { ...accepted, state: 'completed', energyWh: 1 }],
    ['no_energy', { ...accepted, state: 'completed' }],
    ['refused', { ...placed, state: 'cancelled', answer: { kind: 'rejected', reason: 'not_plugged_in' } }],
    ['refused', { ...placed, state: 'cancelled', answer: { kind: 'timed-out' } }],
    ['refused', { ...placed, state: 'cancelled', answer: { kind: 'timed-out' }, stopBecause: 'remote' }],
    ['not_begun', { ...accepted, state: 'cancelled' }],
    ['not_begun', { ...placed, state: 'cancelled' }],
    ['cancelled', { ...accepted, state: 'cancelled', stopBecause: 'remote' }],
  ])('it is %s', (stage, known) => {
    expect(stageOf(known)).toBe(stage);
  });
});

describe('what a test run is promised', () => {
  const promise = (ratedPowerW: number, minutes: number) =>
    testPromiseFen({ ratedPowerW: watts(ratedPowerW), minutes });

  test('a test run is promised 5 yuan for each kWh that its minutes can deliver, in whole fen', () => {
    expect(promise(120_000, 5)).toBe(fen(5_000));
    expect(promise(120_000, 30)).toBe(fen(30_000));
    expect(promise(50_001, 5)).toBe(fen(2_084));
  });

  test('a test run is promised 10 yuan at least and no more than a free charge', () => {
    expect(promise(800, 1)).toBe(fen(1_000));
    expect(promise(24_000, 5)).toBe(fen(1_000));
    expect(promise(24_120, 5)).toBe(fen(1_005));
    expect(promise(480_000, 30)).toBe(fen(50_000));
  });
});
