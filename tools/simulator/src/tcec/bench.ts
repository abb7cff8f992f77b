import { type Instant, instant } from '@voltdeck/units/instant';
import type { Clock } from '../clock.ts';
import type { BenchSettings } from './bench-settings.ts';
import { BenchCaller } from './caller.ts';
import { Checklist } from './checklist.ts';
import { demandChecks } from './demand-checks.ts';
import { DemandSide } from './demand-side.ts';
import { BenchEntrance } from './entrance.ts';
import { ExchangeBook } from './exchanges.ts';
import { operatorChecks } from './operator-checks.ts';
import { OperatorSide } from './operator-side.ts';

export type Bench = {
  settings: BenchSettings;
  /** Where the tested server reaches the bench. */
  url: string;
  startedAt: Instant;
  book: ExchangeBook;
  checklist: Checklist;
  close(): Promise<void>;
};

/** Opens the bench in its role: it listens and answers, and its checks can be made. */
export async function openBench(settings: BenchSettings, clock: Clock): Promise<Bench> {
  const now = () => instant(clock.now());
  const book = new ExchangeBook([...Object.values(settings.theirKeys), ...Object.values(settings.ourKeys)]);
  const caller = new BenchCaller(settings, book, now);
  const { answers, checks, close } = sideOf(settings, caller, clock);
  const entrance = new BenchEntrance(settings, book, now, answers);
  const checklist = new Checklist({ settings, caller, entrance }, checks, now);
  const url = await entrance.open();
  return {
    settings,
    url,
    startedAt: now(),
    book,
    checklist,
    async close() {
      close();
      await entrance.close();
    },
  };
}

function sideOf(settings: BenchSettings, caller: BenchCaller, clock: Clock) {
  if (settings.role === 'demand') {
    const side = new DemandSide(settings);
    return { answers: side.answers, checks: demandChecks(side), close: () => {} };
  }
  const side = new OperatorSide(settings, caller, clock);
  return { answers: side.answers, checks: operatorChecks(side), close: () => side.close() };
}
