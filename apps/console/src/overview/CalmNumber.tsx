import { useEffect, useRef, useState } from 'react';

/** Long enough to see the direction of a change, and over before the next event. */
const glideMs = 500;

/** A figure that glides to its next value, or jumps if the user prefers reduced motion. */
export function CalmNumber({ value, format }: { value: number; format: (value: number) => string }) {
  const [shown, setShown] = useState(value);
  const current = useRef(value);
  useEffect(() => {
    const from = current.current;
    if (from === value) return;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      current.current = value;
      setShown(value);
      return;
    }
    const startedMs = performance.now();
    let frame = requestAnimationFrame(function step(nowMs) {
      const part = Math.min(1, (nowMs - startedMs) / glideMs);
      const eased = 1 - (1 - part) ** 3;
      current.current = part === 1 ? value : Math.round(from + (value - from) * eased);
      setShown(current.current);
      if (part < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [value]);
  return <span className="figure">{format(shown)}</span>;
}
