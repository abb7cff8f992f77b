import type { PaymentAttention, PaymentChannelName } from '@voltdeck/contract/payment-channels';
import type { RechargeId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Trx } from '../database/transact.ts';
import type { AfterCommit, ChannelRoom } from './channel-room.ts';
import type { PaymentFound } from './payment-channel.ts';

export type Taken = {
  outcome:
    | 'settled'
    | 'closed'
    | 'repeated'
    | 'nothing_new'
    /** For a person: money that we do not know, or that was reported in two ways. */
    | 'unknown_number'
    | 'contradiction'
    | PaymentAttention;
  afterCommit: AfterCommit;
};

const needsPerson: ReadonlySet<Taken['outcome']> = new Set([
  'unknown_number',
  'contradiction',
  'amount_differs',
  'paid_after_closing',
  'payer_gone',
]);

/**
 * Acts on what a channel says of a payment, told or asked: under a lock of its row, once. Paid money goes to the slice
 * that it is for in the same transaction; money that does not fit is written down for a person and moves nothing.
 */
export async function takePaymentFound(
  trx: Trx,
  { outcomes, log }: Pick<ChannelRoom, 'outcomes' | 'log'>,
  { channel, number, found }: { channel: PaymentChannelName; number: string; found: PaymentFound },
  at: Instant,
): Promise<Taken> {
  const payment = await trx
    .selectFrom('channel_payments')
    .select(['id', 'number', 'channel', 'state', 'amount_fen as amountFen', 'paid_fen', 'third_party_number'])
    .select(['card_id as cardId', 'customer_id as customerId', 'user_id as userId'])
    .where('channel', '=', channel)
    .where('number', '=', number)
    .forUpdate()
    .executeTakeFirst();
  const tell = (outcome: Taken['outcome'], after: AfterCommit = () => {}): Taken => ({
    outcome,
    afterCommit() {
      if (needsPerson.has(outcome)) log.error({ channel, number, outcome, found }, 'a payment needs a person');
      after();
    },
  });
  if (payment === undefined) return tell(found.state === 'paid' ? 'unknown_number' : 'nothing_new');
  const changed = () => void outcomes.changed(payment);
  if (found.state !== 'paid') {
    const isOpen = payment.state === 'created' || payment.state === 'paying' || payment.state === 'unknown';
    if (found.state !== 'closed' || !isOpen) return tell('nothing_new');
    await trx
      .updateTable('channel_payments')
      .set({ state: 'closed', next_look_at: null, ended_at: at })
      .where('id', '=', payment.id)
      .execute();
    return tell('closed', changed);
  }
  if (payment.state === 'paid') {
    const isSame = payment.third_party_number === found.thirdPartyNumber && payment.paid_fen === found.paidFen;
    return tell(isSame ? 'repeated' : 'contradiction');
  }
  if (await isKnownElsewhere(trx, channel, found.thirdPartyNumber)) return tell('contradiction');

  const settle = async (rechargeId: RechargeId | null, attention: PaymentAttention | null) => {
    await trx
      .updateTable('channel_payments')
      .set({
        state: 'paid',
        third_party_number: found.thirdPartyNumber,
        paid_fen: found.paidFen,
        paid_at: found.paidAt,
        payer: found.payer,
        next_look_at: null,
        ended_at: at,
        recharge_id: rechargeId,
        attention,
      })
      .where('id', '=', payment.id)
      .execute();
  };
  const setAside = async (attention: PaymentAttention) => {
    await settle(null, attention);
    return tell(attention, changed);
  };
  if (found.paidFen !== payment.amountFen) return setAside('amount_differs');
  if (payment.state === 'closed' || payment.state === 'failed') return setAside('paid_after_closing');
  const credited = await outcomes.paid(trx, payment, at);
  if (credited === null) return setAside('payer_gone');
  await settle(credited.rechargeId, null);
  return tell('settled', () => {
    credited.afterCommit();
    changed();
  });
}

async function isKnownElsewhere(trx: Trx, channel: PaymentChannelName, thirdPartyNumber: string): Promise<boolean> {
  const other = await trx
    .selectFrom('channel_payments')
    .select('id')
    .where('channel', '=', channel)
    .where('third_party_number', '=', thirdPartyNumber)
    .executeTakeFirst();
  return other !== undefined;
}
