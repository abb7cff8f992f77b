/**
 * Fits values from stations, which may have any size, to their columns, so that one absurd value spoils neither a COPY
 * nor a statement that carries other stations' rows. Null stays null.
 */

const int2Max = 32_767;
const int4Max = 2_147_483_647;
const float4Max = 3.4028234663852886e38;

/** A smallint column: rounded and clamped. */
export const int2 = (value: number | null | undefined): number | null => integerWithin(value, -int2Max - 1, int2Max);

/** An integer column: rounded and clamped. */
export const int4 = (value: number | null | undefined): number | null => integerWithin(value, -int4Max - 1, int4Max);

/** A bigint column that is read as a number: rounded, and clamped to exact numbers. */
export const int8 = (value: number | null | undefined): number | null =>
  integerWithin(value, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

/** A real column: the nearest single-precision number; null for NaN. */
export function float4(value: number | null | undefined): number | null {
  if (value === null || value === undefined || Number.isNaN(value)) return null;
  return Math.fround(Math.max(-float4Max, Math.min(float4Max, value)));
}

/** A text column: a NUL, which PostgreSQL's texts cannot hold, becomes its visible symbol. */
export function storableText(value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  return value.includes('\0') ? value.replaceAll('\0', '\u2400') : value;
}

/**
 * JSON for a jsonb column, which can hold neither a NUL nor half of a surrogate pair; in JSON of ours both are always
 * escaped. They become their visible symbol and the replacement character.
 */
export function storableJson(json: string): string;
export function storableJson(json: string | null | undefined): string | null;
export function storableJson(json: string | null | undefined): string | null {
  if (json === null || json === undefined) return null;
  return json.includes('\\u') ? json.replaceAll(escapes, storableEscape) : json;
}

/** Each escape as a whole, so that an escaped backslash before "u0000" is text; a pair of surrogates is one. */
const escapes = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|.)/g;

function storableEscape(written: string): string {
  if (written === '\\u0000') return '\\u2400';
  return /^\\u[dD][89a-fA-F][\da-fA-F]{2}$/.test(written) ? '\\ufffd' : written;
}

function integerWithin(value: number | null | undefined, min: number, max: number): number | null {
  if (value === null || value === undefined || Number.isNaN(value)) return null;
  return Math.max(min, Math.min(max, Math.round(value)));
}
