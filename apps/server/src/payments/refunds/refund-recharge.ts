import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import { isPaymentChannel } from '@voltdeck/contract/payment-channels';
import type { refundRecharge as route } from '@voltdeck/contract/payments';
import type { BodyOf } from '@voltdeck/contract/route';
import { giftAccount, type Wallet } from '@voltdeck/ledger/account';
import { freezeTransfer, giftsTakenBackFen, mostRefundFen, payOutTransfer } from '@voltdeck/ledger/payout';
import type { RechargeId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, formatYuan, minFen, subtractFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { beginRefund } from '../../channels/begin-return.ts';
import { channelOf, type RefundId } from '../../channels/channel-room.ts';
import type { OpenChannels } from '../../channels/open-channels.ts';
import type { Trx } from '../../database/transact.ts';
import { lockAccounts } from '../../ledger/lock-accounts.ts';
import { postTransfer } from '../../ledger/post-transfer.ts';
import { receiptNumber } from '../../ledger/receipt-number.ts';
import { soundTransfer } from '../../orders/hold-money.ts';
import { askSecondPerson } from '../../second-person/ask-second-person.ts';
import { isPayer, type LockedRecharge, lockRecharge, lockWalletOf } from '../lock-recharge.ts';
import { markRefunded } from './mark-refunded.ts';

/** `wallet`: what it was taken from. */
export type RechargeRefunded = { id: RechargeId; wallet: Wallet };

/**
 * Sends money of a recharge back the way it came, at most what is still paid money in the balance: that of the
 * card that replaced its card, of the record that its customer was merged into. The gifts that came
 * with it are taken back in proportion. Where they were charged with meanwhile, less can be refunded: nobody pays for a
 * gift with money that was not put in for it, and the platform does not pay out a gift. Money that leaves by a payment
 * channel stays frozen until the channel has said how it ended, so it does not leave by one that is off.
 */
export async function refundRecharge(
  trx: Trx,
  channels: OpenChannels,
  caller: Caller,
  id: RechargeId,
  body: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<RechargeRefunded | Waits, ApiError>> {
  const recharge = await lockRecharge(trx, caller, id);
  if (recharge === undefined) return failed({ code: 'record.not_found' });
  // Money from outside returns to the outside, which only the platform can confirm.
  if (!isPayer(caller, recharge.agentId)) return failed({ code: 'access.denied' });
  const { wallet } = await lockWalletOf(trx, recharge);
  const giftFen = await checkRefund(trx, recharge, wallet, body);
  if (!giftFen.ok) return giftFen;
  if (recharge.paymentId !== null && isPaymentChannel(recharge.channel)) {
    const channel = channelOf(channels.byName, recharge.channel);
    if (!channel.ok) return channel;
  }
  const approval = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'recharge_refund',
      amountFen: body.amountFen,
      // Whose money it was, whoever owns the card.
      agentId: recharge.agentId,
      subject: { kind: 'recharge', id, text: recharge.number },
      detail: { rechargeId: id, body },
      reason: body.reason,
    },
    at,
  );
  if (approval !== null) return ok({ waitsFor: approval });
  const sent = await sendBack(trx, caller, { recharge, wallet }, { ...body, giftFen: giftFen.value }, at);
  if (!sent.ok) return sent;
  await markRefunded(trx, {
    id,
    amountFen: recharge.amountFen,
    refundedFen: addFen(recharge.refundedFen, body.amountFen),
    refundedGiftFen: addFen(recharge.refundedGiftFen, giftFen.value),
  });
  await audit(trx, caller, at, {
    action: 'recharge.refund',
    recordKind: 'recharge',
    recordId: id,
    after: { ...body, giftFen: giftFen.value, number: sent.value },
  });
  return ok({ id, wallet });
}

/** The gifts to be taken back with an amount, unless it cannot be refunded. */
async function checkRefund(
  trx: Trx,
  recharge: LockedRecharge,
  wallet: Wallet,
  { amountFen }: BodyOf<typeof route>,
): Promise<Result<LockedRecharge['giftFen'], ApiError>> {
  if (recharge.reversedAt !== null) return failed({ code: 'recharge.already_reversed' });
  const leftFen = subtractFen(recharge.amountFen, recharge.refundedFen);
  if (amountFen > leftFen) {
    return failed({ code: 'recharge.refund_too_high', params: { max: formatYuan(leftFen) } });
  }
  const balanceOf = await lockAccounts(trx, [wallet, giftAccount(wallet)]);
  const paidFen = balanceOf(wallet);
  if (amountFen > paidFen) {
    return failed({ code: 'recharge.refund_spent', params: { max: formatYuan(minFen(paidFen, leftFen)) } });
  }
  const freeGiftFen = balanceOf(giftAccount(wallet));
  const dueFen = giftsTakenBackFen({
    amountFen: addFen(recharge.refundedFen, amountFen),
    paidFen: recharge.amountFen,
    giftFen: recharge.giftFen,
  });
  const giftFen = subtractFen(dueFen, recharge.refundedGiftFen);
  if (giftFen > freeGiftFen) {
    const mostFen = subtractFen(
      mostRefundFen({
        takenFen: addFen(recharge.refundedGiftFen, freeGiftFen),
        paidFen: recharge.amountFen,
        giftFen: recharge.giftFen,
      }),
      recharge.refundedFen,
    );
    return failed({
      code: 'recharge.refund_gift_spent',
      params: { gift: formatYuan(giftFen), free: formatYuan(freeGiftFen), max: formatYuan(minFen(mostFen, paidFen)) },
    });
  }
  return ok(giftFen);
}

/** Freezes the money and lets it out; answers the refund's number. */
async function sendBack(
  trx: Trx,
  caller: Caller,
  { recharge, wallet }: { recharge: LockedRecharge; wallet: Wallet },
  { amountFen, reason, giftFen }: BodyOf<typeof route> & { giftFen: LockedRecharge['giftFen'] },
  at: Instant,
): Promise<Result<string, ApiError>> {
  let channelRefundId: RefundId | null = null;
  if (recharge.paymentId !== null) {
    const begun = await beginRefund(
      trx,
      { paymentId: recharge.paymentId, amountFen, reason, userId: caller.userId },
      at,
    );
    if (!begun.ok) return begun;
    channelRefundId = begun.value.id;
  }
  const number = receiptNumber('D', at);
  const isAtOnce = channelRefundId === null;
  const { id } = await trx
    .insertInto('recharge_refunds')
    .values({
      number,
      recharge_id: recharge.id,
      amount_fen: amountFen,
      gift_fen: giftFen,
      state: isAtOnce ? 'done' : 'processing',
      channel_refund_id: channelRefundId,
      reason,
      user_id: caller.userId,
      created_at: at,
      ended_at: isAtOnce ? at : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const cause = { kind: 'recharge-refund', id } as const;
  const { channel, agentId } = recharge;
  await postTransfer(trx, soundTransfer(freezeTransfer({ cause, wallet, amountFen, giftFen })), at, [
    {
      wallet,
      type: 'withdrawal',
      number: recharge.number,
      paidFen: -amountFen,
      giftFen: -giftFen,
      agentId: recharge.ownerId,
      rechargeId: recharge.id,
      channel,
      userId: caller.userId,
      remark: reason,
    },
  ]);
  if (isAtOnce) {
    const target = agentId === null ? { channel } : { agentId };
    await postTransfer(trx, soundTransfer(payOutTransfer({ cause, wallet, target, amountFen })), at);
  }
  return ok(number);
}
