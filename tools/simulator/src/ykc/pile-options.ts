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
  /** `dc` or `ac`: this protocol has no sockets for two-wheelers. */
  kind: ChargeKind;
  /** The maximum of one gun. */
  maxPowerKw: number;
  seed?: number | string;
  /** Default: real time. */
  clock?: Clock;
  faults?: Partial<PileFaults>;
  /** Its identity at login: at most 8 characters, 20 digits. */
  identity?: { softwareVersion?: string; sim?: string };
  /** Event time between live data of a charge; default 15 s. */
  sampleMs?: number;
  /** Real time to wait for an answer; default 30 s. */
  answerTimeoutMs?: number;
  /** Registers of the meters at the start, one per gun; default: drawn from the seed. */
  registersWh?: readonly number[];
  /** A socket shared with others, as behind a concentrator; default: its own. */
  link?: PileLink;
  /** The VIN of vehicles without their own; default: drawn from the seed. */
  vin?: string;
  hasGroundLocks?: boolean;
};

export type GunView = ConnectorFacts & {
  charge: (ConnectorFacts['charge'] & { tradeNo: string; amountHundredthsFen: number }) | null;
};

/** The protocol's times for a station (section 3.3 of our notes). */
export const pileTimes = {
  heartbeatMs: 10 * secondMs,
  heartbeatsMissedMax: 3,
  idleDataMs: 5 * minuteMs,
  sampleMs: 15 * secondMs,
  /** A start without a plug takes place if one comes within this time. */
  plugWaitMs: minuteMs,
  askAgainMs: 10 * secondMs,
} as const;
