import { type Coupon, listCoupons } from '@voltdeck/contract/coupons';
import type { CouponId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { containing } from '../../http/list-page.ts';
import { listSource } from '../../http/list-source.ts';
import { shownName } from '../../http/shown-name.ts';

function couponsAsShown(db: Kysely<Tables>, { language }: Pick<Caller, 'language'>) {
  return db
    .selectFrom('coupons')
    .leftJoin('users', 'users.id', 'coupons.user_id')
    .select([
      'coupons.id',
      'coupons.name',
      'coupons.kind',
      'coupons.amount_fen as amountFen',
      'coupons.percent',
      'coupons.max_fen as maxFen',
      'coupons.from_at as from',
      'coupons.to_at as to',
      'coupons.bearer',
      'coupons.budget_fen as budgetFen',
      'coupons.stopped_at as stoppedAt',
      'coupons.created_at as createdAt',
    ])
    .select([
      sql<Coupon['siteIds']>`coupons.site_ids`.as('siteIds'),
      sql<string | null>`(select string_agg(s.name, ', ' order by s.id) from sites s
                            where s.id = any (coupons.site_ids))`.as('siteNames'),
      sql<Fen>`(select coalesce(sum(u.amount_fen), 0) from customer_coupons u
                  where u.coupon_id = coupons.id)::bigint`.as('usedFen'),
      sql<number>`(select count(*) from customer_coupons u where u.coupon_id = coupons.id)::integer`.as('given'),
      sql<number>`(select count(u.order_id) from customer_coupons u where u.coupon_id = coupons.id)::integer`.as(
        'used',
      ),
      shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('creatorName'),
    ]);
}

type Row = { from: Instant | null; to: Instant | null; stoppedAt: Instant | null; createdAt: Instant };

function toCoupon<Shown extends Row>(row: Shown) {
  return {
    ...row,
    from: isoOrNull(row.from),
    to: isoOrNull(row.to),
    stoppedAt: isoOrNull(row.stoppedAt),
    createdAt: toIso(row.createdAt),
  };
}

export async function findCoupon(db: Kysely<Tables>, caller: Caller, id: CouponId): Promise<Coupon | null> {
  if (caller.agents !== 'all') return null;
  const row = await couponsAsShown(db, caller).where('coupons.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toCoupon(row);
}

export const couponList = listSource({
  route: listCoupons,
  platformOnly: true,
  filtered(db, _caller, { name, kind, bearer, stopped }) {
    let coupons = db.selectFrom('coupons');
    if (name !== undefined) coupons = coupons.where('coupons.name', 'ilike', containing(name));
    if (kind !== undefined) coupons = coupons.where('coupons.kind', 'in', kind);
    if (bearer !== undefined) coupons = coupons.where('coupons.bearer', 'in', bearer);
    if (stopped !== undefined) coupons = coupons.where('coupons.stopped_at', stopped ? 'is not' : 'is', null);
    return coupons;
  },
  id: sql`coupons.id`,
  sorts: { createdAt: sql`coupons.created_at` },
  rows: (db, read) => couponsAsShown(db, read),
  toItem: toCoupon,
});
