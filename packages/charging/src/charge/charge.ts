import type { WattHours } from '@voltdeck/units/energy';
import type { CardId, ConnectorId, CustomerId, OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import type { AbnormalRule, Authorization, OrderState, PaymentType, StopReason } from '../states.ts';

/** What a finished charge waits for: the station's stop, or a person who looks at a flag. */
export const settlementWaits = ['stop', 'person'] as const;
export type SettlementWait = (typeof settlementWaits)[number];

/** An order as the rules see it: what is known of a charge and of its payer. */
export type Charge = {
  id: OrderId;
  number: string;
  state: OrderState;
  /** Null unless it is `settling`. */
  waitsFor: SettlementWait | null;
  connectorId: ConnectorId;
  connectorNumber: number;
  /** The number we gave it at its start. */
  transactionNumber: number | null;
  /** Its name, where it had one before it began. */
  transactionKey: string | null;
  cardNumber: string | null;
  cardId: CardId | null;
  customerId: CustomerId | null;
  paymentType: PaymentType;
  startAuthorization: Authorization | null;
  /** It was placed by a person or requested at the station before it began: we agreed to it. */
  wasPlaced: boolean;
  /** It has a tariff. */
  isPriced: boolean;
  placedAt: Instant;
  /** By the station's clock, where that is usable. */
  startedAt: Instant | null;
  /** When we received its start, by our own clock. */
  begunAt: Instant | null;
  lastReadingAt: Instant | null;
  endedAt: Instant | null;
  /** Null when the station reported no plausible register. */
  meterStartWh: WattHours | null;
  energyWh: number;
  amountFen: Fen;
  heldFen: Fen;
  hasStationBill: boolean;
};

/** A rule that flagged an order for a person, with its evidence. */
export type Flag = { rule: AbnormalRule; evidence: Readonly<Record<string, unknown>> };

/** A register of the meter at an instant. */
export type Register = { at: Instant; energyWh: number };

/** The outcome of a stop, or of a person's figures. */
export type ChargeEnd = {
  endedAt: Instant;
  /** Null when none was reported: the last plausible reading replaces it. */
  meterStopWh: number | null;
  reason: StopReason;
};

/** Whether the station's stop is still to come: the charge runs, or its stop is missing. */
export function isAwaitingStop({ state, waitsFor }: Pick<Charge, 'state' | 'waitsFor'>): boolean {
  return state === 'charging' || (state === 'settling' && waitsFor === 'stop');
}

/** It has a payer whose money can be taken. */
export function hasPayer({ paymentType, cardId, customerId }: Pick<Charge, 'paymentType' | 'cardId' | 'customerId'>) {
  switch (paymentType) {
    case 'none':
      return false;
    case 'card':
      return cardId !== null;
    case 'online':
      return customerId !== null;
    case 'group':
    case 'member':
    case 'partner':
      return true;
  }
}

/** Its payer is not known yet. A test run has none and never gets one. */
export function lacksPayer(charge: Pick<Charge, 'paymentType' | 'cardId' | 'customerId'>): boolean {
  return charge.paymentType !== 'none' && !hasPayer(charge);
}
