/** ISO 3779 and GB 16735: 17 letters and digits without I, O and Q. */
export const vinLength = 17;
const form = /^[A-HJ-NPR-Z0-9]{17}$/;

/** In capitals and half-width, without spaces. */
export function tidyVin(typed: string): string {
  return typed.normalize('NFKC').toUpperCase().replaceAll(/\s/g, '');
}

export function isVin(vin: string): boolean {
  return form.test(vin);
}

const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const values: Readonly<Record<string, number>> = Object.fromEntries([
  ...[...'0123456789'].map((digit) => [digit, Number(digit)] as const),
  ...[...'ABCDEFGH'].map((letter, index) => [letter, index + 1] as const),
  ...[...'JKLMN'].map((letter, index) => [letter, index + 1] as const),
  ['P', 7] as const,
  ['R', 9] as const,
  ...[...'STUVWXYZ'].map((letter, index) => [letter, index + 2] as const),
]);

/**
 * Whether the ninth character is the check digit of the others. Vehicles of China and North America have one; those of
 * some other makers do not, so a difference is a warning.
 */
export function hasCheckDigit(vin: string): boolean {
  if (!isVin(vin)) return false;
  const rest =
    [...vin].reduce((sum, character, index) => sum + (values[character] ?? 0) * (weights[index] ?? 0), 0) % 11;
  return vin[8] === (rest === 10 ? 'X' : String(rest));
}

/**
 * The spellings by which a vehicle may be registered when a station reports this: as reported, and last character first,
 * because firmware disagrees about the order on the wire. Empty for what is no VIN, such as a field of zeros or FFs.
 */
export function vinSpellings(told: string): string[] {
  const vin = tidyVin(told.replaceAll('\0', ''));
  return isVin(vin) && !/^(.)\1*$/.test(vin) ? [vin, [...vin].reverse().join('')] : [];
}
