import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

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

function digest(salt: Buffer, password: string): Buffer {
  return createHash('sha256').update(salt).update(password, 'utf8').digest();
}
