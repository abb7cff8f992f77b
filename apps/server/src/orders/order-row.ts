import type { Charge, SettlementWait } from '@voltdeck/charging/charge/charge';
import type {
  Authorization,
  BillingType,
  OrderState,
  PaymentState,
  PaymentType,
  StartMode,
  StopReason,
} from '@voltdeck/charging/states';
import type { Wallet } from '@voltdeck/ledger/account';
import type { Parts } from '@voltdeck/ledger/parts';
import type { WattHours } from '@voltdeck/units/energy';
import type {
  AgentId,
  CardId,
  ConnectorId,
  CustomerId,
  GroupId,
  GroupMemberId,
  OrderId,
  PartnerId,
  SiteId,
  StationId,
  TariffId,
} from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type Fen, subtractFen } from '@voltdeck/units/money';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { accountKey } from '../ledger/account-key.ts';

/** The columns of an order that the rules need. */
export type OrderRow = {
  id: OrderId;
  number: string;
  state: OrderState;
  waits_for: SettlementWait | null;
  payment_state: PaymentState;
  payment_type: PaymentType;
  billing_type: BillingType;
  start_mode: StartMode;
  abnormal: boolean;
  unhandled: boolean;
  site_id: SiteId;
  station_id: StationId;
  connector_id: ConnectorId;
  connector_number: number;
  agent_id: AgentId | null;
  customer_id: CustomerId | null;
  card_id: CardId | null;
  group_id: GroupId | null;
  group_member_id: GroupMemberId | null;
  partner_id: PartnerId | null;
  card_number: string | null;
  transaction_number: number | null;
  transaction_key: string | null;
  parallel_key: string | null;
  start_authorization: Authorization | null;
  balance_before_fen: Fen | null;
  tariff_id: TariffId | null;
  tariff: unknown;
  meter_start_wh: WattHours | null;
  energy_wh: WattHours;
  amount_fen: Fen;
  electricity_fee_fen: Fen;
  service_fee_fen: Fen;
  held_fen: Fen;
  held_gift_fen: Fen;
  holds: number;
  paid_fen: Fen;
  refunded_fen: Fen;
  placed_at: Instant;
  started_at: Instant | null;
  begun_at: Instant | null;
  last_reading_at: Instant | null;
  ended_at: Instant | null;
  stop_reason: StopReason | null;
  was_placed: boolean;
  has_station_bill: boolean;
};

const storedColumns = `o.id, o.number, o.state, o.waits_for, o.payment_state, o.payment_type, o.billing_type,
  o.start_mode, o.abnormal, o.unhandled, o.site_id, o.station_id, o.connector_id, o.connector_number, o.agent_id,
  o.customer_id, o.card_id, o.group_id, o.group_member_id, o.partner_id, o.card_number, o.transaction_number, o.transaction_key, o.parallel_key, o.start_authorization,
  o.balance_before_fen, o.tariff_id, o.tariff, o.meter_start_wh, o.energy_wh, o.amount_fen, o.electricity_fee_fen,
  o.service_fee_fen, o.held_fen, o.held_gift_fen, o.holds, o.paid_fen, o.refunded_fen, o.placed_at, o.started_at, o.begun_at,
  o.last_reading_at, o.ended_at, o.stop_reason, o.was_placed`;

/** For `from orders as o`. */
export const orderColumns = sql.raw(`${storedColumns}, o.station_bill is not null as has_station_bill`);

/** For a subquery `o` of `orderColumns`. */
export const foundColumns = sql.raw(`${storedColumns}, o.has_station_bill`);

/** An order as the rules see it. */
export function chargeOf(row: OrderRow): Charge {
  return {
    id: row.id,
    number: row.number,
    state: row.state,
    waitsFor: row.waits_for,
    connectorId: row.connector_id,
    connectorNumber: row.connector_number,
    transactionNumber: row.transaction_number,
    transactionKey: row.transaction_key,
    cardNumber: row.card_number,
    cardId: row.card_id,
    customerId: row.customer_id,
    paymentType: row.payment_type,
    startAuthorization: row.start_authorization,
    wasPlaced: row.was_placed,
    isPriced: row.tariff !== null,
    placedAt: row.placed_at,
    startedAt: row.started_at,
    begunAt: row.begun_at,
    lastReadingAt: row.last_reading_at,
    endedAt: row.ended_at,
    meterStartWh: row.meter_start_wh,
    energyWh: row.energy_wh,
    amountFen: row.amount_fen,
    heldFen: row.held_fen,
    hasStationBill: row.has_station_bill,
  };
}

/** An order's hold, paid and gift apart. */
export function heldParts({ held_fen, held_gift_fen }: Pick<OrderRow, 'held_fen' | 'held_gift_fen'>): Parts {
  return { paidFen: subtractFen(held_fen, held_gift_fen), giftFen: held_gift_fen };
}

/** For each way to pay for an order, the kind of wallet and the column of `orders` that has its owner. */
export const walletByPayment = {
  card: { kind: 'card', column: 'card_id' },
  online: { kind: 'customer', column: 'customer_id' },
  group: { kind: 'group', column: 'group_id' },
  member: { kind: 'member', column: 'group_member_id' },
  partner: { kind: 'partner', column: 'partner_id' },
} as const satisfies Record<Exclude<PaymentType, 'none'>, { kind: Wallet['kind']; column: keyof OrderRow }>;

export const walletPayments = Object.keys(walletByPayment) as (keyof typeof walletByPayment)[];

/** The way to pay of orders that a wallet pays for. */
export function paymentOf({ kind }: Wallet): keyof typeof walletByPayment {
  const payment = walletPayments.find((each) => walletByPayment[each].kind === kind);
  if (payment === undefined) throw new Error(`orders are never paid by a ${kind}`);
  return payment;
}

/** The columns of `orders` that say who pays. */
export const walletColumns = [
  'payment_type',
  'card_id',
  'customer_id',
  'group_id',
  'group_member_id',
  'partner_id',
] as const satisfies readonly (keyof OrderRow)[];

export type WalletColumns = { payment_type: PaymentType } & {
  [Column in Exclude<(typeof walletColumns)[number], 'payment_type'>]: number | null;
};

/** Who pays for an order; null when it is nobody, or nobody we know. */
export function walletOf(order: WalletColumns): Wallet | null {
  if (order.payment_type === 'none') return null;
  const { kind, column } = walletByPayment[order.payment_type];
  const owner = order[column];
  return owner === null ? null : ({ kind, owner } as Wallet);
}

/** The key of the account that pays for an order `alias`, or that holds its gifts; null without a payer. */
export function walletKeyOf(alias: string, part: 'paid' | 'gift' | 'receivable'): RawBuilder<string | null> {
  const keys = walletPayments.map((payment) => {
    const { kind, column } = walletByPayment[payment];
    const account = part === 'paid' ? kind : (`${kind}-${part}` as const);
    return sql`when ${sql.lit(payment)} then ${accountKey(account, `${alias}.${column}`)}`;
  });
  return sql`case ${sql.ref(`${alias}.payment_type`)} ${sql.join(keys, sql` `)} end`;
}

/** The one order that `where` selects, locked until the transaction ends; null when there is none. */
export async function lockOrderWhere(trx: Transaction<Tables>, where: RawBuilder<unknown>): Promise<OrderRow | null> {
  const { rows } = await sql<OrderRow>`select ${orderColumns} from orders as o where ${where} for update of o`.execute(
    trx,
  );
  return rows[0] ?? null;
}

/** @throws Error when there is no such order. */
export async function lockOrder(trx: Transaction<Tables>, orderId: OrderId): Promise<OrderRow> {
  const row = await lockOrderWhere(trx, sql`o.id = ${orderId}`);
  if (row === null) throw new Error(`there is no order ${orderId}`);
  return row;
}

/** These orders, locked one after the other by id, so that overlapping requests never deadlock. */
export async function lockOrders(trx: Transaction<Tables>, ids: readonly OrderId[]): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select ${orderColumns} from orders as o where o.id = any(${[...ids]}::bigint[]) order by o.id for update of o`.execute(
    trx,
  );
  return rows;
}

/**
 * Whether a person closed the charge of an order `o` without a bill. Repetitions of its messages still mean it, unlike
 * those of an order that was cancelled before it began.
 */
export const isDismissed = sql<boolean>`exists (
  select from order_flags f where f.order_id = o.id and f.handled_how in ('dismissed', 'assigned'))`;

/** Orders by the part that each plays in a decision, the latest of each part. A row is `part` and `orderColumns`. */
export function ordersByPart(parts: Readonly<Record<string, RawBuilder<unknown>>>): RawBuilder<unknown> {
  const selects = Object.entries(parts).map(
    ([part, where]) =>
      sql`(select ${sql.lit(part)} as part, ${orderColumns} from orders as o where ${where} order by o.id desc limit 1)`,
  );
  return sql.join(selects, sql` union all `);
}
