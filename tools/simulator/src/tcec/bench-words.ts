import { tcecBench as english } from '@voltdeck/phrases/en/tcec-bench';
import { fill, type PhraseParams } from '@voltdeck/phrases/phrase';
import { tcecBench as chinese } from '@voltdeck/phrases/zh-CN/tcec-bench';
import type { BenchLanguage } from './bench-settings.ts';
import type { CheckId } from './check.ts';
import type { CheckResult } from './checklist.ts';

type PhraseKey = keyof typeof chinese;

export type Say = (key: PhraseKey, params?: PhraseParams) => string;

export function sayIn(language: BenchLanguage): Say {
  const phrases = language === 'en' ? english : chinese;
  return (key, params) => fill(phrases[key], params);
}

type PartOf<Id> = Id extends `${infer Part}.${string}` ? Part : never;

/** The part of the list to which a check belongs: what stands before its point. */
export function partOf(id: CheckId): PartOf<CheckId> {
  return id.slice(0, id.indexOf('.')) as PartOf<CheckId>;
}

/** Why a check has not passed; empty where it has, or has not been made. */
export function reasonOf({ verdict }: CheckResult, say: Say): string {
  switch (verdict.kind) {
    case 'failed':
      return say('tcec-report.expected', { expected: verdict.expected, got: verdict.got });
    case 'not-run':
      return say(`tcec-obstacle.${verdict.because}`);
    default:
      return '';
  }
}

/** "12 ms", "1.4 s". */
export function durationOf(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
