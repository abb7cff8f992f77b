import type { Random } from './seeded.ts';

export type StationClock =
  | { kind: 'right' }
  /** Ahead (or behind, when negative) of event time. */
  | { kind: 'offset'; offsetMs: number }
  /** Lost at power-up: counts from 1970-01-01. */
  | { kind: 'epoch' }
  /** Local time in Asia/Shanghai, written without a zone. */
  | { kind: 'no-zone' };

/** What is wrong with a station. Every fault can be switched at any time. */
export type Faults = {
  /** Every message goes out twice: the same frame again, the same content under a new id, or both. */
  duplicates: 'none' | 'same-id' | 'new-id' | 'both';
  clock: StationClock;
  /** The link breaks after `upMs` and comes back after `downMs` of event time, for as long as this is set. */
  flapping: { upMs: number; downMs: number } | null;
  /** Power goes `afterMs` into each charge and comes back `offMs` later; the stop is told then, or never. */
  powerCut: { afterMs: number; offMs: number; stop: 'later' | 'never' } | null;
  /** The meter's register falls by `byWh` (not below zero) `afterMs` into each charge. */
  meterRollback: { afterMs: number; byWh: number } | null;
  /** A broken frame goes out before every n-th message. */
  malformedEvery: number | null;
  /** No heartbeats. */
  silent: boolean;
  /** Waits so long before it answers a command, in event time. */
  slowAnswersMs: number;
  refusesRemoteStart: boolean;
  /** Never sends BootNotification when the link comes back without a reboot. */
  noBootOnReconnect: boolean;
  /** The cable lock jams: UnlockConnector fails. */
  lockJams: boolean;
  /** A retry is sent under the id of the first attempt instead of a new one. */
  retriesUnderSameId: boolean;
  /** Breaks the link right after this message went out, once: the answer is lost. Comes back 5 s later. */
  losesAnswerTo: string | null;
  /** Tells this number instead of the one it was given in MeterValues and StopTransaction. */
  wrongTransactionId: number | null;
};

export const noFaults: Readonly<Faults> = {
  duplicates: 'none',
  clock: { kind: 'right' },
  flapping: null,
  powerCut: null,
  meterRollback: null,
  malformedEvery: null,
  silent: false,
  slowAnswersMs: 0,
  refusesRemoteStart: false,
  noBootOnReconnect: false,
  lockJams: false,
  retriesUnderSameId: false,
  losesAnswerTo: null,
  wrongTransactionId: null,
};

const shanghaiOffsetMs = 8 * 3_600_000;

/** The text that a station with this clock writes for an instant of event time. */
export function stationTime(clock: StationClock, at: number, poweredAt: number): string {
  switch (clock.kind) {
    case 'right':
      return new Date(at).toISOString();
    case 'offset':
      return new Date(at + clock.offsetMs).toISOString();
    case 'epoch':
      return new Date(Math.max(0, at - poweredAt)).toISOString();
    case 'no-zone':
      return new Date(at + shanghaiOffsetMs).toISOString().slice(0, 19);
  }
}

/** Frames that real firmware has been seen to send, and worse. The id is one that was never used. */
export function malformedFrame(random: Random, id: string): string {
  return random.pick([
    '',
    '{',
    'null',
    '[]',
    '[2]',
    `[2,"${id}"]`,
    `[,{"action":"Heartbeat"}]`,
    `[2,"${id}","MeterValues",{"connectorId":1,"transactionId":,"meterValue":[]}]`,
    `[2,"${id}","StatusNotification",{"connectorId":"one"}]`,
    `[2,"${id}","NoSuchAction",{}]`,
    `[2,42,"Heartbeat",{}]`,
    `[2,"${id}","Heartbeat",[]]`,
    `[7,"${id}","Heartbeat",{}]`,
    `[3,"${id}",{}]`,
    `[2,"${id}","Heartbeat",{}`,
    `[2,"${'x'.repeat(80)}","Heartbeat",{}]`,
  ]);
}
