import type { tcecBench } from '@voltdeck/phrases/zh-CN/tcec-bench';
import type { InterfaceName, Message } from '@voltdeck/tcec102/messages/all';
import type { BenchSettings } from './bench-settings.ts';
import type { BenchCaller, CallDifferences, Reply } from './caller.ts';
import type { BenchEntrance, Heard } from './entrance.ts';
import type { Exchange } from './exchanges.ts';

type PhraseKey = keyof typeof tcecBench;
type NameIn<Key, Family extends string> = Key extends `${Family}.${infer Name}` ? Name : never;
export type CheckId = NameIn<PhraseKey, 'tcec-check'>;
/** Why a check could not be made. */
export type Obstacle = NameIn<PhraseKey, 'tcec-obstacle'>;

/** Expectations and findings are in the words of the protocol, which are the same in every language. */
export type Verdict =
  | { kind: 'passed' }
  | { kind: 'failed'; expected: string; got: string }
  | { kind: 'not-run'; because: Obstacle };

/** What a check may use. Everything that it asks or awaits stands in its result. */
export type Trial = {
  settings: BenchSettings;
  caller: BenchCaller;
  entrance: BenchEntrance;
  /** Charge numbers, each one new. */
  nextSequence(): string;
  now(): number;
  call<Name extends InterfaceName>(
    name: Name,
    request: Message<Name, 'request'>,
    differences?: CallDifferences,
  ): Promise<Reply<Name>>;
  /** What the tested server said since the bench began, or says within the time; null where it does not. */
  hear<Name extends InterfaceName>(
    name: Name,
    is: (asked: Message<Name, 'request'>, heard: Heard) => boolean,
    withinMs: number,
  ): Promise<(Heard & { asked: Message<Name, 'request'> }) | null>;
  /** Waits until the condition holds; whether it did within the time. */
  wait(condition: () => boolean, withinMs: number): Promise<boolean>;
  show(exchange: Exchange): void;
};

export type Check = {
  id: CheckId;
  /** Whether it takes minutes: it is made only where that is asked for. */
  isSlow?: boolean;
  run(trial: Trial): Promise<Verdict>;
};

export const passed: Verdict = { kind: 'passed' };

export function notRun(because: Obstacle): Verdict {
  return { kind: 'not-run', because };
}

export function failedAt(expected: string, got: unknown): Verdict {
  return { kind: 'failed', expected, got: typeof got === 'string' ? got : (JSON.stringify(got) ?? 'nothing') };
}

/** What came back, in a few words. */
export function saidIn(reply: Pick<Reply<InterfaceName>, 'ret' | 'because' | 'exchange'>): string {
  if (reply.ret === null) return reply.because === '' ? 'no answer' : reply.because;
  if (reply.because !== '') return `Ret ${reply.ret}, ${reply.because}`;
  return reply.ret === 0 ? 'Ret 0' : `Ret ${reply.ret} ${reply.exchange.answer}`.trim();
}

export function expectRet(reply: Reply<InterfaceName>, ...rets: readonly number[]): Verdict {
  const isExpected = reply.ret !== null && rets.includes(reply.ret) && reply.because === '';
  return isExpected ? passed : failedAt(rets.map((ret) => `Ret ${ret}`).join(' / '), saidIn(reply));
}

/** The first of several expectations that is not met: each says what is expected, whether it holds, and what came. */
export function expectAll(...facts: readonly (readonly [expected: string, holds: boolean, got: unknown])[]): Verdict {
  for (const [expected, holds, got] of facts) if (!holds) return failedAt(expected, got);
  return passed;
}
