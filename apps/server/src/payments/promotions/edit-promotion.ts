import type { ApiError } from '@voltdeck/contract/errors';
import type { Promotion, createPromotion as route } from '@voltdeck/contract/promotions';
import type { BodyOf } from '@voltdeck/contract/route';
import type { PromotionId } from '@voltdeck/units/id';
import { type Instant, parseIso } from '@voltdeck/units/instant';
import { fen, formatYuan } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { found } from '../../http/found.ts';
import { readSecondPersonLimit } from '../../second-person/limits.ts';
import { findPromotion } from './queries.ts';

type Form = BodyOf<typeof route>;

/** Adds a promotion. Gifts are the platform's money, so only the platform decides about them. */
export async function createPromotion(
  trx: Trx,
  caller: Caller,
  form: Form,
  at: Instant,
): Promise<Result<Promotion, ApiError>> {
  const columns = await columnsOf(trx, caller, form);
  if (!columns.ok) return columns;
  const { id } = await trx
    .insertInto('promotions')
    .values({ ...columns.value, user_id: caller.userId, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(trx, caller, at, { action: 'promotion.create', recordKind: 'promotion', recordId: id, after: form });
  return found(await findPromotion(trx, caller, id));
}

export async function changePromotion(
  trx: Trx,
  caller: Caller,
  id: PromotionId,
  form: Form,
  at: Instant,
): Promise<Result<Promotion, ApiError>> {
  const before = await findPromotion(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  const columns = await columnsOf(trx, caller, form);
  if (!columns.ok) return columns;
  await trx.updateTable('promotions').set(columns.value).where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'promotion.change',
    recordKind: 'promotion',
    recordId: id,
    before,
    after: form,
  });
  return found(await findPromotion(trx, caller, id));
}

/** A used promotion explains the gifts of its recharges, so it can only be switched off. */
export async function deletePromotion(
  trx: Trx,
  caller: Caller,
  id: PromotionId,
  at: Instant,
): Promise<Result<null, ApiError>> {
  // A recharge that uses it meanwhile waits for this lock or is waited for.
  const locked = await trx.selectFrom('promotions').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
  if (locked === undefined) return failed({ code: 'record.not_found' });
  const before = await findPromotion(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  if (before.uses > 0) return failed({ code: 'promotion.used' });
  await trx.deleteFrom('promotions').where('id', '=', id).execute();
  await audit(trx, caller, at, { action: 'promotion.delete', recordKind: 'promotion', recordId: id, before });
  return ok(null);
}

async function columnsOf(trx: Trx, caller: Caller, form: Form) {
  if (caller.agents !== 'all') return failed({ code: 'access.denied' as const });
  const from = form.from === undefined || form.from === null ? null : parseIso(form.from);
  const to = form.to === undefined || form.to === null ? null : parseIso(form.to);
  if (from !== null && to !== null && from >= to) return failed({ code: 'promotion.period_invalid' as const });
  const refusal = form.effective ? await whyTooGenerous(trx, form) : null;
  if (refusal !== null) return failed(refusal);
  const agentId = form.agentId ?? null;
  if (agentId !== null) {
    const agent = await trx.selectFrom('agents').select('id').where('id', '=', agentId).executeTakeFirst();
    if (agent === undefined) {
      const fault = { path: 'agentId', code: 'unknown_reference' as const };
      return failed({ code: 'request.invalid' as const, fields: [fault] });
    }
  }
  return ok({
    name: form.name,
    satisfied_fen: form.satisfiedFen,
    gift_fen: form.giftFen,
    effective: form.effective,
    displayed: form.displayed,
    from_at: from,
    to_at: to,
    times_per_person: form.timesPerPerson ?? null,
    scope: form.scope ?? ('both' as const),
    agent_id: agentId,
  });
}

/** What customers pay in by themselves is given its gift without a second person, so the promotion is bounded instead. */
async function whyTooGenerous(trx: Trx, { satisfiedFen, giftFen, timesPerPerson }: Form) {
  const limit = await readSecondPersonLimit(trx, 'recharge');
  if (limit !== 'off' && giftFen > limit) {
    return { code: 'promotion.gift_too_high' as const, params: { limit: formatYuan(fen(limit)) } };
  }
  const isBounded = giftFen <= satisfiedFen || (timesPerPerson ?? null) !== null;
  return isBounded ? null : { code: 'promotion.times_needed' as const };
}
