import { instant } from '@voltdeck/units/instant';
import { createContext, useContext, useEffect, useReducer, useState, useSyncExternalStore } from 'react';
import { useStreamState } from '../api/events.ts';
import {
  type Heard,
  type Hearing,
  hearingAfter,
  type Liveness,
  lateAfterMs,
  livenessOf,
  neverLost,
} from './screen-liveness.ts';

/** How the event stream is, and since when. */
export function useHearing(): Hearing {
  const [hearing, setHearing] = useState(neverLost);
  useEffect(
    () =>
      useStreamState.subscribe(({ state }) => {
        const clocks = { nowMs: performance.now(), now: instant(Date.now()) };
        setHearing((hearing) => hearingAfter(hearing, state, clocks));
      }),
    [],
  );
  return hearing;
}

export const HearingContext = createContext<Hearing>(neverLost);

/** Whether what was heard is of now; renders again when it no longer is, and not before. */
export function useLiveness(heard: Heard): Liveness {
  const { heardSinceMs } = useContext(HearingContext);
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const nowMs = performance.now();
  const liveness = livenessOf(heard, heardSinceMs, nowMs);
  const restMs = liveness === 'live' ? lateAfterMs - heard.ageMs - (nowMs - heard.receivedAtMs) + 1 : null;
  useEffect(() => {
    if (restMs === null) return;
    const timer = setTimeout(renderAgain, restMs);
    return () => clearTimeout(timer);
  }, [restMs]);
  return liveness;
}

function onVisibility(callback: () => void): () => void {
  document.addEventListener('visibilitychange', callback);
  return () => document.removeEventListener('visibilitychange', callback);
}

/** Whether anybody can see the page: what moves by itself rests while nobody can. */
export const useIsVisible = (): boolean => useSyncExternalStore(onVisibility, () => !document.hidden);
