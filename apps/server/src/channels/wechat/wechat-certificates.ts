import { type KeyObject, X509Certificate } from 'node:crypto';
import { hourMs, type Instant, minuteMs, parseIso } from '@voltdeck/units/instant';
import { z } from 'zod';
import { wechatRules } from './wechat-keys.ts';

/** How long fetched certificates are believed to be all there are, and how soon an unknown serial number may ask again. */
export const certificateLimits = { keptMs: 12 * hourMs, againMs: minuteMs } as const;

export const encryptedResource = z.object({
  ciphertext: z.string(),
  nonce: z.string(),
  associated_data: z.string().optional(),
});

const certificates = z.object({
  data: z.array(z.object({ serial_no: z.string(), expire_time: z.string(), encrypt_certificate: encryptedResource })),
});

/** The text of an encrypted part of an answer or a notification; null where the key does not open it. */
export function decryptResource(resource: z.output<typeof encryptedResource>, apiV3Key: string): string | null {
  try {
    const { ciphertext, nonce, associated_data } = resource;
    return wechatRules().AesGcm.decrypt(ciphertext, apiV3Key, nonce, associated_data ?? '');
  } catch {
    return null;
  }
}

/** The keys in an answer of GET /v3/certificates; null where it cannot be read. */
function keysIn(body: string, apiV3Key: string, at: Instant): Map<string, KeyObject> | null {
  try {
    const parsed = certificates.safeParse(JSON.parse(body));
    if (!parsed.success) return null;
    const keys = new Map<string, KeyObject>();
    for (const { serial_no, expire_time, encrypt_certificate } of parsed.data.data) {
      const pem = decryptResource(encrypt_certificate, apiV3Key);
      if (pem === null) return null;
      const expiresAt = parseIso(expire_time);
      if (expiresAt !== null && expiresAt > at) keys.set(serial_no, new X509Certificate(pem).publicKey);
    }
    return keys;
  } catch {
    return null;
  }
}

/** Fetches GET /v3/certificates; `verifiedBy` says whether the answer is signed by one of the keys in it. */
export type FetchCertificates = () => Promise<{
  body: string;
  verifiedBy(keys: ReadonlyMap<string, KeyObject>): boolean;
} | null>;

/**
 * WeChat Pay's platform certificates, fetched when a serial number is not known. They are encrypted with the merchant's
 * API v3 key, which is what makes the first of them believable.
 */
export class WechatCertificates {
  readonly #fetch: FetchCertificates;
  readonly #apiV3Key: string;
  #keys: ReadonlyMap<string, KeyObject> = new Map();
  #fetchedAt: Instant | null = null;
  #fetching: Promise<boolean> | null = null;

  constructor(fetch: FetchCertificates, apiV3Key: string) {
    this.#fetch = fetch;
    this.#apiV3Key = apiV3Key;
  }

  /** The key of a serial number; `unknown` where WeChat Pay has none, `unavailable` where it could not be asked. */
  async keyOf(serial: string, at: Instant): Promise<KeyObject | 'unknown' | 'unavailable'> {
    const known = this.#keys.get(serial);
    const ageMs = this.#fetchedAt === null ? Number.POSITIVE_INFINITY : at - this.#fetchedAt;
    if (known !== undefined && ageMs < certificateLimits.keptMs) return known;
    if (ageMs < certificateLimits.againMs) return 'unknown';
    this.#fetching ??= this.#refresh(at).finally(() => {
      this.#fetching = null;
    });
    if (!(await this.#fetching)) return known ?? 'unavailable';
    return this.#keys.get(serial) ?? 'unknown';
  }

  async #refresh(at: Instant): Promise<boolean> {
    const fetched = await this.#fetch();
    const keys = fetched === null ? null : keysIn(fetched.body, this.#apiV3Key, at);
    if (fetched === null || keys === null || !fetched.verifiedBy(keys)) return false;
    this.#keys = keys;
    this.#fetchedAt = at;
    return true;
  }
}
