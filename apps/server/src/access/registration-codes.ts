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
import { hashPassword, passwordMatches } from './password.ts';

export const codeValidMs = 5 * minuteMs;
export const codeAttemptsMax = 5;
export const codeEveryMs = minuteMs;
export const codesPerPhoneMax = 10;
export const codesPerNetworkMax = 30;
/** Of the whole installation, whoever asks: a message costs its operator money. People register by the dozen a day. */
export const codesPerHourMax = 200;
export const codesPerDayMax = 1_000;
const codesLock = 0x736d73;

/**
 * Makes the code of a phone and keeps its hash, within the limits: one a minute and ten a day for a phone, thirty a day
 * for a network, 200 an hour and 1,000 a day for the installation, counted over all nodes. Whether the phone is
 * registered plays no part.
 * @returns the digits, for the message alone.
 */
export async function makeCode(
  db: Kysely<Tables>,
  { phone, remoteAddress }: { phone: string; remoteAddress: string },
  at: Instant,
): Promise<Result<string, ApiError>> {
  const code = String(randomInt(10 ** smsCodeDigits)).padStart(smsCodeDigits, '0');
  // As slow as a password's: the digits alone would be read out of a copy of the database at once.
  const codeHash = Buffer.from(await hashPassword(code));
  return transact(db, async (trx) => {
    // Requests at the same moment are counted one after the other.
    await sql`select pg_advisory_xact_lock(${codesLock}::integer, 0)`.execute(trx);
    const sent = await sentOfLastDay(trx, at);
    const network = networkOf(remoteAddress);
    const ofPhone = sent.filter((one) => one.phone === phone);
    const ofNetwork = sent.filter((one) => networkOf(one.remote_address) === network);
    const last = ofPhone[0]?.sent_at;
    if (last !== undefined && at - last < codeEveryMs) {
      return failed({ code: 'sms.too_soon', params: { seconds: Math.ceil((last + codeEveryMs - at) / secondMs) } });
    }
    const callersFreeAt = Math.max(
      whenFree(ofPhone, { max: codesPerPhoneMax, periodMs: dayMs }),
      whenFree(ofNetwork, { max: codesPerNetworkMax, periodMs: dayMs }),
    );
    if (callersFreeAt > at) return failed({ code: 'sms.too_many', params: waitUntil(callersFreeAt, at) });
    const freeAt = Math.max(
      whenFree(sent, { max: codesPerHourMax, periodMs: hourMs }),
      whenFree(sent, { max: codesPerDayMax, periodMs: dayMs }),
    );
    if (freeAt > at) return failed({ code: 'sms.used_up', params: waitUntil(freeAt, at) });
    await trx
      .insertInto('sms_codes')
      .values({
        phone,
        purpose: 'register',
        code_hash: codeHash,
        remote_address: remoteAddress,
        sent_at: at,
        expires_at: instant(at + codeValidMs),
      })
      .execute();
    return ok(code);
  });
}

type Sent = { phone: string; remote_address: string; sent_at: Instant };

/** When the oldest of the last `max` is as old as the period; 0 while there are fewer. */
function whenFree(sent: readonly Sent[], { max, periodMs }: { max: number; periodMs: number }): number {
  const oldest = sent[max - 1];
  return oldest === undefined ? 0 : oldest.sent_at + periodMs;
}

function waitUntil(freeAt: number, at: Instant): { seconds: number; hours: number } {
  return { seconds: Math.ceil((freeAt - at) / secondMs), hours: Math.ceil((freeAt - at) / hourMs) };
}

/** The codes of the installation within a day, the latest first: the limit of a day is that of the rows, too. */
function sentOfLastDay(trx: Trx, at: Instant): Promise<Sent[]> {
  return trx
    .selectFrom('sms_codes')
    .select(['phone', 'remote_address', 'sent_at'])
    .where('sent_at', '>', instant(at - dayMs))
    .orderBy('sent_at', 'desc')
    .limit(codesPerDayMax)
    .execute();
}

/**
 * Compares what was typed with the latest code of the phone; each comparison counts, right or wrong, and only that many
 * are made. Takes as long where there is none.
 * @returns the code's row, to be used up together with what it is good for, or null.
 */
export async function checkCode(
  db: Kysely<Tables>,
  { phone, code }: { phone: string; code: string },
  at: Instant,
): Promise<Id<'sms_code'> | null> {
  const { rows } = await sql<{ id: Id<'sms_code'>; code_hash: Buffer }>`
    update sms_codes set attempts = attempts + 1
    where id = (select id from sms_codes where phone = ${phone} and purpose = 'register' order by sent_at desc, id desc limit 1)
      and used_at is null and attempts < ${codeAttemptsMax}::integer and expires_at > to_timestamp(${at} / 1000.0)
    returning id, code_hash`.execute(db);
  const row = rows[0];
  const matches = await passwordMatches(code, row?.code_hash.toString() ?? null);
  return matches && row !== undefined ? row.id : null;
}

/** Uses a code up. @returns false when somebody else was quicker. */
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
