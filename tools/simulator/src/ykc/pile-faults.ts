import type { Faults, StationClock } from '../faults.ts';

/** The faults of a YKC station: those of any station, and those of this protocol. */
export type PileFaults = Pick<
  Faults,
  'duplicates' | 'flapping' | 'powerCut' | 'meterRollback' | 'silent' | 'refusesRemoteStart' | 'lockJams'
> & {
  /** `epoch` counts from 2000-01-01, the first day of the wire format. Setting the clock remotely does not help. */
  clock: StationClock;
  /** Sends the CRC high byte first, as some vendors do (section 2.2). */
  crcHighFirst: boolean;
  /** Sends bytes that belong to no frame before every n-th frame. */
  garbageEvery: number | null;
  /** Added to the amount of every record (1e-4 yuan), so that it differs from what the platform computes. */
  amountErrorHundredthsFen: number;
};

export const noPileFaults: Readonly<PileFaults> = {
  duplicates: 'none',
  clock: { kind: 'right' },
  flapping: null,
  powerCut: null,
  meterRollback: null,
  silent: false,
  refusesRemoteStart: false,
  lockJams: false,
  crcHighFirst: false,
  garbageEvery: null,
  amountErrorHundredthsFen: 0,
};

/** Midnight in Asia/Shanghai at the start of 2000. */
const firstTimeMs = Date.UTC(1999, 11, 31, 16);

/** What the station's clock shows at an instant of event time, in milliseconds since 1970. */
export function pileTime(clock: StationClock, at: number, poweredAt: number): number {
  switch (clock.kind) {
    case 'right':
    case 'no-zone':
      return at;
    case 'offset':
      return at + clock.offsetMs;
    case 'epoch':
      return firstTimeMs + Math.max(0, at - poweredAt);
  }
}
