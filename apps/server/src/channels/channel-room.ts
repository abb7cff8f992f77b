import type { ApiError } from '@voltdeck/contract/errors';
import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';
import type { CardId, CustomerId, Id, RechargeId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import type { PaymentChannel, PaymentChannels, Refusal } from './payment-channel.ts';

export type PaymentId = Id<'channel_payment'>;
export type RefundId = Id<'channel_refund'>;
export type PayoutId = Id<'channel_payout'>;

/** A payment that its channel reports as paid. */
export type PaidPayment = {
  id: PaymentId;
  number: string;
  channel: PaymentChannelName;
  cardId: CardId | null;
  customerId: CustomerId | null;
  amountFen: Fen;
  /** Who asked for the code; null where the payer did. */
  userId: UserId | null;
};

/** What to tell the world once it is committed. */
export type AfterCommit = () => void;

/**
 * What the slices do with money that came in or went out, in the transaction in which it is written down. They are
 * given to this room, because it is below them.
 */
export type ChannelOutcomes = {
  /** Puts the money where it belongs; null where that is no more, so that a person decides. */
  paid(
    trx: Trx,
    payment: PaidPayment,
    at: Instant,
  ): Promise<{ rechargeId: RechargeId; afterCommit: AfterCommit } | null>;
  refunded(trx: Trx, refund: Returned<RefundId>, at: Instant): Promise<AfterCommit>;
  paidOut(trx: Trx, payout: Returned<PayoutId>, at: Instant): Promise<AfterCommit>;
  /** The channel contradicts what it said of a payout; null where that moves nothing, so that a person acts. */
  paidOutOtherwise(
    trx: Trx,
    payout: { id: PayoutId; number: string; state: 'done' | 'failed' },
    at: Instant,
  ): Promise<AfterCommit | null>;
  /** The channel reports a payout as made with another amount, for the first time. */
  payoutDiffers(trx: Trx, id: PayoutId): Promise<void>;
  /** A payment changed, with or without money: whoever looks at it is told. */
  changed(payment: { id: PaymentId; cardId: CardId | null; customerId: CustomerId | null }): Promise<void>;
};

/** A refund or payout that has ended; `refusal` is null where it was carried out. */
export type Returned<Id> = { id: Id; number: string; refusal: Refusal | null };

/** What this room needs of the world. */
export type ChannelRoom = {
  db: Kysely<Tables>;
  channels: PaymentChannels;
  outcomes: ChannelOutcomes;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  now(): Instant;
};

/** The channel of a name, unless it is off. */
export function channelOf(channels: PaymentChannels, name: PaymentChannelName): Result<PaymentChannel, ApiError> {
  const channel = channels.get(name);
  return channel === undefined ? failed({ code: 'channel.off' }) : ok(channel);
}
