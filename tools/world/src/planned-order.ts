import type { Reading } from '@voltdeck/charging/reading';
import type { AbnormalRule, Authorization, PaymentType, StartMode, StopReason } from '@voltdeck/charging/states';
import { cardAccount, customerAccount, type Wallet } from '@voltdeck/ledger/account';
import type { Channel } from '@voltdeck/ledger/chart';
import type { OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import type { MeteredCharge } from './charge-readings.ts';
import { readingsOf } from './charge-readings.ts';
import type { Card, Customer } from './customers.ts';
import type { Connector } from './network.ts';

/** Money that a customer put into a wallet. */
export type PlannedRecharge = {
  id: number;
  transferId: number;
  at: Instant;
  purse: Purse;
  amountFen: Fen;
  balanceBeforeFen: Fen;
  channel: Channel;
};

export type PlannedHold = { at: Instant; amountFen: Fen };
export type PlannedFlag = { rule: AbnormalRule; at: Instant; evidence: Readonly<Record<string, unknown>> };

type Common = {
  id: OrderId;
  /** Counts the orders from 1. */
  sequence: number;
  /** The first id of its transfers, in order. */
  firstTransferId: number;
  connector: Connector;
  placedAt: Instant;
  startMode: StartMode;
  paymentType: PaymentType;
  /** Null when no known customer pays. */
  purse: Purse | null;
  /** The card presented to the station. */
  cardNumber: string;
  balanceBeforeFen: Fen | null;
  holds: readonly PlannedHold[];
};

export type PlannedCharge = Common & {
  kind: 'charge';
  metered: MeteredCharge;
  meterStopWh: number;
  /** When the server received the station's stop and settled. */
  settledAt: Instant;
  stopReason: StopReason;
  authorization: Authorization;
  electricityFeeFen: Fen;
  serviceFeeFen: Fen;
  energyWh: number;
  paidFen: Fen;
  shortfallFen: Fen;
  socPercent: number | null;
  flags: readonly PlannedFlag[];
  /** When a person dealt with its flags; null while they wait. */
  handledAt: Instant | null;
  refund: { at: Instant; amountFen: Fen; reason: string } | null;
};

export type PlannedCancellation = Common & {
  kind: 'cancelled';
  cancelledAt: Instant;
  outcome: 'rejected' | 'timed-out' | 'not_begun' | 'by-hand';
};

/** A stop with an unknown start, kept for a person to look at. */
export type PlannedRemainder = Common & {
  kind: 'parked';
  endedAt: Instant;
  transactionNumber: number;
  meterStopWh: number;
};

export type PlannedOrder = PlannedCharge | PlannedCancellation | PlannedRemainder;

/** A wallet during the history: its balance and until when a charge uses it. */
export type Purse = {
  wallet: Wallet;
  card: Card | null;
  customer: Customer | null;
  balanceFen: number;
  freeAt: number;
  /** Refunds that are still to come. */
  coming: { at: Instant; amountFen: number }[];
};

export function purseOfCard(card: Card, customer: Customer | null): Purse {
  return { wallet: cardAccount(card.id), card, customer, balanceFen: 0, freeAt: 0, coming: [] };
}

export function purseOfCustomer(customer: Customer): Purse {
  return { wallet: customerAccount(customer.id), card: null, customer, balanceFen: 0, freeAt: 0, coming: [] };
}

export function readingsOfOrder(order: PlannedOrder): Reading[] {
  return order.kind === 'charge' ? readingsOf(order.metered) : [];
}
