import type { ChannelOutcomes, ChannelRoom } from '../channels/channel-room.ts';
import type { Context } from '../context.ts';
import { publishMoved } from '../orders/order-events.ts';
import { endPayout, endPayoutOtherwise, notePayoutDiffers } from '../withdrawals/end-payout.ts';
import { creditPayment } from './credit-payment.ts';
import { endRefund } from './refunds/end-refund.ts';

/** What becomes of money that payment channels report. */
function channelOutcomes(context: Context): ChannelOutcomes {
  return {
    async paid(trx, payment, at) {
      const credited = await creditPayment(trx, payment, at);
      if (credited === null) return null;
      return {
        rechargeId: credited.id,
        afterCommit() {
          for (const order of credited.repaidOrders) publishMoved(context, order);
        },
      };
    },
    async refunded(trx, refund, at) {
      await endRefund(trx, refund, at);
      return () => {};
    },
    async paidOut(trx, payout, at) {
      await endPayout(trx, payout, at);
      return () => {};
    },
    async paidOutOtherwise(trx, payout, at) {
      return (await endPayoutOtherwise(trx, payout, at)) ? () => {} : null;
    },
    payoutDiffers: notePayoutDiffers,
    async changed({ id, cardId }) {
      const card =
        cardId === null
          ? undefined
          : await context.database.db
              .selectFrom('cards')
              .select('agent_id')
              .where('id', '=', cardId)
              .executeTakeFirst();
      context.bus.publish({
        agentId: card?.agent_id ?? null,
        event: { kind: 'recharge-code-changed', rechargeCodeId: id },
      });
    },
  };
}

/** The room of the payment channels, with what the slices do about their money. */
export function channelRoomOf(context: Context<'money'>): ChannelRoom {
  return {
    db: context.database.db,
    channels: context.channels.byName,
    outcomes: channelOutcomes(context),
    log: context.log,
    now: context.now,
  };
}
