import type { CardState } from '@voltdeck/charging/states';
import type { AuditAction } from '@voltdeck/contract/audit-actions';
import type { Card, changeCard as changeRoute } from '@voltdeck/contract/cards';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { CardId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import { giveJob } from '../database/give-job.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { findCard } from './queries.ts';

/** A person's action on whether a card can be used. */
export type CardAct = 'enable' | 'disable' | 'lose' | 'restore';

const actions = {
  enable: 'card.enable',
  disable: 'card.disable',
  lose: 'card.lose',
  restore: 'card.restore',
} as const satisfies Readonly<Record<CardAct, AuditAction>>;

/** The state that an action leads to. A lost card is restored, not enabled. */
function stateAfter(state: CardState, act: CardAct): Result<CardState, ApiError> {
  if (state === 'cancelled') return failed({ code: 'card.cancelled' });
  if (act === 'restore') return state === 'lost' ? ok('active') : failed({ code: 'card.not_lost' });
  if (state === 'lost') return failed({ code: 'card.lost' });
  if (act === 'lose') return ok('lost');
  return ok(act === 'enable' ? 'active' : 'disabled');
}

/** Blocks or unblocks a card. A running charge continues: it began with a usable card. */
export async function blockCard(
  trx: Trx,
  caller: Caller,
  id: CardId,
  act: CardAct,
  at: Instant,
): Promise<Result<Card, ApiError>> {
  const card = await lockCard(trx, caller, id);
  if (card === undefined) return failed({ code: 'record.not_found' });
  const state = stateAfter(card.state, act);
  if (!state.ok) return state;
  const lostAt = state.value === 'lost' ? at : null;
  await trx.updateTable('cards').set({ state: state.value, lost_at: lostAt }).where('id', '=', id).execute();
  if (state.value !== 'active')
    await giveJob(trx, 'clear-blocked-card', { cardId: id }, { key: `clear-blocked-card:${id}` });
  await audit(trx, caller, at, {
    action: actions[act],
    recordKind: 'card',
    recordId: id,
    before: { state: card.state },
    after: { state: state.value },
  });
  return found(await findCard(trx, caller, id));
}

/** Changes what is given of a card's type, amount per tap and expiry; an expiry of null means never. */
export async function changeCard(
  trx: Trx,
  caller: Caller,
  id: CardId,
  form: BodyOf<typeof changeRoute>,
  at: Instant,
): Promise<Result<Card, ApiError>> {
  const card = await lockCard(trx, caller, id);
  if (card === undefined) return failed({ code: 'record.not_found' });
  const { type = card.type, tapAmountFen = card.tap_amount_fen } = form;
  const expiresAt = form.expiresAt === undefined ? isoOrNull(card.expires_at) : form.expiresAt;
  await trx
    .updateTable('cards')
    .set({ type, tap_amount_fen: tapAmountFen, expires_at: expiresAt === null ? null : parseIso(expiresAt) })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    action: 'card.change',
    recordKind: 'card',
    recordId: id,
    before: { type: card.type, tapAmountFen: card.tap_amount_fen, expiresAt: isoOrNull(card.expires_at) },
    after: { type, tapAmountFen, expiresAt },
  });
  return found(await findCard(trx, caller, id));
}

/** A card within the caller's scope, locked: every start with it locks it too. */
export function lockCard(trx: Trx, caller: Caller, id: CardId) {
  return scoped(trx.selectFrom('cards'), caller, 'cards.agent_id')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}
