import type { WattHours } from '@voltdeck/units/energy';
import type { CardId, ConnectorId, CustomerId, OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import type { AbnormalRule, Authorization, OrderState, PaymentType, StopReason } from '../states.ts';

/** Whom a charge waits for once it is over: its station's word, or a person who looks at what is odd about it. */
export const settlementWaits = ['stop', 'person'] as const;
export type SettlementWait = (typeof settlementWaits)[number];

/** An order as the rules see it: what is known of a charge and of who pays for it. */
export type Charge = {
  id: OrderId;
  number: string;
  state: OrderState;
  /** Null unless it is `settling`. */
  waitsFor: SettlementWait | null;
  connectorId: ConnectorId;
  connectorNumber: number;
  /** The number that we gave it when it began. */
  transactionNumber: number | null;
  /** Its name, where it had one before it began. */
  transactionKey: string | null;
  cardNumber: string | null;
  cardId: CardId | null;
  customerId: CustomerId | null;
  paymentType: PaymentType;
  startAuthorization: Authorization | null;
  /** It was placed by a person or asked for at the station before it began: we agreed to it. */
  wasPlaced: boolean;
  /** A tariff stands behind it. */
  isPriced: boolean;
  placedAt: Instant;
  /** By the station's clock, where that can be used. */
  startedAt: Instant | null;
  /** When we heard that it began, by our own clock. */
  begunAt: Instant | null;
  lastReadingAt: Instant | null;
  endedAt: Instant | null;
  /** Null when the station told no register that can be one. */
  meterStartWh: WattHours | null;
  energyWh: number;
  amountFen: Fen;
  heldFen: Fen;
  hasStationBill: boolean;
};

/** A rule that marks an order for a person's attention, with what it saw. */
export type Flag = { rule: AbnormalRule; evidence: Readonly<Record<string, unknown>> };

/** A register of the meter at an instant. */
export type Register = { at: Instant; energyWh: number };

/** What the station's own word about the end, or a person's, comes to. */
export type ChargeEnd = {
  endedAt: Instant;
  /** Null when nobody told it: the last plausible reading stands for it. */
  meterStopWh: number | null;
  reason: StopReason;
};

/** Whether the station's word about the end of a charge is still to come: it runs, or its stop is missing. */
export function isAwaitingStop({ state, waitsFor }: Pick<Charge, 'state' | 'waitsFor'>): boolean {
  return state === 'charging' || (state === 'settling' && waitsFor === 'stop');
}

/** Somebody whose money can be taken stands behind it. */
export function hasPayer({ paymentType, cardId, customerId }: Pick<Charge, 'paymentType' | 'cardId' | 'customerId'>) {
  return paymentType === 'card' ? cardId !== null : customerId !== null;
}
