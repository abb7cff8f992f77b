import type { WattHours } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';
import type { Reading } from './reading.ts';
import type { Authorization, ConnectorState, StopReason } from './states.ts';

/**
 * What a station may tell us, in our own words. Every protocol translates into these and nothing above `translate.ts`
 * knows a protocol. `at` is event time as the station's clock has it (absent when the station did not say or its clock
 * is unusable); the receiver keeps its own received time apart.
 */
export type StationEvent =
  | { kind: 'booted'; identity: StationIdentity }
  | { kind: 'heartbeat' }
  | {
      kind: 'connector-state-changed';
      connectorNumber: number;
      state: ConnectorState;
      fault?: StationFault;
      at?: Instant;
    }
  | { kind: 'authorization-requested'; cardNumber: string }
  | ChargeStarted
  | { kind: 'readings-taken'; connectorNumber: number; transactionNumber?: number; readings: readonly Reading[] }
  | ChargeStopped
  | { kind: 'firmware-status-changed'; status: string }
  | { kind: 'diagnostics-status-changed'; status: string }
  | { kind: 'data-transferred'; vendor: string; message?: string; data?: string };

export type ChargeStarted = {
  kind: 'charge-started';
  /** 1 or more. */
  connectorNumber: number;
  cardNumber: string;
  meterStartWh: WattHours;
  /** Event time; absent when the station's clock is unusable (1970, far future, no zone). */
  at?: Instant;
  /** The time exactly as sent: part of the key that recognises a repeated start. */
  stationTime: string;
  reservation?: number;
};

export type ChargeStopped = {
  kind: 'charge-stopped';
  /** The number we gave at the start. 0, negative or unknown numbers occur: firmware that started offline invents them. */
  transactionNumber: number;
  cardNumber?: string;
  meterStopWh: WattHours;
  at?: Instant;
  stationTime: string;
  reason: StopReason;
  readings: readonly Reading[];
};

export type StationIdentity = {
  vendor: string;
  model: string;
  serialNumber?: string;
  firmwareVersion?: string;
  iccid?: string;
  imsi?: string;
  meterType?: string;
  meterSerialNumber?: string;
};

export type StationFault = {
  /** A short code in the protocol's spelling, kept for the technician. */
  code: string;
  info?: string;
  vendorCode?: string;
};

/** What the business answers to an event; a protocol turns it into its own reply. */
export type EventAnswer =
  | { kind: 'noted' }
  | { kind: 'boot'; decision: 'accepted' | 'pending' | 'rejected'; heartbeatSeconds: number }
  | { kind: 'authorization'; authorization: Authorization; parentCardNumber?: string; expiresAt?: Instant }
  | {
      kind: 'charge-started';
      transactionNumber: number;
      authorization: Authorization;
      parentCardNumber?: string;
      expiresAt?: Instant;
    }
  | { kind: 'charge-stopped'; authorization?: Authorization }
  | { kind: 'data-transferred'; status: 'accepted' | 'rejected' | 'unknown_message' | 'unknown_vendor'; data?: string };
