import { powerSampleMs } from '@voltdeck/contract/big-screen';
import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** How old the last reading of a charge may be for its power to count as drawn now. */
export const powerHeardMs = 10 * minuteMs;

/**
 * W that a charge of `orders` joined with `stations` draws at `at`: what it last told, while it is heard. A site whose
 * mains are cut tells nothing any more, and its orders stay open for hours. A reading has the time of the station's
 * clock, so its age is taken against how that clock was when the start was heard.
 */
export const powerDrawnW = (at: Instant): RawBuilder<number> => sql<number>`
  case when stations.online
        and orders.last_reading_at + coalesce(orders.begun_at - orders.started_at, interval '0')
            >= to_timestamp(${at - powerHeardMs} / 1000.0)
       then greatest(coalesce(orders.power_w, 0), 0) else 0 end`;

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
      from (select orders.agent_id, stations.equipment_type, 1 as charging, ${powerDrawnW(now)} as power_w
              from orders join stations on stations.id = orders.station_id
             where orders.state = 'charging'
             union all
            select null, kind, 0, 0 from unnest(array['two-wheel', 'four-wheel']) kind) looked
     group by agent_id, equipment_type
        on conflict do nothing`.execute(db);
}
