import type { GiftKind } from '@voltdeck/contract/transfers';
import type { Wallet } from '@voltdeck/ledger/account';
import { giftDeductionTransfer, giftTransfer } from '@voltdeck/ledger/recharge';
import type { AgentId, CardId, CustomerId, WalletGiftId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { postTransfer } from '../../ledger/post-transfer.ts';
import { receiptNumber } from '../../ledger/receipt-number.ts';

type Target = {
  wallet: Wallet;
  cardId: CardId | null;
  customerId: CustomerId | null;
  /** Of the card. */
  agentId: AgentId | null;
};

/**
 * Gives a gift into a wallet or takes gifts back, with their record and movement. The caller has locked the wallet and
 * knows that the gifts are there; the amount is more than zero.
 */
export async function moveGift(
  trx: Trx,
  caller: Caller,
  move: { kind: GiftKind; target: Target; amountFen: Fen; reason: string },
  at: Instant,
): Promise<WalletGiftId> {
  const { kind, target, amountFen, reason } = move;
  const { wallet, cardId, customerId, agentId } = target;
  const isGiven = kind === 'given';
  const number = receiptNumber('G', at);
  const { id } = await trx
    .insertInto('wallet_gifts')
    .values({
      number,
      kind,
      card_id: cardId,
      customer_id: customerId,
      agent_id: agentId,
      amount_fen: amountFen,
      reason,
      user_id: caller.userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const transfer = (isGiven ? giftTransfer : giftDeductionTransfer)({ id, wallet, amountFen });
  if (!transfer.ok) throw new Error(`a gift cannot be posted: ${transfer.error.code}`);
  const posted = await postTransfer(trx, transfer.value, at, [
    {
      wallet,
      type: isGiven ? 'gift' : 'gift_deducted',
      number,
      paidFen: 0,
      giftFen: isGiven ? amountFen : -amountFen,
      agentId,
      userId: caller.userId,
      remark: reason,
    },
  ]);
  if (!posted) throw new Error(`gift ${id} was posted before`);
  return id;
}
