import type { Wallet } from '@voltdeck/ledger/account';
import type { Channel } from '@voltdeck/ledger/chart';
import { prepaidRechargeTransfer, rechargeTransfer } from '@voltdeck/ledger/recharge';
import type { AgentId, RechargeId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, subtractFen, zeroFen } from '@voltdeck/units/money';
import type { Trx } from '../database/transact.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { receiptNumber } from '../ledger/receipt-number.ts';
import type { OrderMoved } from '../orders/order-events.ts';
import { repayDebts } from '../orders/repay-debts.ts';
import type { ChosenPromotion } from './promotions/choose-promotion.ts';

export type RechargeWritten = {
  id: RechargeId;
  number: string;
  /** Orders whose debt it repaid, to publish after the commit. */
  repaidOrders: OrderMoved[];
};

/**
 * Puts money on a wallet, wherever it comes from: the record, the transfer with its movement, and what it repays of
 * debts, the oldest order first. The caller has locked the debts (`lockDebts`).
 */
export async function writeRecharge(
  trx: Trx,
  recharge: {
    /** Of a card, a customer, a group or a partner. */
    wallet: Wallet;
    amountFen: Fen;
    /** A channel from outside, or an agent's prepaid account with what remains in it. */
    source: { channel: Channel } | { agentId: AgentId; prepaidAfterFen: Fen };
    /** Whose it is to see. */
    agentId: AgentId | null;
    userId: UserId | null;
    remark: string;
    /** The promotion that applies, by `lockPromotion`. */
    promotion: ChosenPromotion | null;
    /** What a person gives beside it. */
    giftByHandFen?: Fen;
  },
  at: Instant,
): Promise<RechargeWritten> {
  const { wallet, amountFen, source, agentId, userId, remark, promotion } = recharge;
  const promotionGiftFen = promotion?.giftFen ?? zeroFen;
  const giftFen = addFen(promotionGiftFen, recharge.giftByHandFen ?? zeroFen);
  const isPrepaid = 'prepaidAfterFen' in source;
  const channel = isPrepaid ? 'back-office' : source.channel;
  const number = receiptNumber('R', at);
  const { id } = await trx
    .insertInto('recharges')
    .values({
      number,
      card_id: wallet.kind === 'card' ? wallet.owner : null,
      customer_id: wallet.kind === 'customer' ? wallet.owner : null,
      group_id: wallet.kind === 'group' ? wallet.owner : null,
      partner_id: wallet.kind === 'partner' ? wallet.owner : null,
      amount_fen: amountFen,
      gift_fen: giftFen,
      promotion_id: promotion?.id ?? null,
      promotion_gift_fen: promotionGiftFen,
      channel,
      agent_id: isPrepaid ? source.agentId : null,
      prepaid_after_fen: isPrepaid ? source.prepaidAfterFen : null,
      // Read after the transfer, which locks the account.
      balance_before_fen: zeroFen,
      balance_after_fen: zeroFen,
      remark,
      user_id: userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (promotion !== null) {
    const { customerId: ofCustomer, cardId: ofCard } = promotion.person;
    await trx
      .insertInto('promotion_uses')
      .values({ recharge_id: id, promotion_id: promotion.id, customer_id: ofCustomer, card_id: ofCard })
      .execute();
  }
  const transfer = isPrepaid
    ? prepaidRechargeTransfer({ id, agentId: source.agentId, wallet, amountFen, giftFen })
    : rechargeTransfer({ id, channel, wallet, amountFen, giftFen });
  if (!transfer.ok) throw new Error(`a recharge cannot be posted: ${transfer.error.code}`);
  const movement = {
    wallet,
    // What a person in the back office enters is apart from what a payer pays.
    type: channel === 'back-office' ? 'system_recharge' : 'recharge',
    number,
    paidFen: amountFen,
    giftFen,
    agentId,
    rechargeId: id,
    channel,
    userId,
    remark,
  } as const;
  if (!(await postTransfer(trx, transfer.value, at, [movement]))) throw new Error(`recharge ${id} was posted before`);
  const repaid = await repayDebts(trx, wallet, { rechargeId: id, rechargeNumber: number }, at);
  await trx
    .updateTable('recharges')
    .set({
      repaid_fen: repaid.repaidFen,
      balance_before_fen: subtractFen(addFen(repaid.freeFen, repaid.repaidFen), addFen(amountFen, giftFen)),
      balance_after_fen: repaid.freeFen,
      owed_after_fen: repaid.owedFen,
    })
    .where('id', '=', id)
    .execute();
  return { id, number, repaidOrders: repaid.orders };
}
