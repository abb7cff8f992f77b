import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { reverseRecharge as route } from '@voltdeck/contract/payments';
import type { BodyOf } from '@voltdeck/contract/route';
import { giftAccount, keyOf, prepaidAccount, receivableAccount, type Wallet } from '@voltdeck/ledger/account';
import type { RechargeId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, formatYuan, minFen, subtractFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { lockAccounts } from '../ledger/lock-accounts.ts';
import { reverseTransfer } from '../ledger/reverse-transfer.ts';
import type { OrderMoved } from '../orders/order-events.ts';
import { canUndoRepayment, lockRepaymentsOf, undoRepayments } from '../orders/repay-debts.ts';
import { askSecondPerson } from '../second-person/ask-second-person.ts';
import { isPayer, lockRecharge, lockWalletOf, walletOf } from './lock-recharge.ts';
import { markMovement } from './movements/mark-movement.ts';

export type RechargeReversed = {
  id: RechargeId;
  wallet: Wallet;
  /** The orders that are owed again, to publish after the commit. */
  owedOrders: OrderMoved[];
};

/**
 * Returns a mistaken recharge to where its money came from. What it repaid is owed again; the rest must still be free
 * in the wallet, because spent money cannot be taken back. Refused where the wallet has ended, by a merge of its owner or
 * a replacement or cancellation of its card: nobody could pay what would be owed there again.
 */
export async function reverseRecharge(
  trx: Trx,
  caller: Caller,
  id: RechargeId,
  body: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<RechargeReversed | Waits, ApiError>> {
  const { reason } = body;
  const recharge = await lockRecharge(trx, caller, id);
  if (recharge === undefined) return failed({ code: 'record.not_found' });
  // Money from outside returns to the outside, which only the platform can confirm.
  if (!isPayer(caller, recharge.agentId)) return failed({ code: 'access.denied' });
  if (recharge.reversedAt !== null) return failed({ code: 'recharge.already_reversed' });
  if (recharge.refundedFen > 0) return failed({ code: 'recharge.already_refunded' });
  // Its channel must be asked to give it back.
  if (recharge.paymentId !== null) return failed({ code: 'recharge.paid_by_channel' });
  const wallet = walletOf(recharge);
  const present = await lockWalletOf(trx, recharge);
  if (keyOf(present.wallet) !== keyOf(wallet)) return failed({ code: 'recharge.wallet_moved' });
  if (present.isCancelled) return failed({ code: 'card.cancelled' });
  const repayments = await lockRepaymentsOf(trx, id);
  const payer = recharge.agentId === null ? [] : [prepaidAccount(recharge.agentId)];
  const balanceOf = await lockAccounts(trx, [wallet, giftAccount(wallet), receivableAccount(wallet), ...payer]);
  const standing = repayments.filter(canUndoRepayment);
  const leftFen = addFen(
    balanceOf(wallet),
    ...standing.map(({ repaidFen, repaidGiftFen }) => subtractFen(repaidFen, repaidGiftFen)),
  );
  const giftLeftFen = addFen(balanceOf(giftAccount(wallet)), ...standing.map(({ repaidGiftFen }) => repaidGiftFen));
  if (leftFen < recharge.amountFen || giftLeftFen < recharge.giftFen || standing.length < repayments.length) {
    return failed({
      code: 'recharge.spent',
      params: { available: formatYuan(minFen(leftFen, recharge.amountFen)) },
    });
  }
  const approval = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'recharge_refund',
      amountFen: recharge.amountFen,
      // Whose money it was, whoever owns the card.
      agentId: recharge.agentId,
      subject: { kind: 'recharge', id, text: recharge.number },
      detail: { rechargeId: id, body },
      reason,
    },
    at,
  );
  if (approval !== null) return ok({ waitsFor: approval });
  const owedOrders = await undoRepayments(
    trx,
    caller,
    wallet,
    standing,
    { rechargeNumber: recharge.number, reason },
    at,
  );
  const { number, agentId } = recharge;
  const movement = {
    wallet,
    number,
    type: 'withdrawal',
    rechargeId: id,
    channel: 'back-office',
    remark: reason,
  } as const;
  const taken = {
    ...movement,
    paidFen: -recharge.amountFen,
    giftFen: -recharge.giftFen,
    agentId: recharge.groupId === null ? agentId : recharge.ownerId,
    userId: caller.userId,
  };
  if (!(await reverseTransfer(trx, `recharge:${id}`, at, [taken])))
    throw new Error(`recharge ${id} was reversed before`);
  await trx
    .updateTable('recharges')
    .set({ reversed_at: at, reversed_by: caller.userId, reversal_reason: reason })
    .where('id', '=', id)
    .execute();
  await markMovement(trx, id, 'reversed');
  await audit(trx, caller, at, {
    action: 'recharge.reverse',
    recordKind: 'recharge',
    recordId: id,
    before: { amountFen: recharge.amountFen },
    after: { reason },
  });
  return ok({ id, wallet, owedOrders });
}
