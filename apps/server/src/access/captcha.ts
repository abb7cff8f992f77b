import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

export const captchaValidMs = 3 * minuteMs;
const characters = 4;
/** Without those that look alike: 0 and O, 1 and I and L, 2 and Z, 5 and S, 8 and B. */
const alphabet = '34679ACDEFGHJKMNPQRTUVWXY';
/** Lines across the characters. */
const noise = 3;

/**
 * Draws characters to be typed in. They stand in the SVG as outlines, never as text, and in the database as a hash;
 * whoever has the picture has three minutes and one try.
 */
export async function makeCaptcha(db: Kysely<Tables>, at: Instant): Promise<{ id: string; svg: string }> {
  const text = Array.from({ length: characters }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
  const id = randomBytes(16).toString('base64url');
  await db.deleteFrom('captchas').where('expires_at', '<', at).execute();
  await db
    .insertInto('captchas')
    .values({ id, answer_hash: hashAnswer(id, text), expires_at: instant(at + captchaValidMs) })
    .execute();
  const draw = await loadDrawing();
  return { id, svg: draw(text, { noise, width: 132, height: 44, fontSize: 48 }) };
}

type Draw = (text: string, options: { noise: number; width: number; height: number; fontSize: number }) => string;

/** Reads a font when it is loaded: only where somebody asks for a picture. */
async function loadDrawing(): Promise<Draw> {
  const loaded: unknown = (await import('svg-captcha')).default;
  // The package's types leave out its main function, the one that takes a text of one's own choice.
  return loaded as Draw;
}

/** Whether the characters are those of the picture, whichever case they were typed in. Right or wrong, it is used up. */
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

/** The hash that is kept of an answer, salted by the picture's own id. */
export function hashAnswer(id: string, text: string): Buffer {
  return createHash('sha256').update(`${id}:${text.trim().toUpperCase()}`).digest();
}
