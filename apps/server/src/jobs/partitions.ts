import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';

/**
 * How long a change of partitions waits for a lock. Everyone else queues behind that wait, so it is short; the next run
 * tries again.
 */
const lockWaitMs = 100;
/** Rows of a default partition that move into a partition created for them. Beyond that they stay until they expire. */
const straysMovedMax = 200_000;

export type Parent = 'partner_exchanges' | 'readings' | 'charge_notes' | 'interaction_logs' | 'audit_entries';

/** What was done, and what is left to a later run, with the reason. */
export type PartitionWork = { done: number; left: { partition: string; because: string }[] };

/** Creates the missing days or weeks (from Monday, UTC) between two instants, each in its own transaction. */
export async function addPartitions(
  db: Kysely<Tables>,
  spans: readonly { parent: Parent; unit: 'day' | 'week'; from: Instant; to: Instant }[],
): Promise<PartitionWork> {
  const work: PartitionWork = { done: 0, left: [] };
  for (const { parent, unit, from, to } of spans) {
    const step = sql`${unit === 'week' ? '7 days' : '1 day'}::interval`;
    const { rows: missing } = await sql<{ partition: string; start: string }>`
      select partition, start from (
        select ${parent} || '_' || to_char(start_at, 'YYYYMMDD') as partition, to_char(start_at, 'YYYY-MM-DD') as start
          from generate_series(date_trunc(${unit}, ${utc(from)}), ${utc(to)} - interval '1 microsecond', ${step}) start_at
        ) wanted
       where not exists (select 1 from pg_inherits where inhrelid = to_regclass(partition))
       order by start`.execute(db);
    for (const { partition, start } of missing) {
      const added = await tryTo(db, async (trx) => {
        const { rows } = await sql<{ outcome: string }>`
          select add_partition(${parent}, ${step}, ${start}::timestamp, ${straysMovedMax}) as outcome`.execute(trx);
        return rows[0]?.outcome;
      });
      if (!added.ok) work.left.push({ partition, because: added.error });
      else if (added.value === 'too_many_strays') work.left.push({ partition, because: added.value });
      else if (added.value === 'made') work.done += 1;
    }
  }
  return work;
}

/**
 * Drops the partitions that end before an instant. PostgreSQL does not detach CONCURRENTLY beside a default partition;
 * detaching only changes the catalogue, and the table is dropped afterwards, when nobody uses it. A table that was
 * detached and not dropped is handled by the next run.
 */
export async function dropPartitions(
  db: Kysely<Tables>,
  olds: readonly {
    parent: Parent;
    before: Instant;
    /** What must be done before a partition goes; false where a later run has to continue. */
    prepare?: (partition: string) => Promise<boolean>;
  }[],
): Promise<PartitionWork> {
  const work: PartitionWork = { done: 0, left: [] };
  for (const { parent, before, prepare } of olds) {
    const { rows } = await sql<{ partition: string; attached: boolean }>`
      select c.relname as partition, c.relispartition as attached
        from pg_class c
       where c.relnamespace = (select relnamespace from pg_class where oid = ${parent}::regclass)
         and c.relkind = 'r' and c.relname ~ ${`^${parent}_\\d{8}$`}
         and to_date(right(c.relname, 8), 'YYYYMMDD') + 7 < ${utc(before)}::date
       order by c.relname`.execute(db);
    for (const { partition, attached } of rows) {
      if (attached && prepare !== undefined && !(await prepare(partition))) {
        work.left.push({ partition, because: 'not_prepared' });
        continue;
      }
      const detach = sql`alter table ${sql.table(parent)} detach partition ${sql.table(partition)}`;
      const detached = attached ? await tryTo(db, (trx) => detach.execute(trx)) : ok(null);
      const dropped = detached.ok
        ? await tryTo(db, (trx) => sql`drop table ${sql.table(partition)}`.execute(trx))
        : detached;
      if (dropped.ok) work.done += 1;
      else work.left.push({ partition, because: dropped.error });
    }
  }
  return work;
}

/** Logs what was done and, as a warning, what a later run has to try again. */
export function logPartitionWork({ log }: { log: Logger }, text: string, { done, left }: PartitionWork): void {
  if (left.length > 0) log.warn({ done, left }, `${text}; the rest is tried again within the hour`);
  else if (done > 0) log.info({ done }, text);
}

/** One change in a transaction of its own with a short lock timeout; returns the database's objection if it fails. */
async function tryTo<Answer>(
  db: Kysely<Tables>,
  change: (trx: Trx) => Promise<Answer>,
): Promise<Result<Answer, string>> {
  try {
    const answer = await db.transaction().execute(async (trx) => {
      await sql`select set_config('lock_timeout', ${`${lockWaitMs}ms`}, true)`.execute(trx);
      return change(trx);
    });
    return ok(answer);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return failed(error.message);
  }
}

function utc(at: Instant) {
  return sql`(to_timestamp(${at} / 1000.0) at time zone 'UTC')`;
}
