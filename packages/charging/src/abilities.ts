import type { SettlementWait } from './charge/charge.ts';
import { type ConnectorState, closedSiteStates, type OrderState, type PaymentState, type SiteState } from './states.ts';
import type { CommandOutcome } from './station-command.ts';

/** Why an action is not possible now. The code is also the phrase key; the console shows it where the button is. */
export const refusals = [
  'order.not_charging',
  'order.already_ended',
  'order.already_handled',
  'order.still_open',
  'order.no_proposal',
  'order.not_dismissible',
  'order.nothing_to_refund',
  'order.refund_too_late',
  'station.offline',
  'station.disabled',
  'site.closed',
  'connector.closed',
  'connector.busy',
  'connector.fault',
] as const;
export type Refusal = (typeof refusals)[number];

export type Ability = { allowed: true } | { allowed: false; because: Refusal };

const allowed: Ability = { allowed: true };
const because = (refusal: Refusal): Ability => ({ allowed: false, because: refusal });

export function canStopOrder(order: { state: OrderState }): Ability {
  if (order.state === 'charging') return allowed;
  return because(order.state === 'placed' ? 'order.not_charging' : 'order.already_ended');
}

/** A placed order's money can be released; energy that flowed has to be settled instead. */
export function canCancelOrder(order: { state: OrderState }): Ability {
  return order.state === 'placed' ? allowed : because('order.already_ended');
}

export function canSettleByHand(order: { state: OrderState }): Ability {
  return order.state === 'charging' || order.state === 'settling' ? allowed : because('order.already_ended');
}

/** A flagged order that has ended keeps its bill; one that waits for a person needs figures to be settled by. */
export function canAcceptOrder(order: {
  state: OrderState;
  waitsFor: SettlementWait | null;
  unhandled: boolean;
  hasProposal: boolean;
}): Ability {
  if (!order.unhandled) return because('order.already_handled');
  if (order.state === 'completed' || order.state === 'cancelled') return allowed;
  if (order.waitsFor !== 'person') return because('order.still_open');
  return order.hasProposal ? allowed : because('order.no_proposal');
}

/** Energy that somebody asked for has to be settled; a charge that nobody placed, or nobody pays for, need not be. */
export function canDismissOrder(order: {
  state: OrderState;
  waitsFor: SettlementWait | null;
  wasPlaced: boolean;
  hasPayer: boolean;
}): Ability {
  if (order.state === 'completed' || order.state === 'cancelled') return because('order.already_ended');
  if (order.waitsFor !== 'person') return because('order.still_open');
  return order.wasPlaced && order.hasPayer ? because('order.not_dismissible') : allowed;
}

/** `isPeriodOver`: more days than the parameter allows have passed since its end. */
export function canRefundOrder(order: {
  state: OrderState;
  paymentState: PaymentState;
  isPeriodOver?: boolean;
}): Ability {
  if (order.state !== 'completed') return because('order.nothing_to_refund');
  // A debt is refunded by reducing it.
  if (order.paymentState === 'refunded') return because('order.nothing_to_refund');
  return order.isPeriodOver === true ? because('order.refund_too_late') : allowed;
}

export function canCommandStation(station: { enabled: boolean; online: boolean }): Ability {
  return station.online ? allowed : because('station.offline');
}

const isClosed = (state: SiteState) => closedSiteStates.some((closed) => closed === state);

export function canStartCharge(
  station: { enabled: boolean; online: boolean; siteState: SiteState },
  connector: { open: boolean; state: ConnectorState },
): Ability {
  if (!station.enabled) return because('station.disabled');
  if (isClosed(station.siteState)) return because('site.closed');
  if (!station.online || connector.state === 'offline') return because('station.offline');
  if (!connector.open || connector.state === 'unavailable') return because('connector.closed');
  if (connector.state === 'fault') return because('connector.fault');
  return connector.state === 'free' || connector.state === 'plugged_in' || connector.state === 'finishing'
    ? allowed
    : because('connector.busy');
}

/** Whether the station agreed, now or for later. */
export function isAgreed(outcome: CommandOutcome): boolean {
  return outcome.kind === 'accepted' || outcome.kind === 'scheduled' || outcome.kind === 'reboot-required';
}
