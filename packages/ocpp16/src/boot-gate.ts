/** What a station may send before its BootNotification is accepted, and how long we wait for one. */
import { type Instant, instant, secondMs } from '@voltdeck/units/instant';

/** How long a new connection may go without BootNotification before we ask for one: a reconnect is not a reboot. */
export const bootWaitMs = 20 * secondMs;
/**
 * How long a station that was accepted in an earlier connection may stay silent before commands are sent. With the
 * gateway's sweep of one second that takes at most two.
 */
export const reconnectWaitMs = secondMs;
/** How long a station that agreed to send the BootNotification may take before commands are sent without it. */
export const promisedBootWaitMs = 10 * secondMs;

/**
 * - `awaited`: no BootNotification yet, and we have not asked for one
 * - `asked`: our TriggerMessage is out
 * - `promised`: the station agreed to send it
 * - `assumed`: it will not come; the station continues from an earlier connection
 */
type BootState = 'awaited' | 'asked' | 'promised' | 'assumed' | 'accepted' | 'pending' | 'rejected';

export type BootGate = {
  boot: BootState;
  bootDueAt: Instant;
  /** A previously accepted station either boots or just continues; it is not asked which. */
  readonly wasAccepted: boolean;
};

export function awaitBoot(wasAccepted: boolean, now: Instant): BootGate {
  const waitMs = wasAccepted ? reconnectWaitMs : bootWaitMs;
  return { boot: 'awaited', bootDueAt: instant(now + waitMs), wasAccepted };
}

/**
 * A station that has to boot sends nothing else first (OCPP 1.6, section 4.2), so a previously accepted one is
 * continuing.
 */
export function noteAction(gate: BootGate, action: string): void {
  if (gate.boot === 'awaited' && gate.wasAccepted && action !== 'BootNotification') gate.boot = 'assumed';
}

/**
 * OCPP 1.6, section 4.2: what a station may send in each state. A stop is always allowed: the energy of an earlier
 * charge must not be lost.
 */
const fromStation: Readonly<Record<BootState, (action: string) => boolean>> = {
  awaited: () => true,
  asked: () => true,
  promised: () => true,
  assumed: () => true,
  accepted: () => true,
  pending: (action) => action !== 'Authorize' && action !== 'StartTransaction' && action !== 'DataTransfer',
  rejected: (action) => action === 'BootNotification' || action === 'StopTransaction',
};

export function mayStationSay({ boot }: BootGate, action: string): boolean {
  return fromStation[boot](action);
}

/** OCPP 1.6, section 4.2: no remote start or stop while pending, nothing while rejected. */
export function isCallForbidden({ boot }: BootGate, action: string): boolean {
  if (boot === 'rejected') return true;
  return boot === 'pending' && (action === 'RemoteStartTransaction' || action === 'RemoteStopTransaction');
}

/** False while a BootNotification may still come: calls before its answer make stations restart. */
export function hasBootEnded({ boot }: BootGate): boolean {
  return boot !== 'awaited' && boot !== 'asked' && boot !== 'promised';
}

export function bootDueAt({ boot, bootDueAt }: BootGate): number {
  return boot === 'awaited' || boot === 'promised' ? bootDueAt : Number.MAX_SAFE_INTEGER;
}

/** Our request for a BootNotification has ended. */
export function noteBootAsked(gate: BootGate, isPromised: boolean, now: Instant): void {
  if (gate.boot !== 'asked') return;
  gate.boot = isPromised ? 'promised' : 'assumed';
  gate.bootDueAt = instant(now + promisedBootWaitMs);
}

/** Ends the wait for a BootNotification; true when the station has to be asked for it. */
export function endBootWait(
  gate: BootGate,
  { isBooting, isAnswering }: { isBooting: boolean; isAnswering: boolean },
  now: Instant,
): boolean {
  if (now < gate.bootDueAt) return false;
  if (gate.boot === 'promised') gate.boot = 'assumed';
  if (gate.boot !== 'awaited') return false;
  if (isBooting) gate.bootDueAt = instant(now + bootWaitMs);
  else if (gate.wasAccepted) gate.boot = 'assumed';
  else if (isAnswering) gate.bootDueAt = instant(now + secondMs);
  else gate.boot = 'asked';
  return gate.boot === 'asked';
}
