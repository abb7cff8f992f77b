import type { Coupon, createCoupon as createRoute, giveCoupon as giveRoute } from '@voltdeck/contract/coupons';
import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import type { CouponId } from '@voltdeck/units/id';
import { type Instant, parseIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { found } from '../../http/found.ts';
import { findCoupon } from './queries.ts';

type Form = BodyOf<typeof createRoute>;

/** Adds a coupon. It is the platform that gives up money, or that decides which site does. */
export async function createCoupon(
  trx: Trx,
  caller: Caller,
  form: Form,
  at: Instant,
): Promise<Result<Coupon, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  const fault = await faultOf(trx, form);
  if (fault !== null) return failed({ code: 'request.invalid', fields: [fault] });
  const from = form.from === undefined || form.from === null ? null : parseIso(form.from);
  const to = form.to === undefined || form.to === null ? null : parseIso(form.to);
  if (from !== null && to !== null && from >= to) return failed({ code: 'coupon.period_invalid' });
  const isAmount = form.kind === 'amount';
  const { id } = await trx
    .insertInto('coupons')
    .values({
      name: form.name,
      kind: form.kind,
      amount_fen: isAmount ? (form.amountFen ?? null) : null,
      percent: isAmount ? null : (form.percent ?? null),
      max_fen: isAmount ? null : (form.maxFen ?? null),
      site_ids: (form.siteIds === undefined || form.siteIds.length === 0 ? null : form.siteIds) as never,
      from_at: from,
      to_at: to,
      bearer: form.bearer,
      budget_fen: form.budgetFen ?? null,
      user_id: caller.userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(trx, caller, at, { action: 'coupon.create', recordKind: 'coupon', recordId: id, after: form });
  return found(await findCoupon(trx, caller, id));
}

async function faultOf(trx: Trx, { kind, amountFen, percent, siteIds = [] }: Form): Promise<FieldFault | null> {
  if (kind === 'amount' && amountFen === undefined) return { path: 'amountFen', code: 'required' };
  if (kind === 'percent' && percent === undefined) return { path: 'percent', code: 'required' };
  if (siteIds.length === 0) return null;
  const known = await trx.selectFrom('sites').select('id').where('id', 'in', siteIds).execute();
  return known.length === new Set(siteIds).size ? null : { path: 'siteIds', code: 'unknown_reference' };
}

/** Gives a coupon to people, one more to each. */
export async function giveCoupon(
  trx: Trx,
  caller: Caller,
  id: CouponId,
  { phones, all }: BodyOf<typeof giveRoute>,
  at: Instant,
): Promise<Result<AnswerOf<typeof giveRoute>, ApiError>> {
  const coupon = await findCoupon(trx, caller, id);
  if (coupon === null) return failed({ code: 'record.not_found' });
  if (coupon.stoppedAt !== null) return failed({ code: 'coupon.stopped' });
  if ((phones === undefined) === (all !== true)) {
    return failed({ code: 'request.invalid', fields: [{ path: 'phones', code: 'required' }] });
  }
  const given = await trx
    .insertInto('customer_coupons')
    .columns(['coupon_id', 'customer_id', 'user_id', 'given_at'])
    .expression(
      trx
        .selectFrom('customers')
        .select((eb) => [
          eb.val(id).as('coupon_id'),
          'customers.id',
          eb.val(caller.userId).as('user_id'),
          sql<Instant>`to_timestamp(${at} / 1000.0)`.as('given_at'),
        ])
        .where('state', '=', 'normal')
        .$if(phones !== undefined, (query) => query.where('phone', 'in', phones ?? [])),
    )
    .executeTakeFirstOrThrow();
  const count = Number(given.numInsertedOrUpdatedRows ?? 0);
  const unknownPhones = phones === undefined ? [] : await unknownAmong(trx, phones);
  await audit(trx, caller, at, {
    action: 'coupon.give',
    recordKind: 'coupon',
    recordId: id,
    after: { given: count, unknown: unknownPhones.length, all: all === true },
  });
  return ok({ given: count, unknown: unknownPhones.map((phone) => ({ phone })) });
}

async function unknownAmong(trx: Trx, phones: readonly string[]): Promise<string[]> {
  const reached = await trx
    .selectFrom('customers')
    .select('phone')
    .where('state', '=', 'normal')
    .where('phone', 'in', phones)
    .execute();
  const known = new Set(reached.map(({ phone }) => phone));
  return [...new Set(phones)].filter((phone) => !known.has(phone));
}

/** Stops a coupon: unused ones apply no more. Orders keep what theirs took off. */
export async function stopCoupon(
  trx: Trx,
  caller: Caller,
  id: CouponId,
  at: Instant,
): Promise<Result<Coupon, ApiError>> {
  const before = await findCoupon(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  if (before.stoppedAt !== null) return failed({ code: 'coupon.stopped' });
  await trx.updateTable('coupons').set({ stopped_at: at }).where('id', '=', id).execute();
  await audit(trx, caller, at, { action: 'coupon.stop', recordKind: 'coupon', recordId: id });
  return found(await findCoupon(trx, caller, id));
}
