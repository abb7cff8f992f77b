import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { liveOrderStates } from '@voltdeck/charging/states';
import type { Connector } from '@voltdeck/contract/connectors';
import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { ConnectorId, StationId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Context } from '../context.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { findConnector } from './queries.ts';

/** Where a port was and where it is. */
export type ConnectorMoved = { from: Connector; to: Connector };

/**
 * Moves a gun port to another station, another number, or both. Its orders and readings stay with it; its state is
 * unknown until its new station reports it. A port with an order that has not ended stays, since the station goes on
 * speaking of it by the old number.
 */
export async function moveConnector(
  trx: Trx,
  caller: Caller,
  id: ConnectorId,
  target: { stationNumber?: string | undefined; number?: number | undefined },
  at: Instant,
): Promise<Result<ConnectorMoved, ApiError>> {
  if (target.stationNumber === undefined && target.number === undefined) {
    return failed({ code: 'connector.no_target' });
  }
  const seen = await findConnector(trx, caller, id);
  if (seen === null) return failed({ code: 'record.not_found' });
  const stationNumber = target.stationNumber ?? seen.stationNumber;
  const unknown: FieldFault = { path: 'stationNumber', code: 'unknown_reference' };
  const station = await scoped(trx.selectFrom('stations'), caller, 'stations.agent_id')
    .select(['id', 'number', 'protocol'])
    .where('number', '=', stationNumber)
    .executeTakeFirst();
  if (station === undefined) return invalid(unknown);
  const locked = await lockPlaces(trx, caller, [seen.stationId, station.id], id);
  if (!locked.includes(station.id)) return invalid(unknown);
  const from = await findConnector(trx, caller, id);
  // Somebody else has moved it since.
  if (from?.stationId !== seen.stationId || from.number !== seen.number) return failed({ code: 'record.changed' });

  const number = target.number ?? from.number;
  if (station.id === from.stationId && number === from.number) return ok({ from, to: from });
  const { connectorNumberMax: max } = protocolTraits[station.protocol];
  if (number > max) return invalid({ path: 'number', code: 'too_big', params: { max } });
  const other = await trx
    .selectFrom('connectors')
    .select('id')
    .where('station_id', '=', station.id)
    .where('number', '=', number)
    .executeTakeFirst();
  if (other !== undefined)
    return failed({ code: 'connector.number_taken', params: { station: stationNumber, number } });
  const order = await unendedOrder(trx, from);
  if (order !== undefined) return failed({ code: 'connector.in_use', params: { order: order.number } });

  await trx
    .updateTable('connectors')
    .set({
      station_id: station.id,
      number,
      // Named by its number, it keeps being so.
      ...(from.name === String(from.number) && { name: String(number) }),
      registered: true,
      state: 'offline',
      state_at: at,
      fault_code: null,
      fault_info: null,
      ground_lock: null,
      parking_bay: null,
      ground_lock_battery: null,
      ground_lock_alarm: null,
      ground_lock_at: null,
    })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    action: 'connector.move',
    recordKind: 'connector',
    recordId: id,
    before: { stationNumber: from.stationNumber, number: from.number },
    after: { stationNumber, number },
  });
  const moved = found(await findConnector(trx, caller, id));
  return moved.ok ? ok({ from, to: moved.value }) : moved;
}

/** Tells the nodes that hold the two stations, and asks the new one how its port is. Call it after the commit. */
export function tellMove({ bus }: Pick<Context, 'bus'>, { from, to }: ConnectorMoved, at: Instant): void {
  if (from.stationId === to.stationId && from.number === to.number) return;
  bus.setPort(from.stationNumber, from.number, null);
  bus.setPort(to.stationNumber, to.number, { id: to.id, number: to.number, isRegistered: true });
  bus.publish({
    agentId: to.agentId,
    event: {
      kind: 'connector-changed',
      connectorId: to.id,
      stationId: to.stationId,
      number: to.number,
      state: 'offline',
      at: toIso(at),
    },
  });
  if (!to.stationOnline) return;
  const ask = { kind: 'trigger-message', message: 'connector-state', connectorNumber: to.number } as const;
  void bus.commandStation(to.stationNumber, ask);
}

/**
 * Stations before their ports, and in the order of their ids, as every change of a station locks them. Answers the
 * stations that are still in the caller's scope.
 */
async function lockPlaces(
  trx: Trx,
  caller: Caller,
  stationIds: readonly StationId[],
  id: ConnectorId,
): Promise<StationId[]> {
  const stations = await scoped(trx.selectFrom('stations'), caller, 'stations.agent_id')
    .select('id')
    .where('id', 'in', stationIds)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  await trx.selectFrom('connectors').select('id').where('id', '=', id).forUpdate().execute();
  return stations.map((station) => station.id);
}

/** An order that the station may still speak of: not begun, running, or without its stop. */
async function unendedOrder(trx: Trx, { id, stationId }: Connector) {
  return trx
    .selectFrom('orders')
    .select('number')
    .where('station_id', '=', stationId)
    .where('connector_id', '=', id)
    .where('state', 'in', liveOrderStates)
    .where((or) => or.or([or('state', '<>', 'settling'), or('waits_for', '=', 'stop')]))
    .limit(1)
    .executeTakeFirst();
}

function invalid(fault: FieldFault): { ok: false; error: ApiError } {
  return failed({ code: 'request.invalid', fields: [fault] });
}
