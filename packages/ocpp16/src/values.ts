/** Values as stations write them: numbers as text, padded cards, texts with NUL. Checks what a schema cannot. */
import { type WattHours, wattHours } from '@voltdeck/units/energy';
import { readThousandths, roundThousandths } from './decimal.ts';

/** No station has more; limits what reaches the database. */
export const connectorNumberMax = 999;
/** Maximum length of a station's texts about itself; the rest is cut. */
const textCharsMax = 255;
/** The standard says only integer (sections 6.46 and 6.49); stations store 32 bits. */
export const transactionNumberMax = 2_147_483_647;

export function isConnectorNumber(value: number | null): value is number {
  return value !== null && Number.isInteger(value) && value >= 0 && value <= connectorNumberMax;
}

/** 0 for what is not a 32-bit integer: the business then finds the charge by other data, as for any unknown number. */
export function transactionNumber(value: unknown): number {
  const number = wholeNumber(value);
  return number !== null && Math.abs(number) <= transactionNumberMax ? number : 0;
}

/** Accepts numbers as text. Null when it is not a number. */
export function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) ? number : null;
}

/** A register in whole Wh; decimals and numbers as text occur. Null when it is not a number. */
export function toWattHours(value: unknown): WattHours | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return wattHours(value);
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const thousandths = readThousandths(String(value).trim(), 0);
  return thousandths === null ? null : wattHours(roundThousandths(thousandths));
}

/**
 * CiString: cards are case-insensitive, so they are upper case from here on. Fixed-width fields are padded with spaces,
 * even in the echo of a remote start's number.
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
 * Removes the NUL padding of C strings and lone surrogates, neither of which database texts and JSON can hold, and
 * limits the length.
 */
export function cleanText(value: string): string {
  return cleanCharacters(value.length > textCharsMax ? value.slice(0, textCharsMax) : value);
}

/** JSON of any shape whose texts and names are cleaned like `cleanText`, but keep their length. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanCharacters(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [cleanCharacters(name), cleanJson(part)]));
}

function cleanCharacters(value: string): string {
  return withoutNul(value).toWellFormed();
}

export function withoutNul(value: string): string {
  return value.includes('\0') ? value.replaceAll('\0', '') : value;
}
