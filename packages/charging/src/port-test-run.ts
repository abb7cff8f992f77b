import { type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { isAgreed } from './abilities.ts';
import type { Authorization, OrderState, StopReason } from './states.ts';
import type { CommandOutcome } from './station-command.ts';

export const testRunLimits = {
  minutesMin: 1,
  minutesMax: 30,
  minutesDefault: 5,
  /** A station that has not stopped, or could not be reached, is asked again after this. */
  askAgainMs: 15 * secondMs,
} as const;

/** Why we end a test run: its minutes are over, a person ends it, or it began although it was not to. */
export const testRunEnds = ['time_limit', 'remote', 'card_deauthorized'] as const satisfies readonly StopReason[];
export type TestRunEnd = (typeof testRunEnds)[number];

/** What a station can answer when it is asked to start or to stop a charge. */
export const chargeAnswers = [
  'accepted',
  'scheduled',
  'rejected',
  'not-supported',
  'failed',
  'station-error',
  'timed-out',
  'offline',
  'busy',
] as const satisfies readonly CommandOutcome['kind'][];

/** How far a test run of a gun port has got; the last five are its results. */
export const testRunStages = [
  'asking',
  'waiting',
  'charging',
  'stopping',
  'unsettled',
  'passed',
  'no_energy',
  'refused',
  'not_begun',
  'cancelled',
] as const;
export type TestRunStage = (typeof testRunStages)[number];

/** The stages in which a test run still goes on at its gun port. */
export const liveTestRunStages: ReadonlySet<TestRunStage> = new Set(['asking', 'waiting', 'charging', 'stopping']);

type TestRunKnown = {
  state: OrderState;
  energyWh: number;
  /** The station's answer to the start; null while it is awaited. */
  answer: CommandOutcome | null;
  /** Why it was asked to stop; null where it was not. */
  stopBecause: TestRunEnd | null;
};

export function stageOf({ state, energyWh, answer, stopBecause }: TestRunKnown): TestRunStage {
  switch (state) {
    case 'placed':
      return answer === null ? 'asking' : 'waiting';
    case 'charging':
      return stopBecause === null ? 'charging' : 'stopping';
    case 'settling':
      return 'unsettled';
    case 'completed':
      return energyWh > 0 ? 'passed' : 'no_energy';
    case 'cancelled':
      if (answer !== null && !isAgreed(answer)) return 'refused';
      return stopBecause === null ? 'not_begun' : 'cancelled';
  }
}

type Begun = {
  /** When we heard that it began. */
  begunAt: Instant;
  minutes: number;
  /** Our answer to its start; null where none is known. */
  authorization: Authorization | null;
};

/**
 * When a test run is to end: when its minutes are over, counted from the beginning of the charge, and at once where its
 * start was not accepted.
 */
export function testRunEndsAt({ begunAt, minutes, authorization }: Begun): Instant {
  return isRefused(authorization) ? begunAt : instant(begunAt + minutes * minuteMs);
}

function isRefused(authorization: Authorization | null): boolean {
  return authorization !== null && authorization !== 'accepted';
}

type TestRunDecision =
  /** It does not charge: nothing is left to stop. */
  { kind: 'nothing' } | { kind: 'wait'; until: Instant } | { kind: 'stop'; because: TestRunEnd };

/** What is to be done now about a test run that nobody watches. */
export function decideTestRun(
  known: Omit<Begun, 'begunAt'> & {
    state: OrderState;
    /** Null before it began. */
    begunAt: Instant | null;
    stopBecause: TestRunEnd | null;
    now: Instant;
  },
): TestRunDecision {
  const { state, begunAt, minutes, authorization, stopBecause, now } = known;
  if (state !== 'charging' || begunAt === null) return { kind: 'nothing' };
  if (stopBecause !== null) return { kind: 'stop', because: stopBecause };
  if (isRefused(authorization)) return { kind: 'stop', because: 'card_deauthorized' };
  const endsAt = testRunEndsAt({ begunAt, minutes, authorization });
  return now < endsAt ? { kind: 'wait', until: endsAt } : { kind: 'stop', because: 'time_limit' };
}
