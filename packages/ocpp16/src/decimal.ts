/** Longer than any meter's number; limits the work that a hostile value can cause. */
const decimalCharsMax = 40;

/**
 * Reads a decimal such as "12.3456" or "1.2E3" as whole thousandths of the unit that is 10^`power` times finer than the
 * text's, truncating the rest: "12.3456" kWh with power 3 (Wh) is 12,345,600. Exact, without binary fractions. Null
 * when the text is not a decimal number or exceeds the safe integers.
 */
export function readThousandths(text: string, power: number): number | null {
  if (text.length > decimalCharsMax) return null;
  let at = 0;
  let negative = false;
  const first = text.charCodeAt(0);
  if (first === minus || first === plus) {
    negative = first === minus;
    at = 1;
  }
  let mantissa = 0;
  let shift = power + 3;
  let digits = 0;
  let afterPoint = false;
  let full = false;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === point) {
      if (afterPoint) return null;
      afterPoint = true;
      continue;
    }
    if (code < zero || code > nine) break;
    digits += 1;
    const grown = mantissa * 10 + (code - zero);
    if (full || grown > Number.MAX_SAFE_INTEGER) {
      full = true;
      if (!afterPoint) shift += 1;
      continue;
    }
    mantissa = grown;
    if (afterPoint) shift -= 1;
  }
  if (digits === 0) return null;
  if (at < text.length) {
    const exponent = readExponent(text.slice(at));
    if (exponent === null) return null;
    shift += exponent;
  }
  const magnitude = shifted(mantissa, shift);
  if (!Number.isSafeInteger(magnitude)) return null;
  return negative && magnitude !== 0 ? -magnitude : magnitude;
}

/** Thousandths to whole units, rounded half up. */
export function roundThousandths(thousandths: number): number {
  return Math.floor((thousandths + 500) / 1_000);
}

const minus = 45;
const plus = 43;
const point = 46;
const zero = 48;
const nine = 57;

function readExponent(text: string): number | null {
  const match = /^[eE]([+-]?\d{1,2})$/.exec(text);
  return match === null ? null : Number(match[1]);
}

function shifted(mantissa: number, shift: number): number {
  if (mantissa === 0) return 0;
  if (shift >= 0) return shift > 15 ? Number.POSITIVE_INFINITY : mantissa * 10 ** shift;
  return shift < -16 ? 0 : Math.floor(mantissa / 10 ** -shift);
}
