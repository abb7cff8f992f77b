import type { Faults, StationClock } from '../faults.ts';

/** What is wrong with a YKC station: what can be wrong with any, and what only this protocol knows. */
export type PileFaults = Pick<
  Faults,
  'duplicates' | 'flapping' | 'powerCut' | 'meterRollback' | 'silent' | 'refusesRemoteStart' | 'lockJams'
> & {
  /** `epoch` counts from 2000-01-01, the first day that the wire can tell. Setting the clock from afar does not help. */
  clock: StationClock;
  /** The CRC goes out high byte first, as some vendors send it (section 2.2). */
  crcHighFirst: boolean;
  /** Bytes that belong to no frame go out before every n-th frame. */
  garbageEvery: number | null;
  /** So much is added to the amount of every record (1e-4 yuan): its own sum is not what the platform computes. */
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

/** Midnight in Asia/Shanghai that began the year 2000. */
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
