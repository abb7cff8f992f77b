import { freezeKey, payOutTransfer } from '@voltdeck/ledger/payout';
import type { Instant } from '@voltdeck/units/instant';
import { subtractFen } from '@voltdeck/units/money';
import { audit } from '../../caller/audit.ts';
import type { RefundId, Returned } from '../../channels/channel-room.ts';
import type { Trx } from '../../database/transact.ts';
import { postTransfer } from '../../ledger/post-transfer.ts';
import { lockPresentWallet } from '../../ledger/present-wallet.ts';
import { reverseTransfer } from '../../ledger/reverse-transfer.ts';
import { soundTransfer } from '../../orders/hold-money.ts';
import { tellBalanceLater } from '../../orders/tell-balance.ts';
import { markRefunded } from './mark-refunded.ts';

/**
 * A channel has said how the refund of a recharge ended. Done: the frozen money has left. Refused: it is back in the
 * balance with its gifts, and the recharge can be refunded again. Nothing for refunds of something else.
 */
export async function endRefund(trx: Trx, { id, refusal }: Returned<RefundId>, at: Instant): Promise<void> {
  const refund = await trx
    .selectFrom('recharge_refunds as f')
    .innerJoin('recharges as r', 'r.id', 'f.recharge_id')
    .select([
      'f.id',
      'f.number',
      'f.state',
      'f.amount_fen as amountFen',
      'f.gift_fen as giftFen',
      'r.id as rechargeId',
      'r.number as rechargeNumber',
      'r.card_id as cardId',
      'r.customer_id as customerId',
      'r.agent_id as agentId',
      'r.channel',
      'r.amount_fen as rechargeFen',
      'r.refunded_fen as refundedFen',
      'r.refunded_gift_fen as refundedGiftFen',
    ])
    .where('f.channel_refund_id', '=', id)
    .forUpdate(['f', 'r'])
    .executeTakeFirst();
  if (refund === undefined || refund.state !== 'processing') return;
  // A wallet with frozen money is neither replaced nor merged, so it is the one that the refund was taken from.
  const payer = await lockPresentWallet(trx, refund);
  const { wallet } = payer;
  const cause = { kind: 'recharge-refund', id: refund.id } as const;
  const { amountFen, giftFen, channel, number, rechargeId, rechargeNumber, agentId } = refund;
  if (refusal === null) {
    const target = { channel };
    await postTransfer(trx, soundTransfer(payOutTransfer({ cause, wallet, target, amountFen })), at);
  } else {
    const returned = { wallet, type: 'refund_failed', number: rechargeNumber, paidFen: amountFen, giftFen } as const;
    await reverseTransfer(trx, freezeKey(cause), at, [
      { ...returned, agentId, rechargeId, channel, remark: refusal.text },
    ]);
    await markRefunded(trx, {
      id: rechargeId,
      amountFen: refund.rechargeFen,
      refundedFen: subtractFen(refund.refundedFen, amountFen),
      refundedGiftFen: subtractFen(refund.refundedGiftFen, giftFen),
    });
    await tellBalanceLater(trx, payer);
  }
  await trx
    .updateTable('recharge_refunds')
    .set({ state: refusal === null ? 'done' : 'failed', failure: refusal?.text ?? null, ended_at: at })
    .where('id', '=', refund.id)
    .execute();
  await audit(trx, null, at, {
    action: 'recharge.refund_end',
    recordKind: 'recharge',
    recordId: rechargeId,
    after: { number, state: refusal === null ? 'done' : 'failed', failure: refusal?.text ?? null },
  });
}
