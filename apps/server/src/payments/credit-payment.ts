import type { Instant } from '@voltdeck/units/instant';
import { audit } from '../caller/audit.ts';
import type { PaidPayment } from '../channels/channel-room.ts';
import type { Trx } from '../database/transact.ts';
import { lockPresentWallet } from '../ledger/present-wallet.ts';
import { lockDebts } from '../orders/repay-debts.ts';
import { tellBalanceLater } from '../orders/tell-balance.ts';
import { lockPromotion } from './promotions/choose-promotion.ts';
import { type RechargeWritten, writeRecharge } from './write-recharge.ts';

/**
 * Puts a payment that its channel reports as paid on the wallet that it is for, repaying debts first, as a recharge does
 * that a person enters. Null where the card was cancelled meanwhile.
 */
export async function creditPayment(trx: Trx, payment: PaidPayment, at: Instant): Promise<RechargeWritten | null> {
  const { wallet, cardId, customerId, agentId, isCancelled } = await lockPresentWallet(trx, payment);
  if (isCancelled) return null;
  const { amountFen, userId, channel } = payment;
  const promotion = await lockPromotion(trx, { cardId, customerId, amountFen, agentId, isPrepaid: false }, at);
  await lockDebts(trx, wallet);
  const written = await writeRecharge(
    trx,
    { wallet, amountFen, source: { channel }, agentId, userId, remark: '', promotion },
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
