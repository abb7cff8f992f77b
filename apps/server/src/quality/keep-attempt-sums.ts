import { type Kysely, sql } from 'kysely';
import { type BatchLimits, inBatches, type Worked } from '../database/in-batches.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';

/** Orders whose attempts are in a batch wait for it, so batches are short. */
const limits: BatchLimits = { rowsAtOnce: 2_000, rowsAtOnceMin: 50, batchesMax: 500 };

/** What a row of `start_sums` is about, and its figures. */
export const startKeys = [
  'site_id',
  'agent_id',
  'equipment_type',
  'start_mode',
  'make',
  'model',
  'firmware',
  'step',
  'drop_out',
] as const;
export const startFigures = ['attempts', 'visits', 'first_times', 'charges', 'energy_wh', 'occupied_ms'] as const;

/** The figures of attempts with a sign, `f`, in the order of `startFigures`. */
export const figuresOfFlows = sql.raw(`
  sum(sign * times)::bigint as attempts, sum(sign * (visit_id = id)::integer)::bigint as visits,
  sum(sign * (visit_id = id and succeeded)::integer)::bigint as first_times,
  sum(sign * (energy_wh > 0)::integer)::bigint as charges, sum(sign * energy_wh)::bigint as energy_wh,
  sum(sign * occupied_ms)::bigint as occupied_ms`);

const keys = sql.raw(startKeys.join(', '));
const figures = sql.raw(startFigures.join(', '));
const added = sql.raw(startFigures.map((figure) => `${figure} = kept.${figure} + excluded.${figure}`).join(', '));
const grains = sql.raw(`(values ('day', day), ('month', date_trunc('month', day)::date)) g (grain, from_on)`);

/**
 * Adds attempts that are over, and changes of quality, to their sums by day and month. What is left is added by whoever
 * reads, and by the next runs. One node at a time does it.
 */
export function keepAttemptSums(db: Kysely<Tables>, fewer: Partial<BatchLimits> = {}): Promise<Worked> {
  return inBatches({ ...limits, ...fewer }, (rowsMax) =>
    db.transaction().execute(async (trx) => {
      // Two would wait for each other's rows of a day.
      const { rows: locked } = await sql<{ is_ours: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended('sums of attempts', 0)) as is_ours`.execute(trx);
      if (locked[0]?.is_ours !== true) return null;
      return (await keepAttempts(trx, rowsMax)) + (await keepChanges(trx, rowsMax));
    }),
  );
}

/** An attempt that is being changed is left for the next run. */
async function keepAttempts(trx: Trx, rowsMax: number): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    with over as (
      select a.* from start_attempt_tail t join start_attempts a on a.id = t.attempt_id
       where a.drop_out is not null or a.step = 'ended_clean'
       order by t.attempt_id limit ${rowsMax} for update of a skip locked
    ), gone as (
      delete from start_attempt_tail where attempt_id in (select id from over)
    ), undone as (
      delete from start_attempt_reversals
       where id in (select id from start_attempt_reversals order by id limit ${rowsMax}) returning attempt
    ), flows as (
      select 1 as sign, over.* from over
      union all
      select -1, a.* from undone cross join lateral jsonb_populate_record(null::start_attempts, attempt) a
    ), dated as (
      select quality_day(at) as day, f.* from flows f
    ), summed as (
      insert into start_sums as kept (grain, from_on, ${keys}, ${figures})
      select grain, from_on, ${keys}, ${figuresOfFlows} from dated f cross join lateral ${grains}
       group by grain, from_on, ${keys}
      on conflict on constraint start_sums_one do update set ${added}
    ), timed as (
      insert into quality_sums as kept (grain, from_on, site_id, agent_id, equipment_type, measure, bucket, events)
      select grain, from_on, site_id, agent_id, equipment_type, measure, quality_bucket(ms), sum(sign)
        from dated f
        cross join lateral (values ('answer', answered_ms::bigint), ('bill', billed_ms)) m (measure, ms)
        cross join lateral ${grains}
       where ms is not null
       group by grain, from_on, site_id, agent_id, equipment_type, measure, quality_bucket(ms)
      on conflict on constraint quality_sums_one do update set events = kept.events + excluded.events
    )
    select count(*)::int as rows from flows`.execute(trx);
  return rows[0]?.rows ?? 0;
}

async function keepChanges(trx: Trx, rowsMax: number): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    with taken as (
      delete from quality_changes where id in (select id from quality_changes order by id limit ${rowsMax} for update skip locked)
      returning *
    ), summed as (
      insert into quality_sums as kept (grain, from_on, site_id, agent_id, equipment_type, measure, bucket, events)
      select grain, from_on, site_id, agent_id, equipment_type, measure, bucket, sum(events)
        from taken cross join lateral ${grains}
       group by grain, from_on, site_id, agent_id, equipment_type, measure, bucket
      on conflict on constraint quality_sums_one do update set events = kept.events + excluded.events
    )
    select count(*)::int as rows from taken`.execute(trx);
  return rows[0]?.rows ?? 0;
}
