import { useCallback, useEffect, useEffectEvent, useRef } from 'react';

export type Pacer = {
  /** Wants `act` to run: at once when it has rested for the gap, otherwise when the gap is over. */
  ask: () => void;
  stop: () => void;
};

/** Runs `act` when it is asked for, but never twice within `gapMs`; many questions meanwhile are one. */
export function pacer(act: () => void, gapMs: number, now: () => number = () => performance.now()): Pacer {
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
      const restMs = ranAt + gapMs - now();
      if (restMs <= 0) run();
      else timer = setTimeout(run, restMs);
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** A function that runs `act` at most once every `gapMs`, for events that come faster than a page can use them. */
export function usePaced(act: () => void, gapMs: number): () => void {
  const onAct = useEffectEvent(act);
  const current = useRef<Pacer | null>(null);
  useEffect(() => {
    const made = pacer(() => onAct(), gapMs);
    current.current = made;
    return () => {
      made.stop();
      current.current = null;
    };
  }, [gapMs]);
  return useCallback(() => current.current?.ask(), []);
}
