import { noteText } from '@voltdeck/contract/note-text';
import { type ChargeNoteRow, type ChargeReading, listChargeNotes, listReadings } from '@voltdeck/contract/readings';
import type { OrderId, StationId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { sayIfKnown } from '../http/say.ts';
import { chargesOf, namesCharges, periodOf } from './charges-of-filter.ts';

/** The order and the station of a row, looked up for shown rows only. */
type Of = [orderNumber: string, meterStartWh: number | null, stationId: StationId, stationNumber: string, port: number];
const ofOrder = (orderId: string) =>
  sql<Of | null>`(
    select json_build_array(o.number, o.meter_start_wh, s.id, s.number, o.connector_number)
      from orders o join stations s on s.id = o.station_id where o.id = ${sql.ref(orderId)})`.as('of');

type ReadingRow = {
  at: Instant;
  orderId: OrderId;
  registerWh: number | null;
  powerW: number | null;
  voltageMv: number | null;
  currentMa: number | null;
  socPercent: number | null;
  vehicleTemperatureC: number | null;
  cableTemperatureC: number | null;
  ambientTemperatureC: number | null;
  doubt: string | null;
  of: Of | null;
};

function toReading({ of, ...row }: ReadingRow): ChargeReading {
  const [orderNumber, meterStartWh, stationId, stationNumber, connectorNumber] = charged(of, row.orderId);
  return {
    ...row,
    id: `${row.orderId}_${row.at}`,
    at: toIso(row.at),
    orderNumber,
    stationId,
    stationNumber,
    connectorNumber,
    energyWh: row.registerWh === null || meterStartWh === null ? null : Math.max(0, row.registerWh - meterStartWh),
    doubt: row.doubt as ChargeReading['doubt'],
  };
}

/** Orders are never deleted. */
function charged(of: Of | null, orderId: OrderId): Of {
  if (of === null) throw new Error(`order ${orderId} has readings and does not exist`);
  return of;
}

export const readingList = listSource({
  route: listReadings,
  async filtered(db, caller, filter, at) {
    if (filter.doubted === true && !namesCharges(filter)) return doubtedAnywhere(db, caller, filter, at);
    const charges = await chargesOf(db, caller, filter, at);
    if (charges === null) return null;
    let readings = db
      .selectFrom('readings')
      .where(sql<boolean>`readings.order_id = any(${charges.ids}::bigint[])`)
      .where('readings.at', '>=', charges.from)
      .where('readings.at', '<', charges.to);
    if (filter.doubted !== undefined) {
      readings = readings.where('readings.doubt', filter.doubted ? 'is not' : 'is', null);
    }
    return readings;
  },
  id: sql`readings.order_id`,
  sorts: { at: sql`readings.at` },
  shown: (filtered) =>
    filtered.select([
      'readings.at',
      'readings.order_id as orderId',
      'readings.energy_wh as registerWh',
      'readings.power_w as powerW',
      'readings.voltage_mv as voltageMv',
      'readings.current_ma as currentMa',
      'readings.soc_percent as socPercent',
      'readings.vehicle_temperature_c as vehicleTemperatureC',
      'readings.cable_temperature_c as cableTemperatureC',
      'readings.ambient_temperature_c as ambientTemperatureC',
      'readings.doubt',
      ofOrder('readings.order_id'),
    ]),
  toItem: toReading,
});

/** Doubted readings are few and have an index of their own, so they are found without a station or an order. */
function doubtedAnywhere(
  db: Kysely<Tables>,
  caller: Caller,
  filter: { from?: string | undefined; to?: string | undefined; connectorNumber?: number | undefined },
  at: Instant,
) {
  const { from, to } = periodOf(filter, at);
  const readings = db
    .selectFrom('readings')
    .where('readings.doubt', 'is not', null)
    .where('readings.at', '>=', from)
    .where('readings.at', '<', to);
  const { connectorNumber } = filter;
  if (caller.agents === 'all' && connectorNumber === undefined) return readings;
  return readings.where(({ exists, selectFrom }) => {
    const orders = scoped(selectFrom('orders'), caller, 'orders.agent_id', 'orders.customer_id')
      .select('orders.id')
      .whereRef('orders.id', '=', 'readings.order_id');
    return exists(
      connectorNumber === undefined ? orders : orders.where('orders.connector_number', '=', connectorNumber),
    );
  });
}

type NoteRow = {
  id: number;
  at: Instant;
  kind: string;
  detail: unknown;
  orderId: OrderId | null;
  of: Of | null;
};

function toNote({ of, detail, ...row }: NoteRow): ChargeNoteRow {
  if (row.orderId === null) throw new Error(`note ${row.id} belongs to no order`);
  const [orderNumber, , stationId, stationNumber, connectorNumber] = charged(of, row.orderId);
  return {
    ...row,
    id: String(row.id),
    at: toIso(row.at),
    kind: row.kind as ChargeNoteRow['kind'],
    values: detail as ChargeNoteRow['values'],
    orderNumber,
    stationId,
    stationNumber,
    connectorNumber,
  };
}

export const chargeNoteList = listSource({
  route: listChargeNotes,
  async filtered(db, caller, filter, at) {
    const { kind, ...charging } = filter;
    const charges = await chargesOf(db, caller, charging, at);
    if (charges === null) return null;
    const notes = db
      .selectFrom('charge_notes')
      .where(sql<boolean>`charge_notes.order_id = any(${charges.ids}::bigint[])`)
      .where('charge_notes.at', '>=', charges.from)
      .where('charge_notes.at', '<', charges.to);
    return kind === undefined ? notes : notes.where('charge_notes.kind', 'in', kind);
  },
  id: sql`charge_notes.id`,
  sorts: { at: sql`charge_notes.at` },
  shown: (filtered) =>
    filtered.select([
      'charge_notes.id',
      'charge_notes.at',
      'charge_notes.kind',
      'charge_notes.detail',
      'charge_notes.order_id as orderId',
      ofOrder('charge_notes.order_id'),
    ]),
  toItem: toNote,
  texts: {
    values: ({ values }: ChargeNoteRow, language) => noteText(values, (key) => sayIfKnown(language, key)),
  },
});
