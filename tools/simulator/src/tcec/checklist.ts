import { setTimeout as pause } from 'node:timers/promises';
import type { Instant } from '@voltdeck/units/instant';
import type { BenchSettings } from './bench-settings.ts';
import { type BenchCaller, sequenceNumbers } from './caller.ts';
import type { Check, CheckId, Obstacle, Trial, Verdict } from './check.ts';
import type { BenchEntrance, Heard } from './entrance.ts';
import type { Exchange } from './exchanges.ts';

export type CheckResult = {
  id: CheckId;
  isSlow: boolean;
  /** `waiting`: not made yet; `running`: being made. */
  verdict: Verdict | { kind: 'waiting' } | { kind: 'running' };
  /** Null before it was made. */
  at: Instant | null;
  tookMs: number;
  /** What was said in it. */
  exchanges: readonly Exchange[];
};

/** How often a condition is looked at again. */
const lookMs = 25;
const heardMax = 5_000;

type Parts = { settings: BenchSettings; caller: BenchCaller; entrance: BenchEntrance };

/** The checks of a role with their results. One is made at a time, in the order of the list. */
export class Checklist {
  readonly #parts: Parts;
  readonly #checks: readonly Check[];
  readonly #now: () => Instant;
  readonly #nextSequence: () => string;
  readonly #results: CheckResult[];
  readonly #heard: Heard[] = [];
  #line: Promise<void> = Promise.resolve();

  constructor(parts: Parts, checks: readonly Check[], now: () => Instant) {
    this.#parts = parts;
    this.#checks = checks;
    this.#now = now;
    this.#nextSequence = sequenceNumbers(parts.settings.operatorId, now);
    this.#results = checks.map(({ id, isSlow = false }) => ({
      id,
      isSlow,
      verdict: { kind: 'waiting' },
      at: null,
      tookMs: 0,
      exchanges: [],
    }));
    parts.entrance.onHeard((heard) => {
      this.#heard.push(heard);
      if (this.#heard.length > heardMax) this.#heard.shift();
    });
  }

  get results(): readonly CheckResult[] {
    return this.#results;
  }

  /**
   * Makes these checks after those that are being made.
   * @param tell hears each result
   */
  run(ids: readonly CheckId[], signal: AbortSignal, tell: (result: CheckResult) => void = () => {}): Promise<void> {
    const wanted = new Set(ids);
    this.#line = this.#line.then(async () => {
      for (const [index, check] of this.#checks.entries()) {
        if (!wanted.has(check.id)) continue;
        tell(
          signal.aborted
            ? this.#put(index, { verdict: notMade('interrupted') })
            : await this.#make(index, check, signal),
        );
      }
    });
    return this.#line;
  }

  /** Marks what was not chosen, so that a report says why it is missing. */
  leaveOut(ids: readonly CheckId[], because: Obstacle): void {
    for (const [index, { id }] of this.#checks.entries()) {
      if (ids.includes(id)) this.#put(index, { verdict: notMade(because) });
    }
  }

  async #make(index: number, check: Check, signal: AbortSignal): Promise<CheckResult> {
    const shown = new Map<number, Exchange>();
    const beganAt = performance.now();
    this.#put(index, { verdict: { kind: 'running' }, at: this.#now(), exchanges: [], tookMs: 0 });
    let verdict: Verdict;
    try {
      verdict = await check.run(this.#trial(shown, signal));
    } catch (error) {
      // A fault of the bench itself is no statement about the tested server, and must not end the list.
      verdict = { kind: 'failed', expected: check.id, got: error instanceof Error ? error.message : String(error) };
    }
    if (signal.aborted && verdict.kind === 'failed') verdict = notMade('interrupted');
    const exchanges = [...shown.values()].sort((one, other) => one.number - other.number);
    return this.#put(index, { verdict, exchanges, tookMs: Math.round(performance.now() - beganAt) });
  }

  #put(index: number, change: Partial<CheckResult>): CheckResult {
    const before = this.#results[index];
    if (before === undefined) throw new RangeError(`no check ${index}`);
    const result = { ...before, ...change };
    this.#results[index] = result;
    return result;
  }

  #trial(shown: Map<number, Exchange>, signal: AbortSignal): Trial {
    const { settings, caller, entrance } = this.#parts;
    const show = (exchange: Exchange) => void shown.set(exchange.number, exchange);
    const wait = async (condition: () => boolean, withinMs: number) => {
      const until = performance.now() + withinMs;
      while (!condition()) {
        if (signal.aborted || performance.now() >= until) return condition();
        await pause(lookMs);
      }
      return true;
    };
    return {
      settings,
      caller,
      entrance,
      nextSequence: this.#nextSequence,
      now: this.#now,
      show,
      wait,
      async call(name, request, differences) {
        const reply = await caller.call(name, request, differences);
        show(reply.exchange);
        return reply;
      },
      hear: async (name, is, withinMs) => {
        let looked = 0;
        let found: Heard | null = null;
        await wait(() => {
          for (const heard of this.#heard) {
            if (found !== null || heard.exchange.number <= looked) continue;
            looked = heard.exchange.number;
            if (heard.name === name && is(heard.asked as never, heard)) found = heard;
          }
          return found !== null;
        }, withinMs);
        const heard = found as Heard | null;
        if (heard !== null) show(heard.exchange);
        return heard as never;
      },
    };
  }
}

function notMade(because: Obstacle): Verdict {
  return { kind: 'not-run', because };
}

/** How many checks came out so. */
export function countOf(results: readonly CheckResult[], kind: CheckResult['verdict']['kind']): number {
  return results.filter(({ verdict }) => verdict.kind === kind).length;
}
