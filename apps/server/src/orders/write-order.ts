/** Every write to an order's row and bill goes through this file. */
import type { Flag } from '@voltdeck/charging/charge/charge';
import type { OrderState } from '@voltdeck/charging/states';
import type { Wallet } from '@voltdeck/ledger/account';
import { holdKey, holdTransfer, voidHoldTransfer } from '@voltdeck/ledger/hold';
import { type Parts, totalOf } from '@voltdeck/ledger/parts';
import type { OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { fen, zeroFen } from '@voltdeck/units/money';
import { type RawBuilder, sql, type Transaction, type Updateable } from 'kysely';
import { TransactionConflict } from '../database/is-database-away.ts';
import type { OrdersTable, Tables } from '../database/tables.generated.ts';
import { postingOf, postTransfer } from '../ledger/post-transfer.ts';
import { soundTransfer } from './hold-money.ts';
import type { OrderMoved } from './order-events.ts';
import { appendTimeline, nextOrderNumber, type TimelineFact, timelineEntries } from './order-record.ts';
import { heldParts, type OrderRow, orderColumns, walletOf } from './order-row.ts';
import { returnPotOfOrderLater } from './return-pot-later.ts';
import { tellOtherChargesLater } from './tell-balance.ts';

/** An order's names, where the same transaction needs them before it is written. */
export type OrderNumbers = { id: OrderId; sequence: number; transactionNumber: number };

export async function reserveNumbers(trx: Transaction<Tables>): Promise<OrderNumbers> {
  const { rows } = await sql<OrderNumbers>`
    select nextval(pg_get_serial_sequence('orders', 'id'))::bigint as id,
           nextval('order_numbers')::bigint as sequence,
           nextval('transaction_numbers')::bigint as "transactionNumber"`.execute(trx);
  if (rows[0] === undefined) throw new Error('no numbers for an order');
  return rows[0];
}

/** An order's columns as they are first written; those left out keep their default. */
export type NewOrder = Partial<Record<keyof OrdersTable, unknown>> & { number: string | RawBuilder<string> } & Pick<
    { [Column in keyof OrderRow]: OrderRow[Column] },
    'state' | 'payment_type' | 'card_id' | 'customer_id' | 'site_id' | 'station_id' | 'connector_id' | 'placed_at'
  >;

/** The hold that a new order takes from its payer's wallet. */
export type NewHold = { wallet: Wallet; held: Parts };

/** The next order's number and transaction number, assigned by the insert. */
export function nextNumbers(at: Instant) {
  return {
    number: nextOrderNumber(at),
    transaction_number: sql<number>`nextval('transaction_numbers')`,
  };
}

/** A placeholder that is never written: the hold is posted under the id that the row gets. */
const idToCome = 1 as OrderId;

/**
 * Writes a new order, its hold and its flags in one statement. `id` is given where one was reserved for it.
 * @throws TransactionConflict when another transaction has spent the money of the hold, or begun the same charge.
 */
export async function insertOrder(
  trx: Transaction<Tables>,
  id: OrderId | null,
  order: NewOrder,
  more: { hold: NewHold | null; flags: readonly Flag[]; facts: readonly TimelineFact[]; at: Instant },
): Promise<OrderRow> {
  const { flags, facts, at } = more;
  const hold = more.hold !== null && totalOf(more.hold.held) > 0 ? more.hold : null;
  const transfer = hold === null ? null : soundTransfer(holdTransfer({ orderId: id ?? idToCome, ...hold }));
  const named = { key: sql<string>`format(${holdKey('%s')}, o.id)`, orderId: sql<number>`o.id` };
  const values: Record<string, unknown> = {
    ...order,
    ...(id !== null && { id }),
    abnormal: flags.length > 0,
    unhandled: flags.length > 0,
    held_fen: hold === null ? 0 : totalOf(hold.held),
    held_gift_fen: hold?.held.giftFen ?? 0,
    holds: hold === null ? 0 : 1,
    timeline: JSON.stringify(timelineEntries(facts, at)),
  };
  const columns = Object.keys(values);
  const { rows } = await sql<OrderRow>`
    insert into orders as o (${sql.join(columns.map((column) => sql.ref(column)))})
    overriding system value values (${sql.join(columns.map((column) => parameterOf(column, values[column])))})
    returning ${orderColumns}, ${postingOf(transfer, at, { named })} as posted`.execute(trx);
  const row = rows[0];
  if (row === undefined) throw new Error('inserting an order gave no row');
  await writeFlags(trx, row.id, flags, at);
  return row;
}

/**
 * Moves an order to its next state. It must still be as it was when the step was decided.
 * @throws TransactionConflict when another transaction has moved it: decide again.
 */
export async function changeOrder(
  trx: Transaction<Tables>,
  order: OrderRow,
  change: {
    set?: Updateable<OrdersTable>;
    flags?: readonly Flag[];
    facts?: readonly TimelineFact[];
    at: Instant;
  },
): Promise<OrderRow> {
  const { set = {}, flags = [], facts = [], at } = change;
  const isFlagged = await writeFlags(trx, order.id, flags, at);
  const changed = {
    ...set,
    ...(isFlagged && { abnormal: true, unhandled: true }),
    ...(facts.length > 0 && { timeline: appendTimeline(...timelineEntries(facts, at)) }),
  };
  const columns = Object.entries(changed);
  if (columns.length === 0) return order;
  const { rows } = await sql<OrderRow>`
    update orders as o set ${sql.join(columns.map(([column, value]) => sql`${sql.ref(column)} = ${parameterOf(column, value)}`))}
     where o.id = ${order.id} and o.state = ${order.state} returning ${orderColumns}`.execute(trx);
  const row = rows[0];
  if (row === undefined) throw new TransactionConflict(`order ${order.number} is no longer ${order.state}`);
  return row;
}

/** Instants are milliseconds here and timestamps there. */
function parameterOf(column: string, value: unknown): RawBuilder<unknown> {
  const isInstant = typeof value === 'number' && (column === 'at' || column.endsWith('_at'));
  return isInstant ? sql`to_timestamp(${value} / 1000.0)` : sql`${value}`;
}

/**
 * A rule flags an order once: the first evidence is kept, and a flag that a person dealt with stays so. True where one
 * of them is new.
 */
export async function writeFlags(
  trx: Transaction<Tables>,
  orderId: OrderId,
  flags: readonly Flag[],
  at: Instant,
): Promise<boolean> {
  if (flags.length === 0) return false;
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('order_flags')
    .values(flags.map((flag) => ({ order_id: orderId, rule: flag.rule, at, evidence: JSON.stringify(flag.evidence) })))
    .onConflict((conflict) => conflict.columns(['order_id', 'rule']).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows !== undefined && numInsertedOrUpdatedRows > 0n;
}

/** Cancels an order that delivered no energy and releases its hold. A later start under its name no longer finds it. */
export async function cancelOrderRow(
  trx: Transaction<Tables>,
  order: OrderRow,
  more: { at: Instant; facts: readonly TimelineFact[]; set?: Updateable<OrdersTable> },
): Promise<OrderRow> {
  const { at, facts, set = {} } = more;
  await releaseHold(trx, order, at);
  await tellOtherChargesLater(trx, order);
  await returnPotOfOrderLater(trx, order);
  return changeOrder(trx, order, {
    set: {
      ...set,
      state: 'cancelled',
      waits_for: null,
      start_key: null,
      power_w: null,
      ended_at: at,
      settled_at: at,
    },
    facts,
    at,
  });
}

/** The charge is over but its stop is missing: the order waits for it and keeps its hold. */
export async function awaitStop(
  trx: Transaction<Tables>,
  order: OrderRow,
  { endedAt, flag, at }: { endedAt: Instant; flag: Flag; at: Instant },
): Promise<OrderRow> {
  return changeOrder(trx, order, {
    set: { state: 'settling', waits_for: 'stop', ended_at: endedAt, stop_reason: 'no_stop_received', power_w: null },
    flags: [flag],
    facts: [{ event: 'settlement_waits', params: { because: 'no_stop_received' } }],
    at,
  });
}

/** Releases an order's hold; the caller sets `releasedHold`. */
export async function releaseHold(trx: Transaction<Tables>, order: OrderRow, at: Instant): Promise<void> {
  const wallet = walletOf(order);
  if (wallet === null || order.held_fen <= 0) return;
  await postTransfer(trx, soundTransfer(voidHoldTransfer({ orderId: order.id, wallet, held: heldParts(order) })), at);
}

/** The event for consoles after an order took a step. */
export function movedOrder(row: OrderRow): OrderMoved {
  const state: OrderState = row.state;
  return {
    id: row.id,
    number: row.number,
    state,
    stationId: row.station_id,
    connectorId: row.connector_id,
    agentId: row.agent_id,
    customerId: row.customer_id,
    energyWh: row.energy_wh,
    electricityFeeFen: row.electricity_fee_fen,
    serviceFeeFen: row.service_fee_fen,
  };
}

/** The columns of an order whose hold was released. */
export const releasedHold = { held_fen: zeroFen, held_gift_fen: zeroFen };

/** The money columns of an order before billing. */
export const nothingBilled = { electricity_fee_fen: fen(0), service_fee_fen: fen(0), amount_fen: fen(0) };
