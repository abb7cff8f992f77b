import type { ApiError } from '@voltdeck/contract/errors';
import { isPaymentChannel } from '@voltdeck/contract/payment-channels';
import { isDifferenceOpen } from '@voltdeck/contract/reconciliation';
import type { ReconciliationDifferenceId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { type ChannelRoom, channelOf } from '../channels/channel-room.ts';
import { takePaymentFound } from '../channels/take-payment-found.ts';
import { takeReturnFound } from '../channels/take-return-found.ts';
import { transact } from '../database/transact.ts';
import { reconcileDay } from './reconcile-day.ts';

/**
 * Asks the channel about the payment, refund or payout of a difference and acts on what it says as on a notification:
 * under a lock of the record, so that money that was credited before is not credited again. Then the day is compared
 * again, and a difference that is gone ends by itself.
 */
export async function askAboutDifference(
  room: ChannelRoom,
  caller: Caller,
  id: ReconciliationDifferenceId,
): Promise<Result<null, ApiError>> {
  const difference = await room.db
    .selectFrom('reconciliation_differences as d')
    .innerJoin('reconciliation_days as days', 'days.day', 'd.day')
    .leftJoin('channel_payments as p', 'p.id', 'd.payment_id')
    .leftJoin('channel_refunds as r', 'r.id', 'd.refund_id')
    .leftJoin('channel_payments as rp', 'rp.id', 'r.payment_id')
    .leftJoin('channel_payouts as o', 'o.id', 'd.payout_id')
    .select(['d.day', 'd.counterpart', 'd.state', 'days.sealed_at as sealedAt'])
    .select(['p.number as paymentNumber', 'r.number as refundNumber', 'rp.number as refundedNumber'])
    .select('o.number as payoutNumber')
    .where('d.id', '=', id)
    .executeTakeFirst();
  if (difference === undefined || caller.agents !== 'all') return failed({ code: 'record.not_found' });
  const { day, counterpart, state, paymentNumber, refundNumber, refundedNumber, payoutNumber } = difference;
  if (difference.sealedAt !== null) return failed({ code: 'reconciliation.sealed', params: { day } });
  if (!isDifferenceOpen(state)) return failed({ code: 'reconciliation.difference_over' });
  if (!isPaymentChannel(counterpart)) return failed({ code: 'reconciliation.not_askable' });
  const channel = channelOf(room.channels, counterpart);
  if (!channel.ok) return channel;
  const number = paymentNumber ?? refundNumber ?? payoutNumber;
  if (number === null) return failed({ code: 'reconciliation.not_askable' });
  const at = room.now();
  const told = { channel: counterpart, number };
  const note = (outcome: string) => ({
    action: 'reconciliation.ask',
    recordKind: 'reconciliation_difference',
    recordId: id,
    after: { day, number, outcome },
  });
  if (paymentNumber !== null) {
    const asked = await channel.value.queryPayment(number);
    if (asked.outcome !== 'answered') return failed({ code: 'channel.no_answer' });
    const taken = await transact(room.db, async (trx) => {
      const acted = await takePaymentFound(trx, room, { ...told, found: asked.answer }, at);
      await audit(trx, caller, at, note(acted.outcome));
      return ok(acted);
    });
    if (!taken.ok) return taken;
    taken.value.afterCommit();
  } else {
    const kind = refundNumber === null ? 'payout' : 'refund';
    const asked =
      refundNumber === null
        ? await channel.value.queryPayout(number)
        : await channel.value.queryRefund(number, refundedNumber ?? '');
    if (asked.outcome !== 'answered') return failed({ code: 'channel.no_answer' });
    const taken = await transact(room.db, async (trx) => {
      const acted = await takeReturnFound(trx, room, { ...told, kind, found: asked.answer }, at);
      await audit(trx, caller, at, note(acted.outcome));
      return ok(acted);
    });
    if (!taken.ok) return taken;
    taken.value.afterCommit();
  }
  return reconcileDay(room.db, day, at, [counterpart]);
}
