import type { ApiError } from '@voltdeck/contract/errors';
import type { UserId } from '@voltdeck/units/id';
import { type Instant, shanghaiDayStart } from '@voltdeck/units/instant';
import { type Fen, fen, formatYuan } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import { readParameter, wholeNumber } from '../database/parameter.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';

/** The parameter for how much one user may put on balances in a day, in fen. */
export const rechargeDayLimit = wholeNumber({
  key: 'recharge_day_limit_fen',
  defaultValue: fen(20_000_000),
  max: 99_999_999_999,
});

export type DayLimit = { limitFen: Fen; leftFen: Fen };

/** Refuses what a user may not enter any more on this day; their entries stay locked until the transaction ends. */
export async function refusalOfDayLimit(
  trx: Trx,
  userId: UserId,
  amountFen: Fen,
  at: Instant,
): Promise<ApiError | null> {
  const { limitFen, leftFen } = await lockDayLimit(trx, userId, at);
  if (amountFen <= leftFen) return null;
  return { code: 'recharge.day_limit', params: { limit: formatYuan(limitFen), left: formatYuan(leftFen) } };
}

/** The same with the user's recharges locked until the transaction ends, so that none beside this one exceeds it. */
export async function lockDayLimit(trx: Trx, userId: UserId, at: Instant): Promise<DayLimit> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`recharge-day:${userId}`}, 0))`.execute(trx);
  return readDayLimit(trx, userId, at);
}

/**
 * What a user may still enter on this day of Shanghai: money and its gifts, those of promotions too, gifts by hand and
 * prepaid money of agents. What was reversed does not count.
 */
export async function readDayLimit(db: Kysely<Tables>, userId: UserId, at: Instant): Promise<DayLimit> {
  const limitFen = await readParameter(db, rechargeDayLimit);
  const from = sql`to_timestamp(${shanghaiDayStart(at)} / 1000.0)`;
  const { rows } = await sql<{ enteredFen: number }>`
    select ((select coalesce(sum(amount_fen + gift_fen), 0) from recharges
              where user_id = ${userId} and created_at >= ${from} and channel = 'back-office' and reversed_at is null)
          + (select coalesce(sum(amount_fen), 0) from wallet_gifts
              where user_id = ${userId} and created_at >= ${from} and kind = 'given' and reversed_at is null)
          + (select coalesce(sum(amount_fen), 0) from agent_recharges
              where user_id = ${userId} and created_at >= ${from} and reversed_at is null))::bigint as "enteredFen"`.execute(
    db,
  );
  return { limitFen, leftFen: fen(Math.max(0, limitFen - (rows[0]?.enteredFen ?? 0))) };
}
