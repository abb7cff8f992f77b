/** Values as stations write them: numbers as text, padded cards, texts with NUL. What no schema can say is judged here. */
import { type WattHours, wattHours } from '@voltdeck/units/energy';
import { readThousandths, roundThousandths } from './decimal.ts';

/** No station has more; a limit on what reaches the database. */
export const connectorNumberMax = 999;
/** Text that a station tells about itself is cut here. */
const textCharsMax = 255;
/** The standard says integer (sections 6.46 and 6.49) and no more; stations store 32 bits. */
export const transactionNumberMax = 2_147_483_647;

export function isConnectorNumber(value: number | null): value is number {
  return value !== null && Number.isInteger(value) && value >= 0 && value <= connectorNumberMax;
}

/** 0 for what is no 32-bit integer: the business has to find the charge by other marks, as for any unknown number. */
export function transactionNumber(value: unknown): number {
  const number = wholeNumber(value);
  return number !== null && Math.abs(number) <= transactionNumberMax ? number : 0;
}

/** Numbers as text occur. Null when it is none. */
export function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) ? number : null;
}

/** A register that should be a whole number of Wh; decimals and numbers as text occur. Null when it is no number. */
export function toWattHours(value: unknown): WattHours | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return wattHours(value);
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const thousandths = readThousandths(String(value).trim(), 0);
  return thousandths === null ? null : wattHours(roundThousandths(thousandths));
}

/**
 * CiString: cards are compared without case, so they have one case from here on. Fixed-width fields come padded with
 * spaces, the number of a remote start that the station echoes as well.
 */
export function cardNumber(idTag: string): string {
  return cleanText(idTag).trim().toUpperCase();
}

export function optionalText(value: string | null | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  const text = cleanText(value);
  return text === '' ? undefined : text;
}

/**
 * Without the NUL padding of C strings and without half characters (lone surrogates), neither of which a database's
 * texts and JSON hold, and not longer than anyone would read.
 */
export function cleanText(value: string): string {
  return withoutNul(value.length > textCharsMax ? value.slice(0, textCharsMax) : value).toWellFormed();
}

export function withoutNul(value: string): string {
  return value.includes('\0') ? value.replaceAll('\0', '') : value;
}
