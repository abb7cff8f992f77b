import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { failed, ok, type Result } from '@voltdeck/units/result';

/** Why a sealed value cannot be opened: it was sealed with another key, or its bytes were changed. */
export type UnsealFault = 'other-key' | 'damaged';

/** Seals what the database must not reveal: AES-256-GCM (NIST SP 800-38D) under the installation's key. */
export type SecretBox = {
  /** `name` is bound to the value: sealed for one parameter, it opens for no other. */
  seal(name: string, value: string): Buffer;
  open(name: string, sealed: Buffer): Result<string, UnsealFault>;
};

export const secretKeyBytes = 32;
const version = 1;
const markBytes = 8;
const ivBytes = 12;
const tagBytes = 16;
const headBytes = 1 + markBytes + ivBytes + tagBytes;

/** @throws RangeError unless the key has 32 bytes. */
export function createSecretBox(key: Buffer): SecretBox {
  if (key.length !== secretKeyBytes) throw new RangeError(`a key of ${key.length} bytes instead of ${secretKeyBytes}`);
  // Distinguishes a lost key from a damaged value, and reveals nothing about the key.
  const mark = createHash('sha256').update('voltdeck secret key').update(key).digest().subarray(0, markBytes);
  return {
    seal(name, value) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name, 'utf8'));
      const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([version]), mark, iv, cipher.getAuthTag(), sealed]);
    },
    open(name, sealed) {
      if (sealed.length < headBytes || sealed[0] !== version) return failed('damaged');
      const part = (from: number, length: number) => sealed.subarray(from, from + length);
      if (!part(1, markBytes).equals(mark)) return failed('other-key');
      const iv = part(1 + markBytes, ivBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(name, 'utf8'));
      decipher.setAuthTag(part(1 + markBytes + ivBytes, tagBytes));
      try {
        return ok(Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()]).toString('utf8'));
      } catch {
        return failed('damaged');
      }
    },
  };
}
