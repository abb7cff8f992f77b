import type { StationEvent } from '@voltdeck/charging/station-event';
import { expect, test } from 'vitest';
import { plainAnswer } from './plain-answer.ts';

test('an event whose answer needs no decision has it ready', () => {
  const answers = new Map<StationEvent['kind'], unknown>([
    ['heartbeat', { kind: 'noted' }],
    ['readings-taken', { kind: 'noted' }],
    ['connector-state-changed', { kind: 'noted' }],
    ['charge-noted', { kind: 'noted' }],
    ['ground-lock-changed', { kind: 'noted' }],
    ['firmware-status-changed', { kind: 'noted' }],
    ['diagnostics-status-changed', { kind: 'noted' }],
    ['security-event-reported', { kind: 'noted' }],
    ['certificate-requested', { kind: 'noted' }],
    ['booted', { kind: 'boot', decision: 'accepted', heartbeatSeconds: 77 }],
    ['authorization-requested', null],
    ['charge-requested', null],
    ['charge-started', null],
    ['charge-stopped', null],
    ['tariff-reported', null],
    ['tariff-requested', null],
    ['data-transferred', null],
  ]);
  for (const [kind, answer] of answers) expect(plainAnswer({ kind } as StationEvent, 77)).toEqual(answer);
});
