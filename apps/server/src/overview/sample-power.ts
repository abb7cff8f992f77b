import { powerSampleMs } from '@voltdeck/contract/big-screen';
import { type Instant, instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** The last of the instants at which power is kept. */
export const sampleInstant = (at: Instant): Instant => instant(at - (at % powerSampleMs));

/**
 * Writes down how much power the charges of each agent draw. Another run within the same five minutes changes nothing.
 * The platform's own are written even when nothing charges: their absence means that nobody looked.
 */
export async function samplePower(db: Kysely<Tables>, now: Instant): Promise<void> {
  await sql`
    insert into power_samples (at, agent_id, equipment_type, charging, power_w)
    select to_timestamp(${sampleInstant(now)} / 1000.0), agent_id, equipment_type, sum(charging), sum(power_w)
      from (select orders.agent_id, stations.equipment_type, 1 as charging, greatest(coalesce(orders.power_w, 0), 0) as power_w
              from orders join stations on stations.id = orders.station_id
             where orders.state = 'charging'
             union all
            select null, kind, 0, 0 from unnest(array['two-wheel', 'four-wheel']) kind) looked
     group by agent_id, equipment_type
        on conflict do nothing`.execute(db);
}
