import type { CommandOutcome } from '@voltdeck/charging/station-command';
import type { EnergyTariff } from '@voltdeck/tariffs/tariff';
import type { AgentId, StationId, TariffId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { ownTariffId, stationTariffOf, tariffVersionOf } from './station-tariff.ts';

export type OwnTariff = { id: TariffId; detail: EnergyTariff };

/** The tariff a station should run; null where none is suitable. */
export async function findOwnTariff(db: Kysely<Tables>, stationId: StationId): Promise<OwnTariff | null> {
  const row = await db
    .selectFrom('stations')
    .innerJoin('tariffs', (join) => join.on(sql<boolean>`tariffs.id = ${ownTariffId}`))
    .select(['tariffs.id', 'tariffs.detail'])
    .where('stations.id', '=', stationId)
    .executeTakeFirst();
  return row === undefined ? null : { id: row.id, detail: row.detail as EnergyTariff };
}

/**
 * Sends a station the tariff it should run, and stores the outcome.
 * @returns null when none is suitable.
 */
export async function sendTariff(
  context: Context,
  station: { id: StationId; number: string; agentId: AgentId | null },
): Promise<CommandOutcome | null> {
  const { db } = context.database;
  const own = await findOwnTariff(db, station.id);
  if (own === null) return null;
  const askedAt = context.now();
  const tariff = stationTariffOf(own.id, own.detail);
  // Without an outcome it is on its way.
  await db
    .updateTable('stations')
    .set({ tariff_asked_at: askedAt, tariff_outcome: null, tariff_answer: null })
    .where('id', '=', station.id)
    .execute();
  const outcome = await context.bus.commandStation(station.number, { kind: 'set-tariff', tariff });
  await noteOutcome(db, { stationId: station.id, tariffId: own.id, askedAt }, outcome, context.now());
  publishTariff(context, { stationId: station.id, agentId: station.agentId }, outcome.kind !== 'offline');
  return outcome;
}

type Question = { stationId: StationId; tariffId: TariffId; askedAt: Instant };

/**
 * Stores what a station answered. Where it was given another tariff in the meantime the answer says nothing about that
 * one, which the station is then asked to take at once.
 */
async function noteOutcome(
  db: Kysely<Tables>,
  { stationId, tariffId, askedAt }: Question,
  outcome: CommandOutcome,
  at: Instant,
): Promise<void> {
  const running = outcome.kind === 'accepted' ? runs(tariffId, at) : {};
  const asked = {
    tariff_asked_at: askedAt,
    tariff_outcome: outcome.kind,
    tariff_answer: outcome.kind === 'rejected' ? (outcome.reason ?? null) : null,
  };
  const { numUpdatedRows } = await db
    .updateTable('stations')
    .set({ ...asked, ...running })
    .where('id', '=', stationId)
    .where(sql<boolean>`${ownTariffId} = ${tariffId}`)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  // Another question that has been asked since keeps its time.
  const unasked = sql<Instant | null>`nullif(tariff_asked_at, to_timestamp(${askedAt} / 1000.0))`;
  await db
    .updateTable('stations')
    .set({ ...running, tariff_asked_at: unasked })
    .where('id', '=', stationId)
    .execute();
}

/** The columns of a station that now runs one of our tariffs. */
export function runs(id: TariffId, at: Instant) {
  return { running_tariff_id: id, running_tariff_version: tariffVersionOf(id), running_tariff_at: at };
}

/** Tells consoles that show the station to fetch it again. */
export function publishTariff(
  context: Context,
  { stationId, agentId }: { stationId: StationId; agentId: AgentId | null },
  online = true,
): void {
  context.bus.publish({
    agentId,
    event: { kind: 'station-changed', stationId, online, at: toIso(context.now()) },
  });
}
