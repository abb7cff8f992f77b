import type { UserId } from '@voltdeck/units/id';
import { type Instant, shanghaiDayStart } from '@voltdeck/units/instant';
import { type Fen, fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';

/** The parameter for how much one user may put on balances in a day, in fen, and its default. */
export const rechargeDayLimit = { key: 'recharge_day_limit_fen', defaultFen: fen(20_000_000) } as const;

/** Whole fen of up to eleven digits. */
export function isRechargeDayLimit(text: string): boolean {
  return /^\d{1,11}$/.test(text);
}

export type DayLimit = { limitFen: Fen; leftFen: Fen };

/** The same with the user's recharges locked until the transaction ends, so that none beside this one exceeds it. */
export async function lockDayLimit(trx: Trx, userId: UserId, at: Instant): Promise<DayLimit> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`recharge-day:${userId}`}, 0))`.execute(trx);
  return readDayLimit(trx, userId, at);
}

/** What a user may still enter on this day of Shanghai: money and its gifts, those of promotions too. Reversed recharges do not count. */
export async function readDayLimit(db: Kysely<Tables>, userId: UserId, at: Instant): Promise<DayLimit> {
  const config = await db
    .selectFrom('configs')
    .select('value')
    .where('key', '=', rechargeDayLimit.key)
    .executeTakeFirst();
  const limitFen =
    config !== undefined && isRechargeDayLimit(config.value) ? fen(Number(config.value)) : rechargeDayLimit.defaultFen;
  const { enteredFen } = await db
    .selectFrom('recharges')
    .select(sql<number>`coalesce(sum(amount_fen + gift_fen), 0)::bigint`.as('enteredFen'))
    .where('user_id', '=', userId)
    .where('created_at', '>=', shanghaiDayStart(at))
    .where('channel', '=', 'back-office')
    .where('reversed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { limitFen, leftFen: fen(Math.max(0, limitFen - enteredFen)) };
}
