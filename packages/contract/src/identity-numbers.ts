import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { Protocol } from '@voltdeck/charging/states';
import type { FieldFaultCode } from './errors.ts';

/** Stations of one batch. */
export const identitiesMax = 10_000;

/** Digits counted behind a prefix that ends without one. */
const countedDigitsMin = 4;
/** Of a station number, in every protocol. */
const numberLengthMax = 48;

export type IdentityNumbers =
  | { numbers: (index: number) => string }
  | { fault: FieldFaultCode; params?: { digits: number } };

/**
 * The numbers of a batch: counted up from a start number, by the digits at its end, or from 1 behind a prefix. A prefix
 * ends without a digit or, where numbers have exactly so many digits, has fewer. `numbers` gives the number of each station, from 0.
 */
export function identityNumbers(start: string, count: number, protocol: Protocol): IdentityNumbers {
  const { stationNumberDigits: exactly } = protocolTraits[protocol];
  if (exactly !== null && !(/^\d+$/.test(start) && start.length <= exactly)) {
    return { fault: 'identity_exact_digits', params: { digits: exactly } };
  }
  const digits = /\d*$/.exec(start)?.[0] ?? '';
  const isPrefix = exactly === null ? digits === '' : start.length < exactly;
  const prefix = isPrefix ? start : start.slice(0, start.length - digits.length);
  const added = exactly === null ? Math.max(countedDigitsMin, String(count).length) : exactly - start.length;
  const width = isPrefix ? added : digits.length;
  const first = isPrefix ? 1n : BigInt(digits);
  const last = first + BigInt(count) - 1n;
  if (String(last).length > width) return { fault: 'identity_digits' };
  if (prefix.length + width > numberLengthMax) return { fault: 'identity_long' };
  return { numbers: (index) => prefix + String(first + BigInt(index)).padStart(width, '0') };
}
