import { bestCoupon, type OfferedCoupon } from '@voltdeck/ledger/coupon';
import type { CouponBearer, CouponUse } from '@voltdeck/ledger/settle';
import type { CouponId, CustomerCouponId, OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type Fen, fen, subtractFen } from '@voltdeck/units/money';
import { type RawBuilder, sql } from 'kysely';
import { TransactionConflict } from '../database/is-database-away.ts';
import type { Trx } from '../database/transact.ts';

/** A payer's unused coupon that is valid for an order, as the facts of a settlement have it. */
export type PayerCoupon = OfferedCoupon & {
  id: CustomerCouponId;
  couponId: CouponId;
  bearer: CouponBearer;
  fromMs: number | null;
  toMs: number | null;
};

/** A payer's coupons that a settlement considers: those that end soonest. */
const consideredMax = 50;

type CouponRow = {
  id: CustomerCouponId;
  coupon_id: CouponId;
  kind: 'amount' | 'percent';
  amount_fen: number | null;
  percent: number | null;
  max_fen: number | null;
  left_fen: number | null;
  bearer: CouponBearer;
  from_ms: number | null;
  to_ms: number | null;
};

/**
 * Beside an order `o` in a `from`: the valid coupons of its payer as `k.coupons`, null without any. An index finds the
 * unused ones of a payer, mostly none.
 */
export const couponsBeside: RawBuilder<unknown> = sql.raw(`
      left join lateral (
        select jsonb_agg(to_jsonb(each)) as coupons
          from (select cc.id, c.id as coupon_id, c.kind, c.amount_fen, c.percent, c.max_fen,
                       c.budget_fen - c.used_fen as left_fen, c.bearer,
                       extract(epoch from c.from_at) * 1000 as from_ms, extract(epoch from c.to_at) * 1000 as to_ms
                  from customer_coupons cc join coupons c on c.id = cc.coupon_id
                 where cc.customer_id = o.customer_id and cc.order_id is null and o.payment_type in ('card', 'online')
                   and c.stopped_at is null
                   and (c.to_at is null or c.to_at > o.placed_at)
                   and (c.site_ids is null or o.site_id = any (c.site_ids))
                   and (c.budget_fen is null or c.used_fen < c.budget_fen)
                 order by c.to_at nulls last, cc.id limit ${consideredMax}) each) k on true`);

export function payerCouponsOf(rows: readonly CouponRow[] | null): PayerCoupon[] {
  return (rows ?? []).map(
    ({ id, coupon_id, kind, amount_fen, percent, max_fen, left_fen, bearer, from_ms, to_ms }) => ({
      id,
      fromMs: from_ms,
      toMs: to_ms,
      couponId: coupon_id,
      bearer,
      value:
        kind === 'amount'
          ? { kind, amountFen: fen(amount_fen ?? 0) }
          : { kind, percent: percent ?? 0, maxFen: max_fen === null ? null : fen(max_fen) },
      leftFen: left_fen === null ? null : fen(left_fen),
    }),
  );
}

export type ChosenCoupon = CouponUse & { id: CustomerCouponId; couponId: CouponId; hasBudget: boolean };

/** The coupon that takes the most off a service fee that is settled at `at`. */
export function chooseCoupon(coupons: readonly PayerCoupon[], serviceFeeFen: Fen, at: Instant): ChosenCoupon | null {
  const valid = coupons.filter(({ fromMs, toMs }) => (fromMs ?? at) <= at && (toMs === null || at < toMs));
  const best = bestCoupon(valid, serviceFeeFen);
  if (best === null) return null;
  const { id, couponId, bearer, leftFen } = best.coupon;
  return { id, couponId, bearer, amountFen: best.amountFen, hasBudget: leftFen !== null };
}

/**
 * Uses a coupon for an order. Where somebody used it or its budget meanwhile, the settlement is decided again.
 * @throws TransactionConflict
 */
export async function takeCoupon(trx: Trx, orderId: OrderId, coupon: ChosenCoupon, at: Instant): Promise<void> {
  const { id, couponId, amountFen, hasBudget } = coupon;
  const used = await trx
    .updateTable('customer_coupons')
    .set({ order_id: orderId, used_at: at, amount_fen: amountFen })
    .where('id', '=', id)
    .where('order_id', 'is', null)
    .executeTakeFirst();
  if (used.numUpdatedRows !== 1n) throw new TransactionConflict(`coupon ${id} was used meanwhile`);
  // Without a budget nobody waits for the row; what it took off is the sum of its uses.
  if (!hasBudget) return;
  const budgeted = await trx
    .updateTable('coupons')
    .set((eb) => ({ used_fen: eb('used_fen', '+', amountFen) }))
    .where('id', '=', couponId)
    .where('stopped_at', 'is', null)
    .where((eb) => eb(eb('used_fen', '+', amountFen), '<=', eb.ref('budget_fen')))
    .executeTakeFirst();
  if (budgeted.numUpdatedRows !== 1n)
    throw new TransactionConflict(`the budget of coupon ${couponId} was used meanwhile`);
}

/** The coupon that an order used; null for none. */
export async function couponOf(trx: Trx, orderId: OrderId): Promise<CouponUse | null> {
  const used = await trx
    .selectFrom('customer_coupons as u')
    .innerJoin('coupons as c', 'c.id', 'u.coupon_id')
    .select(['u.amount_fen as amountFen', 'c.bearer'])
    .where('u.order_id', '=', orderId)
    .executeTakeFirst();
  if (used === undefined || used.amountFen === null) return null;
  return { amountFen: used.amountFen, bearer: used.bearer };
}

/** The bill after its coupon. */
export function dueFen(amountFen: Fen, coupon: CouponUse | null): Fen {
  return coupon === null ? amountFen : subtractFen(amountFen, coupon.amountFen);
}
