import { randomInt } from 'node:crypto';
import type { ApiError } from '@voltdeck/contract/errors';
import { smsCodeDigits } from '@voltdeck/contract/registration';
import type { Id } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { type Trx, transact } from '../database/transact.ts';
import { hashPassword, passwordMatches } from './password.ts';

export const codeValidMs = 5 * minuteMs;
export const codeAttemptsMax = 5;
export const codeEveryMs = minuteMs;
export const codesPerPhoneMax = 10;
export const codesPerAddressMax = 30;
const limitsPeriodMs = dayMs;
const addressLock = 0x736d7361;
const phoneLock = 0x736d7370;

/**
 * Makes the code of a phone and keeps its hash, within the limits: one a minute and ten a day for a phone, thirty a day
 * for an address, counted over all nodes. Whether the phone is registered plays no part.
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
    // Two requests at the same moment are counted one after the other, always in this order.
    await lock(trx, addressLock, remoteAddress);
    await lock(trx, phoneLock, phone);
    const since = instant(at - limitsPeriodMs);
    const [ofPhone, ofAddress] = [
      await sent(trx, 'phone', phone, since),
      await sent(trx, 'remote_address', remoteAddress, since),
    ];
    const last = ofPhone[0];
    if (last !== undefined && at - last < codeEveryMs) {
      return failed({ code: 'sms.too_soon', params: { seconds: Math.ceil((last + codeEveryMs - at) / secondMs) } });
    }
    const freeAt = Math.max(whenFree(ofPhone, codesPerPhoneMax), whenFree(ofAddress, codesPerAddressMax));
    if (freeAt > at) {
      const params = { seconds: Math.ceil((freeAt - at) / secondMs), hours: Math.ceil((freeAt - at) / hourMs) };
      return failed({ code: 'sms.too_many', params });
    }
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

/** When the oldest of the last `max` is a day old; 0 while there are fewer. */
function whenFree(sentAt: readonly Instant[], max: number): number {
  const oldest = sentAt[max - 1];
  return oldest === undefined ? 0 : oldest + limitsPeriodMs;
}

/** When codes were sent, the latest first. */
async function sent(trx: Trx, column: 'phone' | 'remote_address', value: string, since: Instant): Promise<Instant[]> {
  const rows = await trx
    .selectFrom('sms_codes')
    .select('sent_at')
    .where(column, '=', value)
    .where('sent_at', '>', since)
    .orderBy('sent_at', 'desc')
    .limit(Math.max(codesPerPhoneMax, codesPerAddressMax))
    .execute();
  return rows.map(({ sent_at }) => sent_at);
}

async function lock(trx: Trx, kind: number, value: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${kind}::integer, hashtext(${value}))`.execute(trx);
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
