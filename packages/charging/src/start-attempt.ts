import { type Instant, minuteMs } from '@voltdeck/units/instant';
import type { AuthorizationRefusal, StopReason } from './states.ts';

/**
 * How far an attempt to start a charge got, in order: a card was shown or a code scanned, its money was set aside, the
 * station was told to begin, it agreed or began, energy flowed, and the charge ended without a fault or a person's help.
 */
export const startSteps = ['asked', 'paid_for', 'commanded', 'accepted', 'energised', 'ended_clean'] as const;
export type StartStep = (typeof startSteps)[number];

/** Why an attempt got no further. */
export const startDropOuts = [
  'card_unknown',
  'vehicle_unknown',
  'card_blocked',
  'card_expired',
  'payer_busy',
  'too_little_money',
  'station_closed',
  'port_busy',
  'port_fault',
  'price_missing',
  'not_supported',
  'refused_otherwise',
  'station_offline',
  'station_busy',
  'station_refused',
  'no_answer',
  'not_begun',
  'start_failed',
  'cancelled',
  'card_withdrawn',
  'no_energy',
  'emergency_stop',
  'power_loss',
  'station_restarted',
  'station_fault',
  'vehicle_fault',
  'no_stop',
  'awaits_person',
] as const;
export type StartDropOut = (typeof startDropOuts)[number];

/** Attempts of one person at one site that follow each other within this time are one visit. */
export const visitGapMs = 10 * minuteMs;

/** What a charge must exceed to count as a success: 0.2 kWh, and two minutes. */
export const successLimits = { energyWh: 200, durationMs: 2 * minuteMs } as const;

/** Whether an attempt belongs to the visit of the one before it, by the same person at the same site. */
export function continuesVisit(previousAt: Instant | null, at: Instant): boolean {
  return previousAt !== null && previousAt <= at && at - previousAt <= visitGapMs;
}

export function isSuccess(charge: { energyWh: number; startedAt: Instant | null; endedAt: Instant | null }): boolean {
  const { energyWh, startedAt, endedAt } = charge;
  if (startedAt === null || endedAt === null) return false;
  return energyWh > successLimits.energyWh && endedAt - startedAt > successLimits.durationMs;
}

/** Why a charge that ended so is not a clean end; null where it is one. */
export const dropOutOfStop = {
  local: null,
  remote: null,
  balance_exhausted: null,
  time_limit: null,
  vehicle_disconnected: null,
  vehicle_full: null,
  emergency_stop: 'emergency_stop',
  power_loss: 'power_loss',
  reboot: 'station_restarted',
  soft_reset: 'station_restarted',
  hard_reset: 'station_restarted',
  unlock_command: null,
  card_deauthorized: 'card_withdrawn',
  station_fault: 'station_fault',
  target_reached: null,
  vehicle_fault: 'vehicle_fault',
  start_failed: 'start_failed',
  no_stop_received: 'no_stop',
  manual_settlement: 'awaits_person',
  other: null,
} as const satisfies Record<StopReason, StartDropOut | null>;

/** Whether a charge that stopped for this reason went wrong, as the funnel counts it. */
export const isBadStop = (reason: string | null): boolean =>
  reason !== null && reason in dropOutOfStop && dropOutOfStop[reason as StopReason] !== null;

/** Why a station that asked got no yes. */
export const dropOutOfAuthorization = {
  blocked: 'card_blocked',
  expired: 'card_expired',
  unknown: 'card_unknown',
  already_charging: 'payer_busy',
  no_balance: 'too_little_money',
  station_closed: 'station_closed',
  vehicle_unknown: 'vehicle_unknown',
  not_supported: 'not_supported',
} as const satisfies Record<AuthorizationRefusal, StartDropOut>;
