export type Comparison = { kind: 'none' } | { kind: 'same' } | { kind: 'up' | 'down'; percent: number };

/** Today compared with the same span of yesterday, in whole percent. Without a yesterday there is no comparison. */
export function compare(today: number, yesterday: number): Comparison {
  if (yesterday <= 0) return { kind: 'none' };
  const percent = Math.round(((today - yesterday) / yesterday) * 100);
  if (percent === 0) return { kind: 'same' };
  return { kind: percent > 0 ? 'up' : 'down', percent: Math.abs(percent) };
}
