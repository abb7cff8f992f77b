import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { FieldFault } from '@voltdeck/contract/errors';

/** OCPP 1.6 security whitepaper, A00.FR.205: 16 to 20 bytes for HTTP basic authentication. */
export const stationPasswordBytes = { min: 16, max: 20 } as const;
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** Twenty characters without look-alikes: a technician types them on a charger's keypad. 116 random bits. */
export function newStationPassword(): string {
  return Array.from({ length: stationPasswordBytes.max }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/**
 * Salted SHA-256, not argon2: ten thousand stations that reconnect together after a power cut would keep a processor
 * busy for minutes, and a random secret of 16 bytes or more cannot be guessed however fast a guess is.
 */
export function hashStationPassword(password: string): string {
  const salt = randomBytes(16);
  return `sha256$${salt.toString('base64')}$${digest(salt, password).toString('base64')}`;
}

/** Compares in constant time; false for anything that `hashStationPassword` did not make. */
export function verifyStationPassword(presented: string, hash: string): boolean {
  const [kind, salt, expected] = hash.split('$');
  if (kind !== 'sha256' || salt === undefined || expected === undefined) return false;
  const given = digest(Buffer.from(salt, 'base64'), presented);
  const wanted = Buffer.from(expected, 'base64');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** A repeated piece of this length is no secret. */
const repeatedPieceMax = 8;
/** Of 16 to 20 random characters, more are distinct in all but one of a million million cases. */
const differentMin = 6;
/** The allowed share of neighbours that follow each other, as in "abcd" or "9876", or are equal. */
const runShareMax = 0.6;

/** Whether a password is an obvious guess: a repeated piece, a run of neighbours, the station's number. */
export function isGuessable(password: string, stationNumber: string): boolean {
  const text = password.toLowerCase();
  if (new Set(text).size < differentMin) return true;
  for (let length = 1; length <= repeatedPieceMax; length += 1) {
    if (
      text ===
      text
        .slice(0, length)
        .repeat(Math.ceil(text.length / length))
        .slice(0, text.length)
    )
      return true;
  }
  const codes = [...text].map((character) => character.charCodeAt(0));
  const inRun = codes.filter((code, at) => at > 0 && Math.abs(code - (codes[at - 1] ?? 0)) <= 1).length;
  if (inRun > (text.length - 1) * runShareMax) return true;
  const number = stationNumber.toLowerCase();
  return (
    number.length >= differentMin && text.includes(number) && text.length - number.length < stationPasswordBytes.min / 2
  );
}

const hexPassword = /^(?:[0-9a-f]{2}){16,20}$/i;

/**
 * The fault of a station password, given in plain or in hexadecimal (as in the key AuthorizationKey); null when it is
 * acceptable.
 */
export function stationPasswordFault(given: string, stationNumber: string): Omit<FieldFault, 'path'> | null {
  const isHex = hexPassword.test(given);
  if (!isHex && !/^[\x21-\x7e]+$/.test(given)) return { code: 'bad_format' };
  const { min, max } = stationPasswordBytes;
  if (!isHex && given.length < min) return { code: 'too_short', params: { min } };
  if (!isHex && given.length > max) return { code: 'too_long', params: { max } };
  const password = isHex ? Buffer.from(given, 'hex').toString('latin1') : given;
  return isGuessable(password, stationNumber) ? { code: 'guessable' } : null;
}

function digest(salt: Buffer, password: string): Buffer {
  return createHash('sha256').update(salt).update(password, 'utf8').digest();
}
