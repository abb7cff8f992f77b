import type { Card, replaceCard as route } from '@voltdeck/contract/cards';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import { cardAccount } from '@voltdeck/ledger/account';
import { totalOf } from '@voltdeck/ledger/parts';
import type { CardId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { giveJob } from '../database/give-job.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { moveWallet } from '../payments/transfers/move-wallet.ts';
import { moveCounts } from '../second-person/ask-second-person.ts';
import { numbersOf, spellingsOfCard, takenNumbers } from './card-numbers.ts';
import { closeCancellations } from './close-cancellations.ts';
import { lockQuietCard } from './lock-quiet-card.ts';
import { findCard } from './queries.ts';

/**
 * Gives everything of a card to a new one: both parts of its money, holder, vehicles, type, expiry, amount per tap and
 * the promotions that it used up.
 * The old one, lost or not, is cancelled and names its successor, which also gets what its orders are refunded later. It
 * keeps the time at which it was reported lost: its successor does not simply pay for what was charged with it since.
 */
export async function replaceCard(
  trx: Trx,
  caller: Caller,
  { id, form }: { id: CardId; form: BodyOf<typeof route> },
  at: Instant,
): Promise<Result<Card, ApiError>> {
  const quiet = await lockQuietCard(trx, caller, id);
  if (!quiet.ok) return quiet;
  const { card, wallet, parts } = quiet.value;
  if (card.state === 'cancelled') return failed({ code: 'card.cancelled' });
  const numbers = numbersOf(form);
  const taken = await takenNumbers(trx, spellingsOfCard(numbers));
  const made =
    taken.size > 0
      ? undefined
      : await trx
          .insertInto('cards')
          .values({
            number: numbers.number,
            physical_number: numbers.physicalNumber,
            type: card.type,
            customer_id: card.customer_id,
            bound_at: card.customer_id === null ? null : at,
            agent_id: card.agent_id,
            tap_amount_fen: card.tap_amount_fen,
            expires_at: card.expires_at,
            created_at: at,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst();
  if (made === undefined) return failed({ code: 'card.number_taken', params: { number: form.number } });
  const successorId = made.id;
  await closeCancellations(trx, caller, id, at);
  await trx.updateTable('cards').set({ state: 'cancelled', successor_id: successorId }).where('id', '=', id).execute();
  await trx.updateTable('vehicles').set({ card_id: successorId }).where('card_id', '=', id).execute();
  await trx.updateTable('promotion_uses').set({ card_id: successorId }).where('card_id', '=', id).execute();
  if (totalOf(parts) > 0) {
    const side = { customerId: null, agentId: card.agent_id };
    const from = { ...side, wallet, cardId: id };
    const to = { ...side, wallet: cardAccount(successorId), cardId: successorId };
    await moveWallet(trx, caller, { kind: 'card_replaced', from, to, moved: parts, reason: '' }, at);
  }
  await moveCounts(trx, { kind: 'card', fromId: id, toId: successorId });
  await giveJob(trx, 'clear-blocked-card', { cardId: id }, { key: `clear-blocked-card:${id}` });
  const after = { number: numbers.number, ...parts };
  await audit(trx, caller, at, {
    action: 'card.replace',
    recordKind: 'card',
    recordId: id,
    before: { state: card.state, number: card.number },
    after: { state: 'cancelled', successor: { id: successorId, ...after } },
  });
  await audit(trx, caller, at, {
    action: 'card.create',
    recordKind: 'card',
    recordId: successorId,
    after: { ...after, replaces: { id, number: card.number } },
  });
  return found(await findCard(trx, caller, successorId));
}
