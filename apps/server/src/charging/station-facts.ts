import type { BillingType } from '@voltdeck/charging/states';
import type { AgentId, ConnectorId, SiteId, TariffId } from '@voltdeck/units/id';
import { type Instant, minuteMs } from '@voltdeck/units/instant';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { SessionConnector, StationSession } from './station-session.ts';

/** What a decision needs of the station, and of the tariff for its cards in force at an instant. */
export type StationFacts = {
  siteId: SiteId;
  agentId: AgentId | null;
  isEnabled: boolean;
  /** When it last reported its start. */
  bootedAt: Instant | null;
  tariff: ChargeTariff | null;
};

export type ChargeTariff = { id: TariffId | null; kind: BillingType; detail: unknown };

/** A start whose own time lies further back than this was reported late; station clocks differ by less. */
const reportedLateMs = 10 * minuteMs;

/** The columns that `stationFrom` selects. */
export type StationRow = {
  station_site_id: SiteId;
  station_agent_id: AgentId | null;
  station_enabled: boolean;
  station_booted_at: Instant | null;
  tariff_in_force_id: TariffId | null;
  tariff_in_force_kind: BillingType | null;
  tariff_in_force: unknown;
};

export const stationColumns = sql.raw(`s.site_id as station_site_id, s.agent_id as station_agent_id,
  s.enabled as station_enabled, s.booted_at as station_booted_at, t.id as tariff_in_force_id, t.kind as tariff_in_force_kind, t.detail as tariff_in_force`);

/**
 * The station with its tariff, for `stationColumns`. A charge is priced by the tariff in force when it began, however
 * late it is reported; before the first known tariff, by the first.
 */
export function stationFrom({ startedAt, now }: { startedAt: Instant; now: Instant }): RawBuilder<unknown> {
  const isLate = now - startedAt > reportedLateMs;
  const tariffId = isLate ? tariffInForce(startedAt) : sql.ref('s.card_tariff_id');
  return sql`stations s left join tariffs t on t.id = ${tariffId}`;
}

/** @throws Error without a row. */
export function stationFactsOf(row: StationRow | undefined): StationFacts {
  if (row === undefined) throw new Error('no such station');
  const { tariff_in_force_id: id, tariff_in_force_kind: kind, tariff_in_force: detail } = row;
  return {
    siteId: row.station_site_id,
    agentId: row.station_agent_id,
    isEnabled: row.station_enabled,
    bootedAt: row.station_booted_at,
    tariff: id === null ? null : { id, kind: kind ?? 'energy', detail },
  };
}

export async function readStation(
  trx: Transaction<Tables>,
  { stationId }: StationSession,
  when: { startedAt: Instant; now: Instant },
): Promise<StationFacts> {
  const { rows } = await sql<StationRow>`
    select ${stationColumns} from ${stationFrom(when)} where s.id = ${stationId}`.execute(trx);
  return stationFactsOf(rows[0]);
}

/** The latest of the station's card tariffs set by then, otherwise the first ever set. */
function tariffInForce(at: Instant): RawBuilder<TariffId | null> {
  return sql`(
    select h.tariff_id from station_tariffs h
     where h.station_id = s.id and h.kind = 'card'
       and (h.from_at <= to_timestamp(${at} / 1000.0) or h.tariff_id is not null)
     order by h.from_at <= to_timestamp(${at} / 1000.0) desc, abs(extract(epoch from h.from_at) - ${at} / 1000.0)
     limit 1)`;
}

/** The real device wins over its registration: a charge on an unregistered port adds the port, marked as such. */
export async function connectorOf(
  trx: Transaction<Tables>,
  session: StationSession,
  number: number,
): Promise<SessionConnector> {
  const known = session.connectors.get(number);
  if (known !== undefined) return known;
  const row = await trx
    .insertInto('connectors')
    .values({ station_id: session.stationId, number, name: String(number), registered: false })
    .onConflict((conflict) => conflict.columns(['station_id', 'number']).doUpdateSet({ number }))
    .returning(['id', 'registered'])
    .executeTakeFirstOrThrow();
  const added: SessionConnector = { id: row.id as ConnectorId, number, state: 'offline', isRegistered: row.registered };
  session.connectors.set(number, added);
  return added;
}
