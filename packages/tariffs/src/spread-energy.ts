/**
 * Where a register that rose evenly by `rise` over `spanMs` stood after `elapsedMs`, rounded half up to a whole unit.
 *
 * Cutting at several instants and taking differences makes parts that always add up to `rise`, because each cut is
 * rounded and not each part. Rounding half up commutes with adding a whole number, so a register cut again at a whole
 * value on its own line gives the same cuts.
 *
 * @param rise zero or more, a safe integer in any unit (Wh, mWh)
 * @param elapsedMs 0 to `spanMs`
 * @param spanMs more than zero
 */
export function riseUntil(rise: number, elapsedMs: number, spanMs: number): number {
  const doubled = 2 * rise * elapsedMs + spanMs;
  if (Number.isSafeInteger(doubled)) return (doubled - (doubled % (2 * spanMs))) / (2 * spanMs);
  // A megawatt-hour over a month exceeds the safe range.
  return Number((2n * BigInt(rise) * BigInt(elapsedMs) + BigInt(spanMs)) / (2n * BigInt(spanMs)));
}
