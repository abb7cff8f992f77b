import { powerSampleMs, powerShownMs } from '@voltdeck/contract/big-screen';
import type { Instant } from '@voltdeck/units/instant';
import type pg from 'pg';

/** The power of the day before `now` as if somebody had looked: each charge of the history at its mean. */
export async function writePower(client: pg.ClientBase, now: Instant): Promise<void> {
  const last = now - (now % powerSampleMs);
  await client.query(
    `insert into power_samples (at, agent_id, equipment_type, charging, power_w)
     select at, agent_id, equipment_type, sum(charging), sum(power_w)
       from (select moments.at, o.agent_id, stations.equipment_type, 1 as charging,
                    round(o.energy_wh * 3600 / greatest(extract(epoch from o.ended_at - o.started_at), 1)) as power_w
               from generate_series(to_timestamp($1 / 1000.0), to_timestamp($2 / 1000.0), $3 * interval '1 millisecond') moments (at)
               join orders o on o.started_at <= moments.at and o.ended_at > moments.at
               join stations on stations.id = o.station_id
              where o.ended_at > to_timestamp($1 / 1000.0) and o.state = 'completed'
              union all
             select at, null, kind, 0, 0
               from generate_series(to_timestamp($1 / 1000.0), to_timestamp($2 / 1000.0), $3 * interval '1 millisecond') moments (at)
              cross join unnest(array['two-wheel', 'four-wheel']) kind) looked
      group by at, agent_id, equipment_type
         on conflict do nothing`,
    [last - powerShownMs, last, powerSampleMs],
  );
}
