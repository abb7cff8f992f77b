import { isOwnMoney, type PaymentType } from '@voltdeck/charging/states';
import { type Credit, creditChange } from '@voltdeck/ledger/credit';
import type { CustomerId, OrderId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type Fen, zeroFen } from '@voltdeck/units/money';
import { type RawBuilder, sql } from 'kysely';
import { valueIn, wholeNumber } from '../database/parameter.ts';
import type { Trx } from '../database/transact.ts';

/** The parameter for the points that a really paid yuan gives; zero turns the score off. */
export const creditRate = wholeNumber({ key: 'credit_points_per_yuan', defaultValue: 1, max: 100 });

/** The text of the parameter, as part of a statement. */
export const creditRateText = sql<string | null>`(select value from configs where key = ${sql.lit(creditRate.key)})`;

type Counted = Credit & { customerId: CustomerId } & (
    | { kind: 'order_paid' | 'order_refunded'; orderId: OrderId }
    | { kind: 'adjusted'; orderId: null; reason: string; userId: UserId }
  );

/** Writes a change of a score, as part of a statement. It must come after the posting of its money (migration 0065). */
export function countingOf(counted: Counted | null, at: Instant): RawBuilder<number | null> {
  if (counted === null) return sql`null::bigint`;
  const { customerId, kind, orderId, amountFen, pointsE2 } = counted;
  const by = counted.kind === 'adjusted' ? sql`, ${counted.reason}, ${counted.userId}` : sql``;
  return sql`count_credit(${customerId}, ${kind}, ${orderId}, ${amountFen}, ${pointsE2}, to_timestamp(${at} / 1000.0)${by})`;
}

type CountedOrder = { id: OrderId; customer_id: CustomerId | null; payment_type: PaymentType };

/** The credit of a settlement, which is the first that its order counts; null where nothing is to be given. */
export function creditOfSettlement(order: CountedOrder, paidFen: Fen, pointsPerYuan: number): Counted | null {
  if (order.customer_id === null || !isOwnMoney(order.payment_type) || paidFen <= 0 || pointsPerYuan === 0) return null;
  const credit = creditChange({ amountFen: zeroFen, pointsE2: 0 }, paidFen, pointsPerYuan);
  return { ...credit, kind: 'order_paid', customerId: order.customer_id, orderId: order.id };
}

/**
 * Counts what was really paid of an order after it was settled: a debt (`movedFen` above zero), or money that was
 * returned. Gifts are no payment.
 */
export async function countPaid(
  trx: Trx,
  { id: orderId, customer_id: customerId, payment_type: paymentType }: CountedOrder,
  movedFen: number,
  at: Instant,
): Promise<void> {
  if (customerId === null || !isOwnMoney(paymentType) || movedFen === 0) return;
  const { rows } = await sql<Credit & { rate: string | null }>`
    select coalesce(sum(amount_fen), 0)::bigint as "amountFen", coalesce(sum(points_e2), 0)::bigint as "pointsE2",
           ${creditRateText} as rate
      from credit_movements where order_id = ${orderId}`.execute(trx);
  const [found] = rows;
  if (found === undefined) throw new Error('an aggregate gave no row');
  const { rate, ...counted } = found;
  const pointsPerYuan = valueIn(creditRate, rate);
  if (movedFen > 0 && pointsPerYuan === 0) return;
  const change = creditChange(counted, movedFen, pointsPerYuan);
  if (change.amountFen === 0) return;
  const kind = movedFen > 0 ? 'order_paid' : 'order_refunded';
  await sql`select ${countingOf({ ...change, kind, customerId, orderId }, at)}`.execute(trx);
}
