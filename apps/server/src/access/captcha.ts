import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { captchaAlphabet, drawCaptcha } from './draw-captcha.ts';

export const captchaValidMs = 3 * minuteMs;
const characters = 4;

/**
 * Draws characters to be typed in. The answer holds them only as pixels, the database only as a hash. The picture is
 * valid for three minutes and one try.
 */
export async function makeCaptcha(db: Kysely<Tables>, at: Instant): Promise<{ id: string; image: string }> {
  const text = Array.from({ length: characters }, () => captchaAlphabet.charAt(randomInt(captchaAlphabet.length))).join(
    '',
  );
  const id = randomBytes(16).toString('base64url');
  await db.deleteFrom('captchas').where('expires_at', '<', at).execute();
  await db
    .insertInto('captchas')
    .values({ id, answer_hash: hashAnswer(id, text), expires_at: instant(at + captchaValidMs) })
    .execute();
  const png = await drawCaptcha(text, () => randomInt(2 ** 32) / 2 ** 32);
  return { id, image: `data:image/png;base64,${png.toString('base64')}` };
}

/** Whether the characters match the picture, in either case. Right or wrong, the picture is used up. */
export async function takeCaptcha(
  db: Kysely<Tables>,
  given: { id: string; text: string },
  at: Instant,
): Promise<boolean> {
  const row = await db
    .deleteFrom('captchas')
    .where('id', '=', given.id)
    .returning(['answer_hash', 'expires_at'])
    .executeTakeFirst();
  if (row === undefined || row.expires_at <= at) return false;
  return timingSafeEqual(row.answer_hash, hashAnswer(given.id, given.text));
}

/** The stored hash of an answer, salted with the picture's id. */
export function hashAnswer(id: string, text: string): Buffer {
  return createHash('sha256').update(`${id}:${text.trim().toUpperCase()}`).digest();
}
