import { authorizationToPay } from '@voltdeck/charging/charge/decide-authorization';
import { type Authorization, type BillingType, closedSiteStates } from '@voltdeck/charging/states';
import type { Wallet } from '@voltdeck/ledger/account';
import { freeTariff, isFree } from '@voltdeck/tariffs/free-tariff';
import { withChoiceAtStation } from '@voltdeck/tariffs/rider-choice';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import type { AgentId, ConnectorId, SiteId, TariffId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Expression, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { paidBeforeBy } from '../orders/paid-before.ts';
import { tariffAt } from '../tariffs/tariff-at.ts';
import type { SessionConnector, StationSession } from './station-session.ts';

/** What a decision needs of the station, and of its place and the tariff for its cards in force at an instant. */
export type StationFacts = {
  siteId: SiteId;
  agentId: AgentId | null;
  /** Whether the station is enabled and its site was not closed. */
  isEnabled: boolean;
  /** When it last reported its start. */
  bootedAt: Instant | null;
  tariff: ChargeTariff | null;
  /** The tariff as a card with this amount per tap is charged by it. */
  tariffOf(tapAmountFen: Fen | null): ChargeTariff | null;
};

export type ChargeTariff = { id: TariffId | null; kind: BillingType; detail: unknown };

/** A start whose own time lies further back than this was reported late; station clocks differ by less. */
const reportedLateMs = 10 * minuteMs;

type Start = { startedAt: Instant; now: Instant };

/** The columns that `stationFrom` selects. */
export type StationRow = {
  station_site_id: SiteId;
  station_agent_id: AgentId | null;
  station_enabled: boolean;
  station_was_free: boolean;
  station_booted_at: Instant | null;
  tariff_in_force_id: TariffId | null;
  tariff_in_force_kind: BillingType | null;
  tariff_in_force: unknown;
};

const closed = closedSiteStates.map((state) => `'${state}'`).join(', ');

export const stationColumns = sql.raw(`w.site_id as station_site_id, w.agent_id as station_agent_id,
  s.enabled and not f.closed as station_enabled, f.free as station_was_free, s.booted_at as station_booted_at, t.id as tariff_in_force_id, t.kind as tariff_in_force_kind, t.detail as tariff_in_force`);

/**
 * The station with its tariff, for `stationColumns`. A charge is priced by the tariff in force when it began, however
 * late it is reported; before the first known tariff, by the first. It is free if the station was free at that time, and
 * belongs to the site and the agent that the station had then.
 */
export function stationFrom(when: Start): RawBuilder<unknown> {
  const { startedAt, now } = when;
  const given = asItWas(when, changedSince(when), tariffInForce(startedAt), sql.ref<TariffId>('s.card_tariff_id'));
  // The clock of a station may be ahead, and what has yet to take effect prices nothing.
  const tariffId = tariffAt(instant(Math.min(startedAt, now)), 'card', given);
  const free = asItWas(when, freeChangedSince(when), wasFreeAt(startedAt), sql.ref('s.free'));
  const placeAt = (column: 'site_id' | 'agent_id') =>
    asItWas(when, movedSince(when), placeThen(column, startedAt), sql.ref(`s.${column}`));
  return sql`stations s left join tariffs t on t.id = ${tariffId} cross join lateral (
    select ${placeAt('site_id')} as site_id, ${placeAt('agent_id')} as agent_id) w cross join lateral (
    select ${free} as free, ${wasClosed(when)} as closed) f`;
}

/**
 * What holds of a start: the present state, or the history where the start was reported late or something has changed
 * since. A start that is reported at once costs no look at the history.
 */
function asItWas<Value>(
  { startedAt, now }: Start,
  hasChanged: RawBuilder<boolean>,
  then: Expression<Value>,
  present: Expression<Value>,
): Expression<Value> {
  if (now - startedAt > reportedLateMs) return then;
  return startedAt < now ? sql`case when ${hasChanged} then ${then} else ${present} end` : present;
}

/** @throws Error without a row. */
export function stationFactsOf(row: StationRow | undefined): StationFacts {
  if (row === undefined) throw new Error('no such station');
  const { tariff_in_force_id: id, tariff_in_force_kind: kind, tariff_in_force: detail } = row;
  const tariffOf = (tapAmountFen: Fen | null) => {
    if (row.station_was_free) return freeOfCharge;
    return id === null
      ? null
      : { id, kind: kind ?? 'energy', detail: withChoiceAtStation(detail as Tariff, tapAmountFen) };
  };
  return {
    siteId: row.station_site_id,
    agentId: row.station_agent_id,
    isEnabled: row.station_enabled,
    bootedAt: row.station_booted_at,
    tariff: tariffOf(null),
    tariffOf,
  };
}

/** What a free station's charges are priced by. It needs no rule of its own. */
export const freeOfCharge: ChargeTariff = { id: null, kind: freeTariff.kind, detail: freeTariff };

export function isFreeOfCharge(tariff: ChargeTariff | null): boolean {
  return tariff !== null && isFree(tariff.detail as Tariff);
}

/** Whether a payer may begin a charge here now, given the money that the station's tariff asks for. */
export function authorizationHere(
  { tariff }: Pick<StationFacts, 'tariff'>,
  payer: { authorization: Authorization; wallet: Wallet | null; availableFen: Fen },
): Authorization {
  // Who shows no card may show one at the end.
  if (payer.wallet === null) return payer.authorization;
  return authorizationToPay(paidBeforeBy(tariff?.detail), payer);
}

/** The station as the holder of this card finds it. */
export function atTapOf(station: StationFacts, { tapAmountFen }: { tapAmountFen: Fen | null }): StationFacts {
  return tapAmountFen === null ? station : { ...station, tariff: station.tariffOf(tapAmountFen) };
}

export async function readStation(
  db: Kysely<Tables>,
  { stationId }: StationSession,
  when: Start,
): Promise<StationFacts> {
  const { rows } = await sql<StationRow>`
    select ${stationColumns} from ${stationFrom(when)} where s.id = ${stationId}`.execute(db);
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

function changedSince({ startedAt, now }: Start): RawBuilder<boolean> {
  return sql`exists (
    select from station_tariffs h
     where h.station_id = s.id and h.kind = 'card'
       and h.from_at > to_timestamp(${startedAt} / 1000.0) and h.from_at <= to_timestamp(${now} / 1000.0))`;
}

/** Of the latest place that the station had by then, otherwise of the first. */
function placeThen(column: 'site_id' | 'agent_id', at: Instant): RawBuilder<unknown> {
  return sql`(
    select ${sql.ref(`h.${column}`)} from station_places h
     where h.station_id = s.id
     order by h.from_at <= to_timestamp(${at} / 1000.0) desc, abs(extract(epoch from h.from_at) - ${at} / 1000.0)
     limit 1)`;
}

function movedSince({ startedAt, now }: Start): RawBuilder<boolean> {
  return sql`exists (
    select from station_places h
     where h.station_id = s.id
       and h.from_at > to_timestamp(${startedAt} / 1000.0) and h.from_at <= to_timestamp(${now} / 1000.0))`;
}

/** A station that was made free of charge as it was added was never anything else. */
function freeChangedSince({ startedAt, now }: Start): RawBuilder<boolean> {
  const isSince = (at: RawBuilder<unknown>) =>
    sql`${at} > to_timestamp(${startedAt} / 1000.0) and ${at} <= to_timestamp(${now} / 1000.0)`;
  return sql`exists (
    select from station_free_times n
     where n.station_id = s.id and s.created_at <= to_timestamp(${startedAt} / 1000.0)
       and (${isSince(sql.ref('n.from_at'))} or ${isSince(sql.ref('n.to_at'))}))`;
}

/** Not known of a site that was changed after the start: then the charge stands, as it ran. */
function wasClosed({ startedAt, now }: Start): RawBuilder<boolean> {
  const isKnown = startedAt < now ? sql`sites.changed_at <= to_timestamp(${startedAt} / 1000.0)` : sql`true`;
  return sql`exists (
    select from sites
     where sites.id = w.site_id and sites.state in (${sql.raw(closed)}) and ${isKnown})`;
}

function wasFreeAt(at: Instant): RawBuilder<boolean> {
  return sql`exists (
    select from station_free_times n
     where n.station_id = s.id and n.from_at <= to_timestamp(${at} / 1000.0)
       and (n.to_at is null or n.to_at > to_timestamp(${at} / 1000.0)))`;
}

/**
 * The station's gun port, which cannot be moved to another station before the transaction ends. The real device wins
 * over its registration: a charge on an unregistered port adds the port, marked as such.
 */
export async function connectorOf(
  trx: Transaction<Tables>,
  session: StationSession,
  number: number,
  lock: 'key share' | 'update' = 'key share',
): Promise<SessionConnector> {
  const known = session.connectors.get(number);
  if (known !== undefined) {
    const { rows } = await sql`
      select 1 from connectors where id = ${known.id} and station_id = ${session.stationId} and number = ${number}
         for ${sql.raw(lock)}`.execute(trx);
    if (rows.length > 0) return known;
  }
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
