import type { PartnerChargeStage, PartnerChargeStatus } from '@voltdeck/charging/partner-charge';
import type { ConnectorState, OrderState } from '@voltdeck/charging/states';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import type { Milliamperes, Millivolts, WattHours } from '@voltdeck/units/energy';
import type { ConnectorId, OrderId, PartnerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { newestFigures } from '../orders/queries.ts';

/** A partner's charge with its order; `orderId` is null where it was refused. */
export type PartnerCharge = {
  partnerId: PartnerId;
  sequence: string;
  portId: string;
  orderId: OrderId | null;
  connectorId: ConnectorId | null;
  state: OrderState | null;
  hasStopBeenAsked: boolean;
};

export function findBySequence(db: Kysely<Tables>, partnerId: PartnerId, sequence: string) {
  return findCharge(db, sql`p.partner_id = ${partnerId} and p.sequence = ${sequence}`);
}

export function findByOrder(db: Kysely<Tables>, orderId: OrderId) {
  return findCharge(db, sql`p.order_id = ${orderId}`);
}

async function findCharge(db: Kysely<Tables>, where: RawBuilder<unknown>): Promise<PartnerCharge | null> {
  const { rows } = await sql<PartnerCharge>`
    select p.partner_id as "partnerId", p.sequence, p.port_id as "portId", p.order_id as "orderId",
           p.connector_id as "connectorId", o.state, p.stop_asked_at is not null as "hasStopBeenAsked"
      from partner_charges p left join orders o on o.id = p.order_id where ${where}`.execute(db);
  return rows[0] ?? null;
}

/** Where a charge stands in the standard's words. A charge that was refused or cancelled before it began has ended. */
export function stageOf({ state, hasStopBeenAsked }: PartnerCharge): PartnerChargeStage {
  switch (state) {
    case 'placed':
      return 'starting';
    case 'charging':
      return hasStopBeenAsked ? 'stopping' : 'charging';
    case 'settling':
      return 'stopping';
    case 'completed':
    case 'cancelled':
    case null:
      return 'ended';
  }
}

/** How a charge is going, with the last that its station told. */
export async function readChargeStatus(
  db: Kysely<Tables>,
  charge: PartnerCharge,
  now: Instant,
): Promise<PartnerChargeStatus> {
  const { sequence, portId, orderId } = charge;
  const { rows } = await sql<{
    port_state: ConnectorState;
    started_at: Instant | null;
    ended_at: Instant | null;
    energy_wh: WattHours;
    electricity_fee_fen: Fen;
    service_fee_fen: Fen;
    at: Instant | null;
    current_ma: Milliamperes | null;
    voltage_mv: Millivolts | null;
    soc_percent: number | null;
    placed_at: Instant;
    meter_start_wh: WattHours | null;
    tariff: Tariff | null;
    max_power_w: number;
  }>`
    select case when t.online then c.state else 'offline' end as port_state, o.started_at, o.ended_at, o.energy_wh,
           o.electricity_fee_fen, o.service_fee_fen, o.placed_at, o.meter_start_wh, o.tariff, t.max_power_w, r.at, r.current_ma, r.voltage_mv, r.soc_percent
      from orders o
      join connectors c on c.id = o.connector_id
      join stations t on t.id = o.station_id
      left join lateral (
        select at, current_ma, voltage_mv, soc_percent from readings
         where order_id = o.id and at >= coalesce(o.started_at, o.placed_at) - interval '1 hour'
         order by at desc limit 1) r on true
     where o.id = ${orderId}`.execute(db);
  const [row] = rows;
  const isRunning = charge.state === 'charging' && orderId !== null && row !== undefined;
  const newest = isRunning
    ? await newestFigures(db, {
        id: orderId,
        placedAt: row.placed_at,
        startedAt: row.started_at,
        meterStartWh: row.meter_start_wh,
        tariff: row.tariff,
        ratedPowerW: row.max_power_w,
      })
    : {};
  return {
    sequence,
    stage: stageOf(charge),
    portId,
    portState: row?.port_state ?? 'free',
    startedAt: row?.started_at ?? null,
    reading: {
      at: row?.ended_at ?? row?.at ?? now,
      ...(row?.current_ma == null ? {} : { currentMa: row.current_ma }),
      ...(row?.voltage_mv == null ? {} : { voltageMv: row.voltage_mv }),
      ...(row?.soc_percent == null ? {} : { socPercent: row.soc_percent }),
    },
    energyWh: newest.energyWh ?? row?.energy_wh ?? (0 as WattHours),
    electricityFeeFen: newest.electricityFeeFen ?? row?.electricity_fee_fen ?? null,
    serviceFeeFen: newest.serviceFeeFen ?? row?.service_fee_fen ?? null,
  };
}
