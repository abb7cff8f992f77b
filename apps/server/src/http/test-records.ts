import { cardAccount, customerAccount, keyOf } from '@voltdeck/ledger/account';
import { noParts } from '@voltdeck/ledger/parts';
import { rechargeTransfer } from '@voltdeck/ledger/recharge';
import { settleTransfer } from '@voltdeck/ledger/settle';
import { payOutTransfer, type Settled } from '@voltdeck/ledger/settlement';
import type { EnergyTariff } from '@voltdeck/tariffs/tariff';
import { wattHours, watts } from '@voltdeck/units/energy';
import type {
  AgentId,
  CardId,
  ConnectorId,
  CustomerId,
  DividerId,
  OrderId,
  SettlementPeriodId,
  SiteId,
  StationId,
  TariffId,
} from '@voltdeck/units/id';
import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { addFen, fen, minFen, priceE5, zeroFen } from '@voltdeck/units/money';
import type { Insertable } from 'kysely';
import type { Database } from '../database/database.ts';
import type { OrdersTable } from '../database/tables.generated.ts';
import { paymentStateOf } from '../ledger/payment-state.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { shareReceived } from '../ledger/write-shares.ts';

export const dayTariff: EnergyTariff = {
  kind: 'energy',
  prices: {
    sharp: { electricity: priceE5(120_000), service: priceE5(60_000) },
    peak: { electricity: priceE5(100_000), service: priceE5(50_000) },
    flat: { electricity: priceE5(70_000), service: priceE5(40_000) },
    valley: { electricity: priceE5(30_000), service: priceE5(30_000) },
  },
  slots: [
    { start: '00:00', end: '07:00', period: 'valley' },
    { start: '07:00', end: '24:00', period: 'flat' },
  ],
};

export type Place = {
  agentId: AgentId | null;
  siteId: SiteId;
  stationId: StationId;
  stationNumber: string;
  connectorId: ConnectorId;
  tariffId: TariffId;
  customerId: CustomerId;
  phone: string;
  cardId: CardId;
  cardNumber: string;
};

/** Before any instant that a test's clock shows. */
const longAgo = instant(Date.UTC(2020, 0, 1));

/** How many places and orders each database has; their numbers and phones follow from it. */
const made = new WeakMap<Database, number>();

function nextSerial(database: Database): number {
  const serial = (made.get(database) ?? 0) + 1;
  made.set(database, serial);
  return serial;
}

/** A site with a two-port station, a billing rule, a customer and a card with 100 yuan: everything an order needs. */
export async function makePlace(database: Database, agentId: AgentId | null, name: string): Promise<Place> {
  const { db } = database;
  const serial = nextSerial(database);
  const id = async (row: Promise<{ id: unknown }>) => (await row).id;
  const siteId = (await id(
    db
      .insertInto('sites')
      .values({
        name: `Site ${name}`,
        region_code: '330106',
        address: `${serial} Lake Road`,
        longitude: 120.1,
        latitude: 30.2,
        agent_id: agentId,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )) as SiteId;
  const tariffId = (await id(
    db
      .insertInto('tariffs')
      .values({
        name: `Rule ${name}`,
        kind: 'energy',
        detail: JSON.stringify(dayTariff),
        agent_id: agentId,
        effective_at: longAgo,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )) as TariffId;
  const stationNumber = `ST-${name}-${serial}`;
  const stationId = (await id(
    db
      .insertInto('stations')
      .values({
        number: stationNumber,
        name: `Station ${name}`,
        type: 'fast',
        equipment_type: 'four-wheel',
        protocol: 'ocpp1.6',
        site_id: siteId,
        agent_id: agentId,
        max_power_w: watts(120_000),
        card_tariff_id: tariffId,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )) as StationId;
  const connectors = await db
    .insertInto('connectors')
    .values([
      { station_id: stationId, number: 1, name: '1' },
      { station_id: stationId, number: 2, name: '2' },
    ])
    .returning('id')
    .execute();
  const phone = `139${String(serial).padStart(8, '0')}`;
  const customerId = (await id(
    db
      .insertInto('customers')
      .values({ phone, nickname: `Customer ${name}` })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )) as CustomerId;
  // Zeros within the A's, or serial A1 would be serial 1.
  const cardNumber = serial.toString(16).toUpperCase().padStart(4, '0').padStart(16, 'A');
  const cardId = (await id(
    db
      .insertInto('cards')
      .values({ number: cardNumber, physical_number: cardNumber, customer_id: customerId, agent_id: agentId })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )) as CardId;
  const transfer = rechargeTransfer({
    id: 1_000_000 + serial,
    channel: 'front-desk',
    wallet: cardAccount(cardId),
    amountFen: fen(10_000),
  });
  if (!transfer.ok) throw new Error(transfer.error.code);
  const movement = {
    wallet: cardAccount(cardId),
    type: 'system_recharge',
    number: `R${serial}`,
    paidFen: 10_000,
    giftFen: 0,
  } as const;
  await db
    .transaction()
    .execute((trx) => postTransfer(trx, transfer.value, instant(Date.now()), [{ ...movement, agentId }]));
  const connectorId = connectors[0]?.id;
  if (connectorId === undefined) throw new Error('a port was not made');
  return { agentId, siteId, stationId, stationNumber, connectorId, tariffId, customerId, phone, cardId, cardNumber };
}

/** An order at a place: by default completed and paid, 10 kWh for 11 yuan in half an hour. */
export async function makeOrder(
  database: Database,
  place: Place,
  placedAt: Instant,
  given: Partial<Insertable<OrdersTable>> = {},
): Promise<OrderId> {
  const { id } = await database.db
    .insertInto('orders')
    .values({
      number: `N${String(nextSerial(database)).padStart(8, '0')}`,
      state: 'completed',
      payment_state: 'paid',
      payment_type: 'card',
      start_mode: 'card',
      billing_type: 'energy',
      site_id: place.siteId,
      station_id: place.stationId,
      connector_id: place.connectorId,
      connector_number: 1,
      agent_id: place.agentId,
      customer_id: place.customerId,
      card_id: place.cardId,
      card_number: place.cardNumber,
      tariff_id: place.tariffId,
      tariff: JSON.stringify(dayTariff),
      meter_start_wh: wattHours(1_000),
      meter_stop_wh: wattHours(11_000),
      energy_wh: wattHours(10_000),
      amount_fen: fen(1_100),
      electricity_fee_fen: fen(700),
      service_fee_fen: fen(400),
      paid_fen: fen(1_100),
      placed_at: placedAt,
      started_at: placedAt,
      ended_at: instant(placedAt + 30 * minuteMs),
      settled_at: instant(placedAt + 31 * minuteMs),
      stop_reason: 'local',
      ...given,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** What makes an order of `makeOrder` a test run of a gun port. */
export const asTestRun = {
  start_mode: 'test',
  payment_type: 'none',
  card_id: null,
  customer_id: null,
  card_number: null,
  tariff_id: null,
  amount_fen: zeroFen,
  electricity_fee_fen: zeroFen,
  service_fee_fen: zeroFen,
  paid_fen: zeroFen,
} as const satisfies Partial<Insertable<OrdersTable>>;

/** An order that its card or customer paid as far as the money went, settled in the books as well; the rest is owed. */
export async function makeSettledOrder(
  database: Database,
  place: Place,
  bill: { electricityFeeFen: number; serviceFeeFen: number; payer?: 'card' | 'customer'; settledAt?: Instant },
): Promise<OrderId> {
  const { payer = 'card', settledAt = instant(Date.now()) } = bill;
  const electricityFeeFen = fen(bill.electricityFeeFen);
  const serviceFeeFen = fen(bill.serviceFeeFen);
  const amountFen = addFen(electricityFeeFen, serviceFeeFen);
  const wallet = payer === 'card' ? cardAccount(place.cardId) : customerAccount(place.customerId);
  const account = await database.db
    .selectFrom('ledger_accounts')
    .select('balance_fen')
    .where('key', '=', keyOf(wallet))
    .executeTakeFirst();
  const availableFen = account?.balance_fen ?? zeroFen;
  const paidFen = minFen(availableFen, amountFen);
  const orderId = await makeOrder(database, place, instant(settledAt - 31 * minuteMs), {
    payment_type: payer === 'card' ? 'card' : 'online',
    amount_fen: amountFen,
    electricity_fee_fen: electricityFeeFen,
    service_fee_fen: serviceFeeFen,
    paid_fen: paidFen,
    payment_state: paymentStateOf({ amountFen, paidFen, refundedFen: 0, forgivenFen: 0 }),
    settled_at: settledAt,
  });
  const settled = settleTransfer({
    orderId,
    siteId: place.siteId,
    wallet,
    held: noParts,
    available: { paidFen: availableFen, giftFen: zeroFen },
    electricityFeeFen,
    serviceFeeFen,
  });
  if (!settled.ok || settled.value.transfer === null) throw new Error('nothing to settle');
  const { transfer } = settled.value;
  await database.db.transaction().execute(async (trx) => {
    await postTransfer(trx, transfer, settledAt);
    await shareReceived(trx, orderId, settledAt);
  });
  return orderId;
}

/**
 * Pays out shares to the balance of an agent or a divider, as the end of a period does; one
 * without a payout account gets one, as if it had had it for long.
 */
export async function fundBalance(database: Database, party: Settled, amountFen: number): Promise<void> {
  const period = (1_000_000 + nextSerial(database)) as SettlementPeriodId;
  const transfer = payOutTransfer(period, party, fen(amountFen));
  if (transfer === null || !transfer.ok) throw new Error('no shares can be paid out');
  const { value } = transfer;
  await database.db.transaction().execute((trx) => postTransfer(trx, value, instant(Date.now())));
  const payout = {
    payout_kind: 'corporate',
    payout_holder: 'Lingnan Charging Ltd',
    payout_bank: 'Bank of Lingnan',
    payout_number: '6222020200001234567',
    payout_branch: 'Harbour',
    payout_bank_code: '102100099996',
  } as const;
  await database.db
    .updateTable(party.kind === 'agent' ? 'agents' : 'dividers')
    .set(payout)
    .where('id', '=', party.id as never)
    .where('payout_kind', 'is', null)
    .execute();
}

/** An account's balance in fen; zero when nothing was ever posted to it. */
export async function balanceOf(database: Database, key: string): Promise<number> {
  const { rows } = await database.pool.query<{ balance_fen: number }>(
    'select sum(balance_fen)::bigint as balance_fen from ledger_accounts where key = $1',
    [key],
  );
  return rows[0]?.balance_fen ?? 0;
}

/** One yuan of an order's electricity for a divider, as if the order had settled at `at`; no money moves. */
export async function addDividerShare(
  { pool }: Database,
  { dividerId, siteId, orderId }: { dividerId: DividerId; siteId: SiteId; orderId: OrderId },
  at: Instant,
): Promise<void> {
  const share = { party: 'divider', divider_id: dividerId, reason: 'rate' };
  const amounts = { electricity_fen: 100, service_fen: 0, occupancy_fen: 0 };
  await pool.query('select write_order_shares($1, $2, 1, to_timestamp($3 / 1000.0), $4)', [
    orderId,
    siteId,
    at,
    JSON.stringify([{ ...share, ...amounts }]),
  ]);
}
