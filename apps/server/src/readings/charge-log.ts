import type { ChargeLog } from '@voltdeck/contract/readings';
import type { OrderId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { may } from '../caller/may.ts';
import type { Tables } from '../database/tables.generated.ts';
import { readCurve } from '../orders/curve.ts';
import { findOrderDetail } from '../orders/queries.ts';

/** Points of the battery's demand: a charge of four hours at one every fifteen seconds. */
const demandsMax = 1_000;

/** One charge with its curve and what the battery asked for; null for one out of scope. */
export async function findChargeLog(
  db: Kysely<Tables>,
  caller: Caller,
  id: OrderId,
  now: Instant,
): Promise<ChargeLog | null> {
  const order = await findOrderDetail(db, caller, id);
  if (order === null) return null;
  const [station, curve, demands] = await Promise.all([
    db
      .selectFrom('stations')
      .select(['protocol', 'max_power_w'])
      .where('id', '=', order.stationId)
      .executeTakeFirstOrThrow(),
    readCurve(db, id, now),
    demandsOf(db, id, order, now),
  ]);
  return {
    id,
    number: order.number,
    state: order.state,
    startMode: order.startMode,
    stationId: order.stationId,
    stationNumber: order.stationNumber,
    stationName: order.stationName,
    siteName: order.siteName,
    protocol: station.protocol as ChargeLog['protocol'],
    connectorNumber: order.connectorNumber,
    ratedPowerW: station.max_power_w,
    startedAt: order.startedAt,
    endedAt: order.endedAt,
    energyWh: order.energyWh,
    stopReason: order.stopReason,
    ...(may(caller, 'order.read') ? ofOrder(order) : ofNoOrder),
    flags: order.flags,
    ...curve,
    demands,
  };
}

type OfOrder = Pick<
  ChargeLog,
  'vin' | 'plate' | 'amountFen' | 'electricityFeeFen' | 'serviceFeeFen' | 'tariff' | 'lines'
>;

function ofOrder({ vin, plate, amountFen, electricityFeeFen, serviceFeeFen, tariff, lines }: OfOrder): OfOrder {
  return { vin, plate, amountFen, electricityFeeFen, serviceFeeFen, tariff, lines };
}

const ofNoOrder: OfOrder = {
  vin: null,
  plate: null,
  amountFen: null,
  electricityFeeFen: null,
  serviceFeeFen: null,
  tariff: null,
  lines: null,
};

/** Every n-th demand, so that the whole charge fits. */
async function demandsOf(
  db: Kysely<Tables>,
  id: OrderId,
  { placedAt, endedAt }: { placedAt: string; endedAt: string | null },
  now: Instant,
): Promise<ChargeLog['demands']> {
  const from = instant(Date.parse(placedAt) - dayMs);
  const to = instant((endedAt === null ? now : Date.parse(endedAt)) + dayMs);
  const { rows } = await sql<{ at: Instant; voltageMv: number | null; currentMa: number | null }>`
    select at, (detail ->> 'demandVoltageMv')::integer as "voltageMv",
           abs((detail ->> 'demandCurrentMa')::integer) as "currentMa"
      from (select at, detail, row_number() over (order by at) as place, count(*) over () as total
              from charge_notes
             where order_id = ${id} and kind = 'demand'
               and at >= to_timestamp(${from} / 1000.0) and at <= to_timestamp(${to} / 1000.0)) noted
     where place % (1 + total / ${demandsMax}) = 0
     order by at`.execute(db);
  return rows.slice(0, demandsMax).map((row) => ({ ...row, at: toIso(row.at) }));
}
