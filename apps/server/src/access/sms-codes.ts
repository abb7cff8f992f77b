import { randomInt } from 'node:crypto';
import type { ApiError } from '@voltdeck/contract/errors';
import { smsCodeDigits } from '@voltdeck/contract/registration';
import type { Id } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { type Trx, transact } from '../database/transact.ts';
import { networkOf } from '../limits/remote-networks.ts';
import type { CodeMessage } from '../sms/sms-sender.ts';
import { hashPassword, passwordMatches } from './password.ts';

export const codeValidMs = 5 * minuteMs;
/** Tries of a code from the network that asked for it. */
export const codeAttemptsMax = 5;
/**
 * Tries of a code from all other networks together: its owner may have changed from one network to another, but a
 * stranger, however many networks they command, neither uses up the tries of its owner nor guesses a phone's code more
 * often than 9 tries of 10 codes a day allow, less than once in ten thousand days.
 */
export const codeAttemptsElsewhereMax = 4;
export const codeEveryMs = minuteMs;
export const codesPerPhoneMax = 10;

/** What a code is for. */
export type CodePurpose = CodeMessage['purpose'];

type CodeLimits = { perNetwork: number; perHour: number; perDay: number };

/**
 * How many codes go out. Those of a network are counted for each address, those of the whole installation because its
 * operator pays for every message. People register for the console by the dozen a day; customers sign in once a season,
 * from mobile networks where thousands share an address.
 */
export const codeLimits: Readonly<Record<CodePurpose, CodeLimits>> = {
  register: { perNetwork: 30, perHour: 200, perDay: 1_000 },
  sign_in: { perNetwork: 200, perHour: 1_000, perDay: 5_000 },
};
/**
 * The part of the limits above that goes out without a captcha: somebody asks once, and again when nothing arrives. A
 * program without a person can trigger a tenth of what the installation may send.
 */
export const codesBeforeCaptcha: Readonly<Record<CodePurpose, CodeLimits & { perPhone: number }>> = {
  register: { perPhone: 2, perNetwork: 5, perHour: 20, perDay: 100 },
  sign_in: { perPhone: 2, perNetwork: 20, perHour: 100, perDay: 500 },
};
const codesLock = 0x736d73;

type Wish = { purpose: CodePurpose; phone: string; remoteAddress: string; withCaptcha: boolean };

/**
 * Creates a code for a phone and stores its hash, within `codeLimits` and one a minute and ten a day for a phone,
 * counted over all nodes. Whether the phone is registered makes no difference.
 * @returns the digits, for the message only.
 */
export async function makeCode(db: Kysely<Tables>, wish: Wish, at: Instant): Promise<Result<string, ApiError>> {
  const { purpose, phone, remoteAddress } = wish;
  // Hashing is expensive, so refusals come first.
  const early = await codeRefusal(db, wish, at);
  if (early !== null) return failed(early);
  const code = String(randomInt(10 ** smsCodeDigits)).padStart(smsCodeDigits, '0');
  // As slow as a password's hash, or a copy of the database would give the digits away at once.
  const codeHash = Buffer.from(await hashPassword(code));
  return transact(db, async (trx) => {
    // Simultaneous requests are counted one after the other.
    await sql`select pg_advisory_xact_lock(${codesLock}::integer, 0)`.execute(trx);
    const late = await codeRefusal(trx, wish, at);
    if (late !== null) return failed(late);
    await trx
      .insertInto('sms_codes')
      .values({
        phone,
        purpose,
        code_hash: codeHash,
        remote_address: remoteAddress,
        sent_at: at,
        expires_at: instant(at + codeValidMs),
      })
      .execute();
    return ok(code);
  });
}

/** What stops a code from being sent, the limits first: somebody who has to wait anyway needs no captcha. */
async function codeRefusal(
  db: Kysely<Tables>,
  { purpose, phone, remoteAddress, withCaptcha }: Wish,
  at: Instant,
): Promise<ApiError | null> {
  const all = await sentOfLastDay(db, at);
  const sent = all.filter((one) => one.purpose === purpose);
  const network = networkOf(remoteAddress);
  const ofPhone = all.filter((one) => one.phone === phone);
  const ofNetwork = sent.filter((one) => networkOf(one.remote_address) === network);
  const last = ofPhone[0]?.sent_at;
  if (last !== undefined && at - last < codeEveryMs) {
    return { code: 'sms.too_soon', params: { seconds: Math.ceil((last + codeEveryMs - at) / secondMs) } };
  }
  const limits = codeLimits[purpose];
  const callersFreeAt = Math.max(
    whenFree(ofPhone, { max: codesPerPhoneMax, periodMs: dayMs }),
    whenFree(ofNetwork, { max: limits.perNetwork, periodMs: dayMs }),
  );
  if (callersFreeAt > at) return { code: 'sms.too_many', params: waitUntil(callersFreeAt, at) };
  const freeAt = Math.max(
    whenFree(sent, { max: limits.perHour, periodMs: hourMs }),
    whenFree(sent, { max: limits.perDay, periodMs: dayMs }),
  );
  if (freeAt > at) return { code: 'sms.used_up', params: waitUntil(freeAt, at) };
  const { perPhone, perNetwork, perHour, perDay } = codesBeforeCaptcha[purpose];
  const needsCaptcha =
    ofPhone.length >= perPhone ||
    ofNetwork.length >= perNetwork ||
    sent.length >= perDay ||
    whenFree(sent, { max: perHour, periodMs: hourMs }) > at;
  return needsCaptcha && !withCaptcha ? { code: 'captcha.needed' } : null;
}

type Sent = { purpose: string; phone: string; remote_address: string; sent_at: Instant };

/** The wait until the oldest of the last `max` is older than the period; 0 while there are fewer. */
function whenFree(sent: readonly Sent[], { max, periodMs }: { max: number; periodMs: number }): number {
  const oldest = sent[max - 1];
  return oldest === undefined ? 0 : oldest.sent_at + periodMs;
}

function waitUntil(freeAt: number, at: Instant): { seconds: number; hours: number } {
  return { seconds: Math.ceil((freeAt - at) / secondMs), hours: Math.ceil((freeAt - at) / hourMs) };
}

/** The installation's codes within a day, the latest first; the day's limit also bounds the rows. */
function sentOfLastDay(db: Kysely<Tables>, at: Instant): Promise<Sent[]> {
  return db
    .selectFrom('sms_codes')
    .select(['purpose', 'phone', 'remote_address', 'sent_at'])
    .where('sent_at', '>', instant(at - dayMs))
    .orderBy('sent_at', 'desc')
    .limit(Object.values(codeLimits).reduce((sum, { perDay }) => sum + perDay, 0))
    .execute();
}

type Typed = { purpose: CodePurpose; phone: string; code: string; remoteAddress: string };

/**
 * Compares the typed digits with the phone's latest code for this purpose, or, once the caller has no tries of that one
 * left, with the latest that their network asked for. Each comparison counts, right or wrong, and their number is
 * limited. Takes as long where there is no code.
 * @returns the code's row, to be used up together with what it permits, or null.
 */
export async function checkCode(db: Kysely<Tables>, typed: Typed, at: Instant): Promise<Id<'sms_code'> | null> {
  const row = await takeTry(db, typed, at);
  const matches = await passwordMatches(typed.code, row?.code_hash.toString() ?? null);
  return matches && row !== undefined ? row.id : null;
}

/** The code that the digits are compared with, after this try was counted. */
async function takeTry(
  db: Kysely<Tables>,
  { purpose, phone, remoteAddress }: Typed,
  at: Instant,
): Promise<{ id: Id<'sms_code'>; code_hash: Buffer } | undefined> {
  const sent = await db
    .selectFrom('sms_codes')
    .select(['id', 'remote_address', 'expires_at', 'used_at', 'attempts', 'attempts_elsewhere'])
    .where('phone', '=', phone)
    .where('purpose', '=', purpose)
    .where('sent_at', '>', instant(at - codeValidMs))
    .orderBy('sent_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const network = networkOf(remoteAddress);
  const known = sent.map((row) => {
    const isOwn = networkOf(row.remote_address) === network;
    const counter = isOwn ? ('attempts' as const) : ('attempts_elsewhere' as const);
    return { ...row, isOwn, counter, max: isOwn ? codeAttemptsMax : codeAttemptsElsewhereMax };
  });
  // With the latest one used, those before it are void as well.
  if (known[0] === undefined || known[0].used_at !== null) return undefined;
  const tried = [known[0], known.find(({ isOwn }) => isOwn)].find(
    (row) => row !== undefined && row.used_at === null && row.expires_at > at && row[row.counter] < row.max,
  );
  if (tried === undefined) return undefined;
  const { id, counter, max } = tried;
  return db
    .updateTable('sms_codes')
    .set((eb) => ({ [counter]: eb(counter, '+', 1) }))
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where(counter, '<', max)
    .returning(['id', 'code_hash'])
    .executeTakeFirst();
}

/** Uses a code up. @returns false when another request was quicker. */
export async function useCode(trx: Trx, id: Id<'sms_code'>, at: Instant): Promise<boolean> {
  const used = await trx
    .updateTable('sms_codes')
    .set({ used_at: at })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}
