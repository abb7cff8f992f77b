import type { PartnerOrder } from '@voltdeck/charging/partner-charge';
import { wattHours } from '@voltdeck/units/energy';
import type { CustomerId, OrderId, PartnerId, RoamingChargeId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import type { Insertable } from 'kysely';
import type { Database } from '../database/database.ts';
import type { RoamingChargesTable } from '../database/tables.generated.ts';

let made = 0;

/** A name that no other charge of the run has, as long as the standard's. */
function nextSequence(): string {
  made += 1;
  return `MA1RECORD${String(made).padStart(18, '0')}`;
}

/** An order of ours as a charge that a partner started, with its bill told. */
export async function makePartnerCharge(
  { db }: Database,
  partnerId: PartnerId,
  orderId: OrderId,
  at: Instant,
): Promise<string> {
  const sequence = nextSequence();
  await db
    .insertInto('partner_charges')
    .values({
      partner_id: partnerId,
      sequence,
      order_id: orderId,
      port_id: '1',
      confirmation: 'confirmed',
      confirm_result: 0,
      created_at: at,
    })
    .execute();
  const told = { partner_id: partnerId, kind: 'order', subject: String(orderId), order_id: orderId } as const;
  await db
    .insertInto('partner_deliveries')
    .values({ ...told, state: 'delivered', tries: 1, created_at: at, done_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return sequence;
}

/** A charge of a customer at a partner, by default 20 kWh whose bill of 20 yuan is disputed. */
export async function makeRoamingCharge(
  { db }: Database,
  partnerId: PartnerId,
  customerId: CustomerId,
  endedAt: Instant,
  given: Partial<Insertable<RoamingChargesTable>> = {},
): Promise<{ id: RoamingChargeId; sequence: string }> {
  const sequence = nextSequence();
  const startedAt = instant(endedAt - 20 * minuteMs);
  const figures = {
    energyWh: wattHours(20_000),
    electricityFeeFen: fen(1_200),
    serviceFeeFen: fen(800),
    amountFen: fen(2_000),
  };
  const bill: PartnerOrder = {
    sequence,
    portId: 'C1',
    from: startedAt,
    to: endedAt,
    ...figures,
    stopReason: 'remote',
    lines: [{ ...figures, from: startedAt, to: endedAt, electricityPriceE5: null, servicePriceE5: null }],
  };
  const { id } = await db
    .insertInto('roaming_charges')
    .values({
      sequence,
      partner_id: partnerId,
      customer_id: customerId,
      state: 'disputed',
      site_code: 'S1',
      site_name: 'Riverside',
      station_code: 'E1',
      port_code: 'C1',
      prices: JSON.stringify([{ fromSecond: 0, electricityPriceE5: 50_000, servicePriceE5: 40_000 }]),
      bill: JSON.stringify(bill),
      doubts: ['above_price'],
      confirm_result: 1,
      energy_wh: figures.energyWh,
      electricity_fee_fen: figures.electricityFeeFen,
      service_fee_fen: figures.serviceFeeFen,
      amount_fen: figures.amountFen,
      soc_begin_percent: 32,
      soc_end_percent: 78,
      stop_reason: bill.stopReason,
      placed_at: startedAt,
      started_at: startedAt,
      ended_at: endedAt,
      heard_at: endedAt,
      billed_at: endedAt,
      ...given,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, sequence };
}
