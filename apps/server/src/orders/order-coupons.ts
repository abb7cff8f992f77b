import type { CouponTime, OfferedCoupon } from '@voltdeck/ledger/coupon';
import type { CouponBearer, CouponUse } from '@voltdeck/ledger/settle';
import type { CouponId, CustomerCouponId, OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type RawBuilder, sql } from 'kysely';
import { TransactionConflict } from '../database/is-database-away.ts';
import type { Trx } from '../database/transact.ts';

/** A payer's unused coupon that is valid for an order, as the facts of a settlement have it. */
export type PayerCoupon = OfferedCoupon &
  CouponTime & {
    id: CustomerCouponId;
    couponId: CouponId;
    bearer: CouponBearer;
  };

/** A payer's coupons that a settlement considers: those that end soonest. */
const consideredMax = 50;

/**
 * Beside an order `o` in a `from`: the valid coupons of its payer as `k.coupons`, null without any. An index finds the
 * unused ones of a payer, mostly none.
 */
export const couponsBeside: RawBuilder<unknown> = sql.raw(`
      left join lateral (
        select jsonb_agg(each.coupon) as coupons
          from (select jsonb_build_object('id', cc.id, 'couponId', c.id, 'bearer', c.bearer,
                         'value', case c.kind
                           when 'amount' then jsonb_build_object('kind', c.kind, 'amountFen', c.amount_fen)
                           else jsonb_build_object('kind', c.kind, 'percent', c.percent, 'maxFen', c.max_fen) end,
                         'leftFen', c.budget_fen - c.used_fen,
                         'fromMs', extract(epoch from c.from_at) * 1000,
                         'toMs', extract(epoch from c.to_at) * 1000) as coupon
                  from customer_coupons cc join coupons c on c.id = cc.coupon_id
                 where cc.customer_id = o.customer_id and cc.order_id is null and o.payment_type in ('card', 'online')
                   and c.stopped_at is null
                   and (c.to_at is null or c.to_at > o.placed_at)
                   and (c.site_ids is null or o.site_id = any (c.site_ids))
                   and (c.budget_fen is null or c.used_fen < c.budget_fen)
                 order by c.to_at nulls last, cc.id limit ${consideredMax}) each) k on true`);

/** A coupon that was chosen for an order, and what it takes off. */
export type ChosenCoupon = PayerCoupon & CouponUse;

/**
 * Uses a coupon for an order. Where somebody used it or its budget meanwhile, the settlement is decided again.
 * @throws TransactionConflict
 */
export async function takeCoupon(trx: Trx, orderId: OrderId, coupon: ChosenCoupon, at: Instant): Promise<void> {
  const { id, couponId, amountFen, leftFen } = coupon;
  const used = await trx
    .updateTable('customer_coupons')
    .set({ order_id: orderId, used_at: at, amount_fen: amountFen })
    .where('id', '=', id)
    .where('order_id', 'is', null)
    .executeTakeFirst();
  if (used.numUpdatedRows !== 1n) throw new TransactionConflict(`coupon ${id} was used meanwhile`);
  // Without a budget nobody waits for the row; what it took off is the sum of its uses.
  if (leftFen === null) return;
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
