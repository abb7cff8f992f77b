import type { Clock } from './clock.ts';

/** Where a scenario is played. */
export type Stage = {
  clock: Clock;
  say(line: string): void;
  /** Ends a scenario early (Ctrl-C). */
  signal: AbortSignal;
};

/** Lets event time pass, or less of it when the scenario is ended early. */
export function pause(stage: Stage, durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      cancel();
      stage.signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = stage.clock.after(durationMs, finish);
    stage.signal.addEventListener('abort', finish);
    if (stage.signal.aborted) finish();
  });
}
