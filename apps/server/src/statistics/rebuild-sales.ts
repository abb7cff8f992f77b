import { weekdayOf } from '@voltdeck/units/day';
import type { Id, UserId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant, shanghaiDate } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { mendDay } from './mend-sales.ts';

/** Why days are compared with their orders. */
export type RebuildCause = 'first' | 'asked' | 'station_changed' | 'nightly';

/** How long one run works on a request; the next run goes on at the day that is next. */
const runMaxMs = 45_000;
/** A night compares yesterday and the day before; the night to Monday as many days as may still be refunded often. */
const nightDays = 2;
const weekDays = 35;

/** Asks for the sums of days (in China, both included) to be compared with their orders and mended; returns its id. */
export async function askRebuild(
  trx: Trx | Kysely<Tables>,
  asked: { fromOn: string; toOn: string; because: RebuildCause; userId: UserId | null; at: Instant },
): Promise<Id<'sale_rebuild'>> {
  const { fromOn, toOn, because, userId, at } = asked;
  const { rows } = await sql<{ id: Id<'sale_rebuild'> }>`
    insert into sale_rebuilds (from_on, to_on, next_on, because, user_id, asked_at)
    values (${fromOn}::date, ${toOn}::date, ${toOn}::date, ${because}, ${userId}, to_timestamp(${at} / 1000.0))
    returning id`.execute(trx);
  return (rows[0] as { id: Id<'sale_rebuild'> }).id;
}

/** The comparison of a night. */
export async function askNightlyProof(db: Kysely<Tables>, at: Instant): Promise<void> {
  const yesterday = instant(at - dayMs);
  const isMonday = weekdayOf(shanghaiDate(at)) === 1;
  const days = isMonday ? weekDays : nightDays;
  const fromOn = shanghaiDate(instant(yesterday - (days - 1) * dayMs));
  await askRebuild(db, { fromOn, toOn: shanghaiDate(yesterday), because: 'nightly', userId: null, at });
}

export type Rebuilt = { days: number; differing: number; isDone: boolean };

/**
 * Works on the oldest open request, a day a transaction, the newest first, until it is done or the time is up. Killed at
 * any point, the next run goes on with the day that was not committed. Null where nothing is open or another node has
 * the sums.
 */
export async function rebuildSales(db: Kysely<Tables>, now: () => Instant): Promise<Rebuilt | null> {
  const beganMs = performance.now();
  const done: Rebuilt = { days: 0, differing: 0, isDone: false };
  let worked = false;
  while (performance.now() - beganMs < runMaxMs) {
    const step = await db.transaction().execute((trx) => rebuildNext(trx, now()));
    if (step === null) break;
    worked = true;
    done.days += 1;
    done.differing += step.differing;
    done.isDone = step.isDone;
    if (step.isDone) break;
  }
  return worked ? done : null;
}

async function rebuildNext(trx: Trx, at: Instant): Promise<{ differing: number; isDone: boolean } | null> {
  const { rows } = await sql<{ id: number; next: string }>`
    select id, next_on::text as next from sale_rebuilds where done_at is null order by id limit 1
       for update skip locked`.execute(trx);
  const [request] = rows;
  if (request === undefined) return null;
  const differing = await mendDay(trx, request.next);
  if (differing === null) return null;
  const { rows: moved } = await sql<{ isDone: boolean }>`
    update sale_rebuilds
       set next_on = next_on - 1, days = days + 1, differing = differing + ${differing},
           done_at = case when next_on <= from_on then to_timestamp(${at} / 1000.0) end
     where id = ${request.id} returning done_at is not null as "isDone"`.execute(trx);
  return { differing, isDone: moved[0]?.isDone === true };
}
