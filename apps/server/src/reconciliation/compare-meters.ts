import { type Instant, instant, secondMs } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import { energyTolerance } from '../database/energy-tolerance.ts';
import { readParameter } from '../database/parameter.ts';
import type { Tables } from '../database/tables.generated.ts';
import { readingMarginMs } from '../orders/order-readings.ts';
import { type Comparison, type Day, instantSql } from './comparison.ts';

const secondsPerHour = 3_600;
/** Orders that have readings on a day were placed at most this long before it. */
const placedBeforeMs = 2 * 86_400 * secondMs;

/**
 * The orders that were settled on a day with their meters: the registers at start and stop, and the last reading before
 * the end, which may fall short of the bill by what the station can deliver in the time that is left. Energy that was
 * metered and not billed is the other side's alone.
 */
export async function compareMeters(db: Kysely<Tables>, { from, to }: Day): Promise<Comparison> {
  const toleranceWh = await readParameter(db, energyTolerance.wh);
  const toleranceE4 = await readParameter(db, energyTolerance.e4);
  const beginning = await readBeginning(db, { from, to });
  const read = sql`
      left join lateral (
        select r.energy_wh, r.at from readings r
         where r.order_id = o.id and r.at >= ${instantSql(instant(beginning - readingMarginMs))}
           and r.at < ${instantSql(to)} and r.energy_wh is not null and r.doubt is null
         order by r.at desc limit 1) last on true`;
  return {
    counterpart: 'meters',
    sides: sql`
    settled as materialized (
      select o.id, o.number, o.energy_wh, o.settled_at, o.ended_at, o.priced_by, s.max_power_w,
             o.meter_stop_wh - o.meter_start_wh as registered_wh, last.energy_wh - o.meter_start_wh as read_wh,
             last.energy_wh is not null as has_readings, last.at as read_at,
             greatest(${toleranceWh}::bigint, o.energy_wh * ${toleranceE4}::bigint / 10000) as tolerance_wh
        from orders o join stations s on s.id = o.station_id${read}
       where o.settled_at >= ${instantSql(from)} and o.settled_at < ${instantSql(to)} and o.state = 'completed'),
    unbilled as materialized (
      select o.id, o.number, o.state, coalesce(o.ended_at, o.placed_at) as at,
             coalesce(o.meter_stop_wh - o.meter_start_wh, last.energy_wh - coalesce(o.meter_start_wh, 0)) as metered_wh
        from (select id, number, state, ended_at, placed_at, meter_start_wh, meter_stop_wh from orders
               where state = 'settling' and ended_at >= ${instantSql(from)} and ended_at < ${instantSql(to)}
              union all
              select id, number, state, ended_at, placed_at, meter_start_wh, meter_stop_wh from orders
               where state = 'cancelled' and placed_at >= ${instantSql(from)} and placed_at < ${instantSql(to)}) o${read}),
    -- Each order that has readings once, found from one to the next in their key.
    ids as (
      (select order_id from readings
        where order_id >= coalesce((select min(id) from orders
                                     where placed_at >= ${instantSql(instant(from - placedBeforeMs))}), 0)
          and at >= ${instantSql(from)} and at < ${instantSql(to)} order by order_id limit 1)
      union all
      select (select r.order_id from readings r where r.order_id > ids.order_id
                 and r.at >= ${instantSql(from)} and r.at < ${instantSql(to)} order by r.order_id limit 1)
        from ids where ids.order_id is not null)`,
    found: sql`
      select 'order:' || id as key, case when has_readings then 'amount_differs' else 'ours_only' end as kind,
             'order' as subject, null::bigint as payment_id, null::bigint as refund_id, null::bigint as payout_id,
             id as order_id, null::bigint as bill_line_id, number, null::text as third_party_number,
             null::bigint as our_fen, null::bigint as their_fen, energy_wh as our_wh,
             case when abs(registered_wh - energy_wh) > tolerance_wh then registered_wh
                  when has_readings then read_wh end as their_wh,
             settled_at as our_at, read_at as their_at, null::date as other_day,
             case when has_readings then 'check_energy' else 'check_readings' end as repair, false as settles
        from settled
       where abs(registered_wh - energy_wh) > tolerance_wh
          or (not has_readings and energy_wh > 0)
          -- Energy that a person determined has its reason already.
          or (priced_by is distinct from 'hand'
              and (read_wh - energy_wh > tolerance_wh
                   or energy_wh - read_wh > tolerance_wh
                        + max_power_w * extract(epoch from greatest(ended_at - read_at, interval '0')) / ${secondsPerHour}))
      union all
      select 'order:' || id, 'theirs_only', 'readings', null, null, null, id, null, number, null, null, null, null,
             metered_wh, at, null, null, case state when 'settling' then 'settle_order' else 'check_energy' end, false
        from unbilled where metered_wh > ${toleranceWh}
      union all
      select 'readings:' || order_id, 'theirs_only', 'readings', null, null, null, null, null, order_id::text, null, null,
             null, null, null, null, null, null, 'check_readings', false
        from ids where order_id is not null and not exists (select 1 from orders o where o.id = ids.order_id)`,
    sums: sql`
      select count(*)::int as our_count, 0::bigint as our_fen, coalesce(sum(energy_wh), 0)::bigint as our_wh,
             count(*) filter (where has_readings)::int as their_count, 0::bigint as their_fen,
             coalesce(sum(registered_wh), 0)::bigint as their_wh, 0::bigint as fee_fen,
             (count(*) - (select count(*) from found where subject = 'order'))::int as matched_count
        from settled`,
  };
}

/** When the first charge began of those that were settled on a day: it limits the partitions that are read. */
async function readBeginning(db: Kysely<Tables>, { from, to }: Pick<Day, 'from' | 'to'>): Promise<Instant> {
  const { rows } = await sql<{ at: Instant | null }>`
    select min(coalesce(started_at, placed_at)) as at from orders
     where settled_at >= ${instantSql(from)} and settled_at < ${instantSql(to)}`.execute(db);
  return instant(Math.min(rows[0]?.at ?? from, from));
}
