import type { EventAnswer, StationEvent } from '@voltdeck/charging/station-event';

/** Whether the business has to decide before a station can be answered. */
const needsDecision: Readonly<Record<Exclude<StationEvent['kind'], 'booted'>, boolean>> = {
  heartbeat: false,
  'connector-state-changed': false,
  'readings-taken': false,
  'charge-noted': false,
  'ground-lock-changed': false,
  'firmware-status-changed': false,
  'diagnostics-status-changed': false,
  'security-event-reported': false,
  'certificate-requested': false,
  'authorization-requested': true,
  'charge-requested': true,
  'charge-started': true,
  'charge-stopped': true,
  'tariff-reported': true,
  'tariff-requested': true,
  'data-transferred': true,
};

const noted = { kind: 'noted' } as const;

/**
 * The answer to an event that needs no decision, or null. The gateway may feed it at once, so that the reply and the
 * exchange are known before the event is stored and all three become durable together. A boot is accepted with
 * `heartbeatSeconds`.
 */
export function plainAnswer(event: StationEvent, heartbeatSeconds: number): EventAnswer | null {
  if (event.kind === 'booted') return { kind: 'boot', decision: 'accepted', heartbeatSeconds };
  return needsDecision[event.kind] ? null : noted;
}
