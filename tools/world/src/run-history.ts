import { Worker } from 'node:worker_threads';
import type { Context } from '@voltdeck/server/context';
import { minuteMs } from '@voltdeck/units/instant';
import type { HistoryNews } from './write-history.ts';

/** The database may be unavailable for a while: the history waits and then resumes. */
const attemptsMax = 10;
const stopLimitMs = 10_000;
/** Progress is logged every this many days. */
const tellEveryDays = 15;
const newestDays = 3;

/** Writes the missing part of the history in a thread and logs its progress. */
export function runHistory({ database, log }: Pick<Context, 'database' | 'log'>): { stop(): Promise<void> } {
  let worker: Worker | null = null;
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;
  let daysWritten = 0;

  const hear = (news: HistoryNews): void => {
    switch (news.kind) {
      case 'written':
        daysWritten += 1;
        if (daysWritten === newestDays + 1) log.info(`demo: the orders of the last ${newestDays} days are there`);
        else if (daysWritten > newestDays + 1 && news.daysLeft > 0 && news.daysLeft % tellEveryDays === 0) {
          log.info(`demo: orders back to ${news.date} are there, ${news.daysLeft} days to go`);
        }
        return;
      case 'done':
        log.info(`demo: the history is whole, ${news.orders} orders in ${Math.round(news.tookMs / 1_000)} s`);
        return;
      case 'nothing':
        if (news.because === 'other-version') {
          log.warn(
            'demo: the history was begun by another version and stays as it is; npm run world:reset makes it anew',
          );
        }
        return;
      case 'planned':
        return;
    }
  };

  const start = (attempt: number): void => {
    const started = new Worker(new URL('./history-worker.ts', import.meta.url), {
      workerData: { databaseUrl: database.url },
    });
    worker = started;
    started.on('message', hear);
    started.on('error', (error) => {
      log.warn({ error: error.message }, 'demo: writing the history was cut short');
      if (stopped || attempt >= attemptsMax) return;
      retry = setTimeout(() => start(attempt + 1), Math.min(attempt, 5) * minuteMs);
    });
    started.on('exit', () => {
      if (worker === started) worker = null;
    });
  };
  start(1);

  return {
    async stop() {
      stopped = true;
      clearTimeout(retry);
      const running = worker;
      if (running === null) return;
      const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()));
      running.postMessage('stop');
      const limit = setTimeout(() => void running.terminate(), stopLimitMs);
      await ended;
      clearTimeout(limit);
    },
  };
}
