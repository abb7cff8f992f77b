import { weekdayOf } from '@voltdeck/units/day';
import type { Id, UserId } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, instant, shanghaiDate, shanghaiDayStart } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { isDatabaseAway, isOutOfTime } from '../database/is-database-away.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { mendDay } from './mend-sales.ts';
import type { SalePeriod } from './sale-period.ts';

/** Why days are compared with their orders. */
export type RebuildCause = 'first' | 'asked' | 'station_changed' | 'nightly';

/** How long one run works on a request; the next run goes on at the day that is next. */
const runMaxMs = 45_000;
/** A day of 27,000 orders took 0.8 s on two cores (docs/capacity.md). Sums are not kept meanwhile. */
const dayMaxMs = 120_000;
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

type World = { db: Kysely<Tables>; log: Logger; now(): Instant };

export type Rebuilt = { days: number; differing: number; isDone: boolean };

/**
 * Works on the oldest open request, a day a transaction, the newest first, until it is done or the time is up. Killed at
 * any point, the next run goes on with the day that was not committed. Null where nothing is open or another node has
 * the sums.
 */
export async function rebuildSales(world: World): Promise<Rebuilt | null> {
  const beganMs = performance.now();
  const done: Rebuilt = { days: 0, differing: 0, isDone: false };
  let worked = false;
  while (performance.now() - beganMs < runMaxMs) {
    const step = await rebuildDay(world);
    if (step === null) break;
    worked = true;
    done.days += 1;
    done.differing += step.differing;
    done.isDone = step.isDone;
    if (step.isDone) break;
  }
  return worked ? done : null;
}

async function rebuildDay({ db, log, now }: World): Promise<Step | null> {
  try {
    return await db.transaction().execute((trx) => rebuildNext(trx, now()));
  } catch (error) {
    if (!(error instanceof FailedDay)) throw error;
    const { next, cause } = error;
    if (isDatabaseAway(cause) && !isOutOfTime(cause)) throw cause;
    log.error({ err: cause, day: next.day }, 'statistics: comparing a day with its orders failed');
    return db.transaction().execute((trx) => leaveOut(trx, next, now()));
  }
}

type Step = { differing: number; isDone: boolean };

async function rebuildNext(trx: Trx, at: Instant): Promise<Step | null> {
  await sql`select set_config('statement_timeout', ${String(dayMaxMs)}, true)`.execute(trx);
  const next = await lockNext(trx, at);
  if (next === null) return null;
  try {
    const differing = await mendDay(trx, next.day);
    if (differing === null) return null;
    return { differing, isDone: await goOn(trx, next, { differing, failed: 0 }, at) };
  } catch (error) {
    throw new FailedDay(next, error);
  }
}

type Next = { id: number; day: string; because: RebuildCause };

/** Tells which day it was when its transaction is undone. */
class FailedDay extends Error {
  readonly next: Next;

  constructor(next: Next, cause: unknown) {
    super('comparing a day with its orders failed', { cause });
    this.next = next;
  }
}

async function lockNext(trx: Trx, at: Instant): Promise<Next | null> {
  const { rows } = await sql<Next>`
    select id, next_on::text as day, because from sale_rebuilds
     where done_at is null and asked_at <= greatest(now(), to_timestamp(${at} / 1000.0))
     order by because <> 'nightly', id limit 1
       for update skip locked`.execute(trx);
  return rows[0] ?? null;
}

/** Returns whether that was its last day. */
async function goOn(
  trx: Trx,
  { id }: Next,
  { differing, failed }: { differing: number; failed: number },
  at: Instant,
): Promise<boolean> {
  const { rows } = await sql<{ isDone: boolean }>`
    update sale_rebuilds
       set next_on = next_on - 1, days = days + 1, differing = differing + ${differing}, failed = failed + ${failed},
           done_at = case when next_on <= from_on then to_timestamp(${at} / 1000.0) end
     where id = ${id} returning done_at is not null as "isDone"`.execute(trx);
  return rows[0]?.isDone === true;
}

/** In the coming night in China. */
const nextNight = (at: Instant) => instant(shanghaiDayStart(at) + dayMs + hourMs);

/**
 * Leaves out a day that cannot be compared until the next night: later days and requests must not wait for it. Null where
 * another node has gone on with it meanwhile.
 */
async function leaveOut(trx: Trx, next: Next, at: Instant): Promise<Step | null> {
  const still = await sql`
    select 1 from sale_rebuilds where id = ${next.id} and next_on = ${next.day} and done_at is null for update`.execute(
    trx,
  );
  if (still.rows.length === 0) return null;
  const again = nextNight(at);
  // Readers tell by the cause which sums are not right yet. One whom a person waits for would refuse the next such request.
  const because = next.because === 'asked' ? 'nightly' : next.because;
  const waiting = await sql`
    select 1 from sale_rebuilds
     where done_at is null and asked_at > to_timestamp(${at} / 1000.0) and from_on = ${next.day} and to_on = from_on
       and because = ${because}`.execute(trx);
  if (waiting.rows.length === 0) {
    await askRebuild(trx, { fromOn: next.day, toOn: next.day, because, userId: null, at: again });
  }
  return { differing: 0, isDone: await goOn(trx, next, { differing: 0, failed: 1 }, at) };
}

/** Whether days of a period still wait to be compared for one of these causes. */
export async function awaitsRebuild(
  db: Kysely<Tables>,
  { from, until }: SalePeriod,
  causes: readonly RebuildCause[],
): Promise<boolean> {
  const [firstOn, lastOn] = [shanghaiDate(from), shanghaiDate(instant(Math.max(from, until - 1)))];
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select 1 from sale_rebuilds
                    where done_at is null and because = any(${causes}) and from_on <= ${lastOn} and next_on >= ${firstOn})
           as waits`.execute(db);
  return rows[0]?.waits === true;
}
