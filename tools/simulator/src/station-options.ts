import type { OCPP16 } from 'typed-ocpp';
import type { ChargeKind, CurvePoint } from './charging-curve.ts';
import type { Clock } from './clock.ts';
import type { ConnectorStatus } from './connector.ts';
import type { Faults } from './faults.ts';

export type StationOptions = {
  /** Such as ws://127.0.0.1:8080/ocpp; the station number is added to it. */
  url: string;
  number: string;
  /** Basic authentication with the station number as user; none without it. */
  password?: string;
  /** 1 to 100. */
  connectors: number;
  kind: ChargeKind;
  /** The maximum of one connector. */
  maxPowerKw: number;
  seed?: number | string;
  /** Default: real time. */
  clock?: Clock;
  faults?: Partial<Faults>;
  /** Initial values of configuration keys, such as MeterValueSampleInterval. */
  configuration?: Readonly<Record<string, string>>;
  identity?: Partial<OCPP16.BootNotificationRequest>;
  /** Real time to wait for an answer; default 30 s. */
  answerTimeoutMs?: number;
  /** Registers of the meters at the start, one per connector; default: drawn from the seed. */
  registersWh?: readonly number[];
};

export type ConnectorView = {
  number: number;
  status: ConnectorStatus;
  registerWh: number;
  pluggedIn: boolean;
  charge: { card: string; transactionId: number | null; energyWh: number; point: CurvePoint; startedAt: number } | null;
};
