/** Decimals of the wire as whole numbers of a smaller unit, without binary fractions. */

/** Longer numbers are nobody's measurement; limits the work that a hostile value can cause. */
const decimalCharsMax = 48;

/**
 * `exactness`: whether the text names the unit exactly; `noise` is what a binary fraction adds to a number that was
 * meant exactly (30.199999999999996).
 */
export type Scaled = { value: number; exactness: 'exact' | 'noise' | 'rounded' };

/**
 * Reads a JSON number such as 12.345 or 1.2E3 in units of 10^-`scale`, rounded half away from zero: 12.345 at scale 2
 * is 1235. Null when it is no number, or leaves the safe integers.
 */
export function readScaled(text: string, scale: number): Scaled | null {
  const match = text.length > decimalCharsMax ? null : numberForm.exec(text);
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  // Behind this digit stands the point of the smaller unit.
  const end = whole.length + Number(exponent) + scale;
  const kept = end <= 0 ? '0' : digits.slice(0, end).padEnd(Math.min(end, decimalCharsMax * 3), '0');
  const dropped = end >= digits.length ? '' : `${'0'.repeat(Math.max(-end, 0))}${digits.slice(Math.max(end, 0))}`;
  const magnitude = Number(kept) + (dropped >= '5' ? 1 : 0);
  if (!Number.isSafeInteger(magnitude)) return null;
  return { value: sign === '-' && magnitude !== 0 ? -magnitude : magnitude, exactness: exactnessOf(dropped) };
}

const numberForm = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/;

/** A double has 15 to 17 digits, and its error stands in the last of them. */
function exactnessOf(dropped: string): Scaled['exactness'] {
  if (!/[1-9]/.test(dropped)) return 'exact';
  return dropped.length >= 8 && /^(?:0{6}|9{6})/.test(dropped) ? 'noise' : 'rounded';
}

/**
 * The text of `value` units of 10^-`scale` with exactly `decimals` digits after the point, rounded half away from zero.
 * @throws RangeError unless `value` is a safe integer.
 */
export function writeScaled(value: number, scale: number, decimals: number): string {
  const rounded = roundScaled(value, scale, decimals);
  const digits = String(Math.abs(rounded)).padStart(Math.min(scale, decimals) + 1, '0');
  const point = digits.length - Math.min(scale, decimals);
  const fraction = digits.slice(point).padEnd(decimals, '0');
  const text = decimals === 0 ? digits.slice(0, point) : `${digits.slice(0, point)}.${fraction}`;
  return rounded < 0 ? `-${text}` : text;
}

/** `value` in the coarser of both units, rounded half away from zero. */
function roundScaled(value: number, scale: number, decimals: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`a scaled number must be a safe integer, got ${value}`);
  const step = 10 ** Math.max(scale - decimals, 0);
  const magnitude = Math.floor(Math.abs(value) / step) + ((Math.abs(value) % step) * 2 >= step && step > 1 ? 1 : 0);
  return value < 0 ? -magnitude : magnitude;
}
