import { randomBytes, sign, verify } from 'node:crypto';
import { type Instant, instant, parseIso, secondMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { z } from 'zod';
import {
  type ChannelEvent,
  type NotificationFault,
  type NotificationHeaders,
  notificationAgeMaxMs,
  type PaymentFound,
} from '../payment-channel.ts';
import type { EmbeddedKeys } from './embedded-keys.ts';

/** How notifications of the embedded channel name the merchant; there is one. */
export const embeddedMerchant = 'voltdeck';

const fenNumber = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

export const embeddedEvent = z.object({
  merchant: z.string(),
  kind: z.literal('payment'),
  state: z.enum(['paid', 'closed']),
  number: z.string().min(1).max(64),
  thirdPartyNumber: z.string().min(1).max(64),
  amountFen: fenNumber,
  paidAt: z.iso.datetime(),
  payer: z.string().max(64),
});
export type EmbeddedEvent = z.output<typeof embeddedEvent>;

const header = (name: 'Timestamp' | 'Nonce' | 'Serial' | 'Signature') => `Voltdeck-Pay-${name}`;

/** A body with the headers that prove where it comes from: timestamp, nonce and body, signed by RSA with SHA-256. */
export function signEmbedded(keys: EmbeddedKeys, body: string, at: Instant): Record<string, string> {
  const timestamp = String(Math.floor(at / secondMs));
  const nonce = randomBytes(16).toString('hex');
  const signature = sign('RSA-SHA256', Buffer.from(`${timestamp}\n${nonce}\n${body}\n`), keys.privateKey);
  return {
    'content-type': 'application/json',
    [header('Timestamp')]: timestamp,
    [header('Nonce')]: nonce,
    [header('Serial')]: keys.serial,
    [header('Signature')]: signature.toString('base64'),
  };
}

export function readEmbedded(
  keys: EmbeddedKeys,
  headers: NotificationHeaders,
  rawBody: string,
  at: Instant,
): Result<ChannelEvent, NotificationFault> {
  const given = (name: Parameters<typeof header>[0]) => {
    const value = headers[header(name).toLowerCase()];
    return typeof value === 'string' ? value : '';
  };
  const [timestamp, nonce, signature] = [given('Timestamp'), given('Nonce'), given('Signature')];
  if (!/^\d{1,12}$/.test(timestamp) || nonce === '' || nonce.length > 128) return failed('unreadable');
  if (given('Serial') !== keys.serial) return failed('unknown_serial');
  const signed = Buffer.from(`${timestamp}\n${nonce}\n${rawBody}\n`);
  if (!verify('RSA-SHA256', signed, keys.publicKey, Buffer.from(signature, 'base64'))) return failed('bad_signature');
  if (Math.abs(at - Number(timestamp) * secondMs) > notificationAgeMaxMs) return failed('stale');
  const event = eventOf(rawBody);
  if (event === null) return failed('unreadable');
  if (event.merchant !== embeddedMerchant) return failed('other_merchant');
  const paidAt = parseIso(event.paidAt);
  if (paidAt === null) return failed('unreadable');
  const { number, thirdPartyNumber, amountFen, payer } = event;
  const found: PaymentFound =
    event.state === 'closed'
      ? { state: 'closed' }
      : { state: 'paid', thirdPartyNumber, paidFen: fen(amountFen), paidAt: instant(paidAt), payer };
  return ok({ nonce, content: event, about: { kind: 'payment', number, found } });
}

function eventOf(rawBody: string): EmbeddedEvent | null {
  try {
    const parsed = embeddedEvent.safeParse(JSON.parse(rawBody));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
