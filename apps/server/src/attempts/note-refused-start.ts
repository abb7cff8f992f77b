import type { StartDropOut } from '@voltdeck/charging/start-attempt';
import type { StartMode } from '@voltdeck/charging/states';
import type { CardId, ConnectorId, CustomerId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** Refusals of one station and minute that have a row each. Further ones raise the count of a row with their reason. */
export const refusalRowsPerMinute = 10;

export type RefusedStart = {
  at: Instant;
  stationId: StationId;
  connector?: { id: ConnectorId; number: number } | null;
  startMode: Exclude<StartMode, 'test'>;
  customerId?: CustomerId | null;
  cardId?: CardId | null;
  /** As it was shown. */
  cardNumber?: string | null;
  vin?: string | null;
  dropOut: StartDropOut;
};

/** Writes an attempt that was refused before it had an order; those with one follow it (0113_start_attempts.sql). */
export async function noteRefusedStart(db: Kysely<Tables>, refused: RefusedStart): Promise<void> {
  const { at, stationId, connector = null, startMode, dropOut } = refused;
  const { customerId = null, cardId = null, cardNumber = null, vin = null } = refused;
  const atTime = sql`to_timestamp(${at} / 1000.0)`;
  const person = sql`person_key(${customerId}::bigint, ${cardId}::bigint, ${cardNumber}::text)`;
  await sql`
    with recent as (
      select id, drop_out from start_attempts
       where station_id = ${stationId} and at > ${atTime} - interval '1 minute' and at <= ${atTime}
         and order_id is null and step = 'asked'
       order by at desc, id desc limit ${3 * refusalRowsPerMinute}
    ), alike as (
      select id from recent where drop_out = ${dropOut} and (select count(*) from recent) >= ${refusalRowsPerMinute} limit 1
    ), counted as (
      update start_attempts set times = times + 1 where id = (select id from alike) returning id
    ), made as (
      insert into start_attempts (id, at, visit_id, person, customer_id, card_id, card_number, vin, site_id, station_id,
                                  connector_id, connector_number, agent_id, equipment_type, start_mode, make, model,
                                  firmware, step, drop_out)
      select next.id, ${atTime}, coalesce(visit_of(${person}, s.site_id, ${atTime}), next.id), ${person}, ${customerId},
             ${cardId}, ${cardNumber}, ${vin}, s.site_id, s.id, ${connector?.id ?? null}, ${connector?.number ?? null},
             s.agent_id, s.equipment_type, ${startMode}, coalesce(nullif(s.vendor, ''), s.manufacturer, ''),
             coalesce(nullif(s.model, ''), s.equipment_model, ''), coalesce(s.firmware_version, ''), 'asked', ${dropOut}
        from stations s
        cross join lateral (select nextval(pg_get_serial_sequence('start_attempts', 'id')) as id where s.id > 0) next
       where s.id = ${stationId} and not exists (select from alike)
      returning id
    )
    insert into start_attempt_tail select id from made`.execute(db);
}
