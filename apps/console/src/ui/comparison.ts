export type Comparison = { kind: 'none' } | { kind: 'same' } | { kind: 'up' | 'down'; percent: number };

/** A figure compared with that of an earlier span, in whole percent. Without an earlier one there is no comparison. */
export function compare(now: number, before: number): Comparison {
  if (before <= 0) return { kind: 'none' };
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return { kind: 'same' };
  return { kind: percent > 0 ? 'up' : 'down', percent: Math.abs(percent) };
}
