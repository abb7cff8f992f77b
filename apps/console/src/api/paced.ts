import { useCallback, useEffect, useEffectEvent, useRef } from 'react';

export type Pacer = {
  /** Runs `act` at once if the gap has passed, otherwise at its end. */
  ask: () => void;
  stop: () => void;
};

/**
 * Runs `act` on demand, at most once within `gapMs`; calls in between are merged. `delayMs` delays each run where the
 * server's answer may be that old.
 */
export function pacer(
  act: () => void,
  { gapMs, delayMs = 0 }: { gapMs: number; delayMs?: number },
  now: () => number = () => performance.now(),
): Pacer {
  let ranAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    timer = undefined;
    ranAt = now();
    act();
  };
  return {
    ask: () => {
      if (timer !== undefined) return;
      const restMs = Math.max(ranAt + gapMs - now(), delayMs);
      if (restMs <= 0) run();
      else timer = setTimeout(run, restMs);
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** A function that runs `act` at most once every `gapMs`, for events that arrive faster than a page can use them. */
export function usePaced(act: () => void, gapMs: number, delayMs = 0): () => void {
  const onAct = useEffectEvent(act);
  const current = useRef<Pacer | null>(null);
  useEffect(() => {
    const made = pacer(() => onAct(), { gapMs, delayMs });
    current.current = made;
    return () => {
      made.stop();
      current.current = null;
    };
  }, [gapMs, delayMs]);
  return useCallback(() => current.current?.ask(), []);
}
