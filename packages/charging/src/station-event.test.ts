import { expect, test } from 'vitest';
import { isPlain, type StationEvent } from './station-event.ts';

test.each<[StationEvent['kind'], boolean]>([
  ['heartbeat', true],
  ['readings-taken', true],
  ['connector-state-changed', true],
  ['charge-noted', true],
  ['ground-lock-changed', true],
  ['firmware-status-changed', true],
  ['diagnostics-status-changed', true],
  ['security-event-reported', true],
  ['certificate-requested', true],
  ['booted', false],
  ['authorization-requested', false],
  ['charge-requested', false],
  ['charge-started', false],
  ['charge-stopped', false],
  ['tariff-reported', false],
  ['tariff-requested', false],
  ['data-transferred', false],
])('the event %s is answered without a decision: %s', (kind, expected) => {
  expect(isPlain({ kind } as StationEvent)).toBe(expected);
});
