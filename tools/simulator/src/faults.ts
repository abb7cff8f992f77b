import type { Random } from './seeded.ts';

export type StationClock =
  | { kind: 'right' }
  /** Ahead (or behind, when negative) of event time. */
  | { kind: 'offset'; offsetMs: number }
  /** Lost at power-up: counts from 1970-01-01. */
  | { kind: 'epoch' }
  /** Local time in Asia/Shanghai, written without a zone. */
  | { kind: 'no-zone' };

/** The faults of a station. Each can be switched at any time. */
export type Faults = {
  /** Sends every message twice: the same frame again, the same content under a new id, or both. */
  duplicates: 'none' | 'same-id' | 'new-id' | 'both';
  clock: StationClock;
  /** The link breaks after `upMs` and returns after `downMs` of event time, repeatedly. */
  flapping: { upMs: number; downMs: number } | null;
  /** Power fails `afterMs` into each charge and returns `offMs` later; the stop is sent then, or never. */
  powerCut: { afterMs: number; offMs: number; stop: 'later' | 'never' } | null;
  /** The meter's register falls by `byWh` (not below zero) `afterMs` into each charge. */
  meterRollback: { afterMs: number; byWh: number } | null;
  /** Sends a broken frame before every n-th message. */
  malformedEvery: number | null;
  /** No heartbeats. */
  silent: boolean;
  /** The delay before answering a command, in event time. */
  slowAnswersMs: number;
  refusesRemoteStart: boolean;
  /** Never sends BootNotification when the link comes back without a reboot. */
  noBootOnReconnect: boolean;
  /** The cable lock jams: UnlockConnector fails. */
  lockJams: boolean;
  /** Sends a retry under the id of the first attempt instead of a new one. */
  retriesUnderSameId: boolean;
  /** Breaks the link once, right after this message was sent, so that the answer is lost. Returns 5 s later. */
  losesAnswerTo: string | null;
  /** Sends this number instead of the assigned one in MeterValues and StopTransaction. */
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

/** The text of an instant of event time as written by this clock. */
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

/** Frames seen from real firmware, and worse. The id was never used before. */
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
