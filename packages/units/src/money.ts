import { exactInteger, type Quantity } from './quantity.ts';

/** Money in fen (1/100 yuan), the smallest unit of the books. */
export type Fen = Quantity<'fen'>;
/** A price in 1e-5 yuan per kWh. */
export type PriceE5 = Quantity<'1e-5 yuan per kWh'>;

/** @throws RangeError unless `value` is a safe integer. */
export function fen(value: number): Fen {
  return exactInteger(value, 'fen');
}

/** @throws RangeError unless `value` is a safe integer, zero or more. */
export function priceE5(value: number): PriceE5 {
  if (value < 0) throw new RangeError(`a price cannot be negative, got ${value}`);
  return exactInteger(value, '1e-5 yuan per kWh');
}

export const zeroFen = fen(0);

export function addFen(...amounts: readonly Fen[]): Fen {
  return fen(amounts.reduce<number>((sum, amount) => sum + amount, 0));
}

export function subtractFen(from: Fen, amount: Fen): Fen {
  return fen(from - amount);
}

export function minFen(a: Fen, b: Fen): Fen {
  return fen(Math.min(a, b));
}

/**
 * The one place where a fee is rounded: energy × price, half up to the fen.
 * Wh × 1e-5 yuan/kWh = 1e-8 yuan = 1e-6 fen. BigInt because the product leaves the safe range at about 9 MWh for 1 yuan.
 * @throws RangeError for negative energy.
 */
export function feeFen(energyWh: number, price: PriceE5): Fen {
  return roundedFee(energyWh, price, 1_000_000);
}

/**
 * The same for energy in tenths of a Wh, the finest that stations report.
 * @throws RangeError for negative energy.
 */
export function feeFenOfTenths(energyTenthsWh: number, price: PriceE5): Fen {
  return roundedFee(energyTenthsWh, price, 10_000_000);
}

function roundedFee(energy: number, price: PriceE5, perFen: number): Fen {
  if (!Number.isSafeInteger(energy) || energy < 0) {
    throw new RangeError(`energy must be a safe integer, zero or more, got ${energy}`);
  }
  const half = perFen / 2;
  const product = energy * price;
  if (Number.isSafeInteger(product + half)) return fen(Math.floor((product + half) / perFen));
  return fen(Number((BigInt(energy) * BigInt(price) + BigInt(half)) / BigInt(perFen)));
}

/**
 * Splits `amount` by whole weights so that the parts add up to it exactly: the first n parts together are their share
 * of the amount, rounded half up.
 * @throws RangeError for an amount or a weight below zero, a fractional weight, or weights that are all zero.
 */
export function splitFen(amount: Fen, weights: readonly number[]): Fen[] {
  if (amount < 0 || weights.some((weight) => weight < 0))
    throw new RangeError('a split needs an amount and weights of zero or more');
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) throw new RangeError('weights must add up to more than zero');
  let weightSoFar = 0;
  let given = 0;
  return weights.map((weight) => {
    weightSoFar += weight;
    const until = Number((BigInt(amount) * BigInt(weightSoFar) * 2n + BigInt(total)) / (2n * BigInt(total)));
    const part = fen(until - given);
    given = until;
    return part;
  });
}

/** "1234.56" without currency sign or grouping; for files and protocols. */
export function formatYuan(amount: Fen): string {
  const sign = amount < 0 ? '-' : '';
  const absolute = Math.abs(amount);
  return `${sign}${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`;
}

/** "1,234.56" without currency sign, for people to read on paper. */
export function groupedYuan(amount: Fen): string {
  return formatYuan(amount).replace(/\B(?=(?:\d{3})+\.)/g, ',');
}

/** Parses "12", "12.3" or "12.34" (yuan); null for anything else, so that a form can name the field. */
export function parseYuan(text: string): Fen | null {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (match === null) return null;
  const absolute = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'));
  return fen(match[1] === '-' ? 0 - absolute : absolute);
}
