import { cardAccount, customerAccount, type Wallet } from '@voltdeck/ledger/account';
import type { AgentId, CardId, CustomerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { audit } from '../caller/audit.ts';
import type { PaidPayment } from '../channels/channel-room.ts';
import type { Trx } from '../database/transact.ts';
import { lockDebts } from '../orders/repay-debts.ts';
import { tellBalanceLater } from '../orders/tell-balance.ts';
import { lockPromotion } from './promotions/choose-promotion.ts';
import { type RechargeWritten, writeRecharge } from './write-recharge.ts';

/**
 * Puts a payment that its channel reports as paid on the wallet that it is for, repaying debts first, as a recharge does
 * that a person enters. Null where the card was cancelled meanwhile.
 */
export async function creditPayment(trx: Trx, payment: PaidPayment, at: Instant): Promise<RechargeWritten | null> {
  const found = await findWallet(trx, payment);
  if (found === null) return null;
  const { wallet, cardId, customerId, agentId } = found;
  const { amountFen, userId, channel } = payment;
  const promotion = await lockPromotion(trx, { cardId, customerId, amountFen, agentId, isPrepaid: false }, at);
  await lockDebts(trx, wallet);
  const written = await writeRecharge(
    trx,
    { wallet, cardId, customerId, amountFen, source: { channel }, agentId, userId, remark: '', promotion },
    at,
  );
  await audit(trx, null, at, {
    action: 'recharge.pay',
    recordKind: 'recharge',
    recordId: written.id,
    after: { number: written.number, amountFen, channel, paymentNumber: payment.number },
  });
  await tellBalanceLater(trx, { cardId, customerId });
  return written;
}

type Found = { wallet: Wallet; cardId: CardId | null; customerId: CustomerId | null; agentId: AgentId | null };

/**
 * Where the money of a payment goes now: the card that replaced its card, the record that its customer was merged into.
 * Neither changes until the end of the transaction.
 */
async function findWallet(
  trx: Trx,
  { cardId, customerId }: Pick<PaidPayment, 'cardId' | 'customerId'>,
): Promise<Found | null> {
  if (customerId !== null) {
    const { id, intoId } = await trx
      .selectFrom('customers')
      .select(['id', 'merged_into_id as intoId'])
      .where('id', '=', customerId)
      .forShare()
      .executeTakeFirstOrThrow();
    if (intoId !== null) return findWallet(trx, { cardId, customerId: intoId });
    return { wallet: customerAccount(id), cardId: null, customerId: id, agentId: null };
  }
  if (cardId === null) throw new Error('a payment without a wallet');
  const card = await trx
    .selectFrom('cards')
    .select(['state', 'agent_id as agentId', 'successor_id as successorId'])
    .where('id', '=', cardId)
    .forShare()
    .executeTakeFirstOrThrow();
  if (card.successorId !== null) return findWallet(trx, { cardId: card.successorId, customerId });
  // A lost or disabled card keeps its balance; a cancelled one has given it back.
  if (card.state === 'cancelled') return null;
  return { wallet: cardAccount(cardId), cardId, customerId: null, agentId: card.agentId };
}
