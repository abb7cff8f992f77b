import { minuteMs, secondMs } from '@voltdeck/units/instant';
import type { ChargeKind } from '../charging-curve.ts';
import type { ConnectorFacts } from '../charging-station.ts';
import type { Clock } from '../clock.ts';
import type { PileFaults } from './pile-faults.ts';
import type { PileLink } from './pile-link.ts';

export type PileOptions = {
  /** Such as tcp://127.0.0.1:8768. */
  url: string;
  /** 14 digits. */
  number: string;
  /** 1 to 99. */
  connectors: number;
  /** `dc` or `ac`: this protocol knows no sockets for two-wheelers. */
  kind: ChargeKind;
  /** What one gun can deliver. */
  maxPowerKw: number;
  seed?: number | string;
  /** Default: real time. */
  clock?: Clock;
  faults?: Partial<PileFaults>;
  /** What it says of itself at login: at most 8 characters, 20 digits. */
  identity?: { softwareVersion?: string; sim?: string };
  /** Event time between live data of a charge; default 15 s. */
  sampleMs?: number;
  /** Real time to wait for an answer; default 30 s. */
  answerTimeoutMs?: number;
  /** Registers of the meters at the start, one per gun; default: drawn from the seed. */
  registersWh?: readonly number[];
  /** A socket shared with others, as behind a concentrator; default: its own. */
  link?: PileLink;
  /** What a vehicle that is plugged in without a VIN of its own is called; default: drawn from the seed. */
  vin?: string;
  hasGroundLocks?: boolean;
};

export type GunView = ConnectorFacts & {
  charge: (ConnectorFacts['charge'] & { tradeNo: string; amountHundredthsFen: number }) | null;
};

/** What the protocol wants of a station (section 3.3 of our notes). */
export const pileTimes = {
  heartbeatMs: 10 * secondMs,
  heartbeatsMissedMax: 3,
  idleDataMs: 5 * minuteMs,
  sampleMs: 15 * secondMs,
  /** A start that found no plug takes place if one comes within. */
  plugWaitMs: minuteMs,
  askAgainMs: 10 * secondMs,
} as const;
