import { useEffect, useState } from 'react';
import { secondsLeft } from './lockout.ts';

const tickMs = 500;

/** A countdown in whole seconds: `start(60)` starts it, and it stops at zero. */
export function useSecondsLeft(): [seconds: number, start: (seconds: number) => void] {
  const [untilMs, setUntilMs] = useState(0);
  const [nowMs, setNowMs] = useState(() => Date.now());
  const seconds = secondsLeft(untilMs, nowMs);
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [seconds]);
  const start = (from: number) => {
    const now = Date.now();
    setNowMs(now);
    setUntilMs(now + from * 1000);
  };
  return [seconds, start];
}
