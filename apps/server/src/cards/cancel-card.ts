import type { Waits } from '@voltdeck/contract/approvals';
import type { Card, CardPayout, cancelCard as route } from '@voltdeck/contract/cards';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import { customerAccount } from '@voltdeck/ledger/account';
import { freezeTransfer, payOutTransfer } from '@voltdeck/ledger/payout';
import type { Transfer, TransferFault } from '@voltdeck/ledger/transfer';
import type { AgentId, CardId, CustomerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { formatYuan, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { giveJob } from '../database/give-job.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { playMoneyOf } from '../ledger/play-money.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { receiptNumber } from '../ledger/receipt-number.ts';
import { moveGift } from '../payments/gifts/move-gift.ts';
import { moveWallet } from '../payments/transfers/move-wallet.ts';
import { askSecondPerson, ChangedSinceAsked } from '../second-person/ask-second-person.ts';
import { closeCancellations } from './close-cancellations.ts';
import { lockQuietCard, type QuietCard } from './lock-quiet-card.ts';
import { findCard } from './queries.ts';

export type Cancelled = {
  card: Card;
  /** Whose balance got the money. */
  customerId: CustomerId | null;
};

/**
 * Cancels a card: what was paid goes out over the counter or to its holder's balance, gifts go back to who gave them. A
 * card that got money after it was cancelled, by the refund of an order, is paid out in the same way.
 * @throws ChangedSinceAsked where an approved payout would reach another holder than was approved.
 */
export async function cancelCard(
  trx: Trx,
  caller: Caller,
  { id, form, holderId }: { id: CardId; form: BodyOf<typeof route>; holderId?: CustomerId | undefined },
  at: Instant,
): Promise<Result<Cancelled | Waits, ApiError>> {
  const quiet = await lockQuietCard(trx, caller, id);
  if (!quiet.ok) return quiet;
  const { card, parts } = quiet.value;
  const { payout = 'cash', reason = '' } = form;
  const { paidFen, giftFen } = parts;
  if (card.state === 'cancelled' && paidFen <= 0 && giftFen <= 0) return failed({ code: 'card.cancelled' });
  const customerId = payout === 'customer' ? card.customer_id : null;
  if (payout === 'customer' && customerId === null) return failed({ code: 'card.no_holder' });
  if (caller.approvalId !== undefined && customerId !== null && customerId !== holderId) {
    throw new ChangedSinceAsked(holderId, customerId);
  }
  if (customerId === null && paidFen > 0) {
    const playFen = await playMoneyOf(trx, quiet.value.wallet);
    if (playFen > 0) return failed({ code: 'card.play_money', params: { play: formatYuan(playFen) } });
  }
  const approval = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'card_cancellation',
      amountFen: paidFen,
      agentId: card.agent_id,
      subject: { kind: 'card', id, text: card.number },
      detail: { cardId: id, body: form, ...(customerId === null ? {} : { holderId: customerId }) },
      reason,
    },
    at,
  );
  if (approval !== null) return ok({ waitsFor: approval });
  await closeCancellations(trx, caller, id, at);
  await trx.updateTable('cards').set({ state: 'cancelled' }).where('id', '=', id).execute();
  if (giftFen > 0) {
    const from = { wallet: quiet.value.wallet, cardId: id, customerId: null, agentId: card.agent_id };
    await moveGift(trx, caller, { kind: 'deducted', target: from, amountFen: giftFen, reason }, at);
  }
  await payOut(trx, caller, quiet.value, { payout, customerId, reason }, at);
  await giveJob(trx, 'clear-blocked-card', { cardId: id }, { key: `clear-blocked-card:${id}` });
  await audit(trx, caller, at, {
    action: 'card.cancel',
    recordKind: 'card',
    recordId: id,
    before: { state: card.state, paidFen, giftFen },
    after: { state: 'cancelled', payout, paidOutFen: paidFen, giftsTakenBackFen: giftFen, reason },
  });
  const cancelled = found(await findCard(trx, caller, id));
  return cancelled.ok ? ok({ card: cancelled.value, customerId: paidFen > 0 ? customerId : null }) : cancelled;
}

type Payout = { payout: CardPayout; customerId: CustomerId | null; reason: string };

/** Takes what was paid off the card, with the record of it. */
async function payOut(
  trx: Trx,
  caller: Caller,
  { card, wallet, parts }: QuietCard,
  { payout, customerId, reason }: Payout,
  at: Instant,
): Promise<void> {
  const { paidFen, giftFen } = parts;
  const payer = payerOf(caller);
  const number = receiptNumber('K', at);
  const { id } = await trx
    .insertInto('card_cancellations')
    .values({
      number,
      card_id: card.id,
      payout,
      customer_id: customerId,
      agent_id: payout === 'cash' ? payer : null,
      paid_fen: paidFen,
      gift_fen: giftFen,
      reason,
      user_id: caller.userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (paidFen <= 0) return;
  if (customerId !== null) {
    const from = { wallet, cardId: card.id, customerId: null, agentId: card.agent_id };
    const to = { wallet: customerAccount(customerId), cardId: null, customerId, agentId: null };
    const moved = { paidFen, giftFen: zeroFen };
    await moveWallet(trx, caller, { kind: 'between', from, to, moved, reason }, at);
    return;
  }
  const cause = { kind: 'card-cancellation', id } as const;
  const withdrawn = {
    type: 'withdrawal',
    number,
    channel: 'back-office',
    userId: caller.userId,
    remark: reason,
  } as const;
  const movement = { ...withdrawn, wallet, paidFen: -paidFen, giftFen: 0, agentId: card.agent_id };
  const frozen = freezeTransfer({ cause, wallet, amountFen: paidFen, giftFen: zeroFen });
  await postTransfer(trx, sound(frozen), at, [movement]);
  // Cash over the counter is out at once. An agent pays it from its own till, and has its prepaid money back.
  const target = payer === null ? ({ channel: 'back-office' } as const) : { agentId: payer };
  await postTransfer(trx, sound(payOutTransfer({ cause, wallet, target, amountFen: paidFen })), at);
}

/** The agent whose people pay out; null for the platform's own. */
function payerOf({ agents }: Caller): AgentId | null {
  return agents === 'all' ? null : (agents[0] ?? null);
}

function sound(made: Result<Transfer, TransferFault>): Transfer {
  if (!made.ok) throw new Error(`a payout cannot be posted: ${made.error.code}`);
  return made.value;
}
