import type { Clock } from './clock.ts';

/** The environment of a scenario. */
export type Stage = {
  clock: Clock;
  say(line: string): void;
  /** Ends a scenario early (Ctrl-C). */
  signal: AbortSignal;
};

/** Lets event time pass, or less if the scenario is ended early. */
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
