import type { WattHours } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import type { ChargeNote } from './charge-note.ts';
import type { Reading } from './reading.ts';
import type { Authorization, ConnectorState, GroundLockState, ParkingBayState, StopReason } from './states.ts';
import type { StationBill, StationTariff } from './station-bill.ts';
import type { TransactionReference } from './transaction.ts';

/**
 * What a station may report, in our own words. Every protocol translates into these, and nothing above its `translate`
 * files knows a protocol. `at` is event time by the station's clock (absent when the station gave none or its clock is
 * unusable); the receiver keeps its own time separately.
 */
export type StationEvent = PlainEvent | DecidedEvent;

/**
 * An event whose answer is known without looking anything up: `noted`. Its reply and its exchange become durable
 * together with its content.
 */
export type PlainEvent =
  | { kind: 'heartbeat' }
  | {
      kind: 'connector-state-changed';
      connectorNumber: number;
      state: ConnectorState;
      fault?: StationFault;
      at?: Instant;
    }
  | {
      kind: 'readings-taken';
      connectorNumber: number;
      transaction?: TransactionReference;
      readings: readonly Reading[];
    }
  /** What vehicle and charger told each other or us about a charge, beside its meter: for the charging log. */
  | { kind: 'charge-noted'; connectorNumber: number; transaction?: TransactionReference; note: ChargeNote }
  | {
      kind: 'ground-lock-changed';
      connectorNumber: number;
      lock: GroundLockState;
      bay: ParkingBayState;
      /** 0 to 100. */
      batteryPercent: number;
      /** The lock's fault in the protocol's spelling. */
      alarm?: string;
    }
  | { kind: 'firmware-status-changed'; status: string }
  | { kind: 'diagnostics-status-changed'; status: string }
  /** An event of the station's own security, by its name in the protocol. */
  | { kind: 'security-event-reported'; name: string; info?: string; at?: Instant }
  /** It requests a signed certificate; `request` is PEM (PKCS #10). Noted means refused: nobody here signs. */
  | { kind: 'certificate-requested'; request: string };

/** An event that is decided, and made durable, before its station is answered. */
export type DecidedEvent =
  | { kind: 'booted'; identity: StationIdentity }
  | { kind: 'authorization-requested'; cardNumber: string }
  | ChargeRequested
  | ChargeStarted
  | ChargeStopped
  /** The tariff that a self-pricing station runs; it asks whether that is still the right one. */
  | { kind: 'tariff-reported'; version: string }
  | { kind: 'tariff-requested' }
  | { kind: 'data-transferred'; vendor: string; message?: string; data?: string };

/** Follows the two unions above: it only compiles with exactly their kinds, each on its own side. */
const plainKinds: { readonly [Kind in StationEvent['kind']]: Kind extends PlainEvent['kind'] ? true : false } = {
  heartbeat: true,
  'connector-state-changed': true,
  'readings-taken': true,
  'charge-noted': true,
  'ground-lock-changed': true,
  'firmware-status-changed': true,
  'diagnostics-status-changed': true,
  'security-event-reported': true,
  'certificate-requested': true,
  booted: false,
  'authorization-requested': false,
  'charge-requested': false,
  'charge-started': false,
  'charge-stopped': false,
  'tariff-reported': false,
  'tariff-requested': false,
  'data-transferred': false,
};

export function isPlain(event: StationEvent): event is PlainEvent {
  return plainKinds[event.kind];
}

/**
 * A driver wants to charge, and the station asks for permission, a name for the charge and the money behind it all at
 * once. The name we give here comes back in `charge-started`.
 */
export type ChargeRequested = {
  kind: 'charge-requested';
  /** 1 or more. */
  connectorNumber: number;
  by: ChargeClaim;
  /** Of two gun ports that charge one vehicle together: the same text at both. */
  parallelKey?: string;
};

export type ChargeClaim =
  /** The number in the chip. */
  | { kind: 'card'; cardNumber: string }
  | { kind: 'vehicle'; vin: string }
  /** Typed at the station; the password as the station scrambled it, in hexadecimal. */
  | { kind: 'account'; account: string; passwordHash: string };

export type ChargeStarted = {
  kind: 'charge-started';
  /** 1 or more. */
  connectorNumber: number;
  /** Absent when the station begins a charge that already has a name, or withholds the card until the end. */
  cardNumber?: string;
  /** The station's name for this charge, when it had one before it began. */
  transaction?: TransactionReference;
  vin?: string;
  meterStartWh: WattHours;
  /** Event time; absent when the station's clock is unusable (1970, far future, no zone). */
  at?: Instant;
  /** The time exactly as sent: part of the key that recognises a repeated start. */
  stationTime: string;
  reservation?: number;
};

export type ChargeStopped = {
  kind: 'charge-stopped';
  /**
   * The name we gave it at the start. 0, negative or unknown ones occur: firmware that started offline invents them.
   */
  transaction: TransactionReference;
  /** The gun port, where the station reports it. */
  connectorNumber?: number;
  cardNumber?: string;
  vin?: string;
  /** By the same register as `meterStartWh`. Absent when the station reported no readable one. */
  meterStopWh?: WattHours;
  /** The start was carried out but no energy ever flowed. */
  failedToStart?: boolean;
  /** The reason in the protocol's spelling, kept for the technician. */
  reasonCode?: string;
  /** Absent when the station does not price. */
  bill?: StationBill;
  /** When it began by the same clock as `at`, where the station reports both at the end. */
  startedAt?: Instant;
  at?: Instant;
  stationTime: string;
  reason: StopReason;
  readings: readonly Reading[];
  /** Set where nothing but the charge's name was readable: the message as it arrived, and its faults. */
  unreadable?: { message: string; fault: string };
};

export type StationIdentity = {
  /** Absent where the protocol does not say. */
  vendor?: string;
  model?: string;
  /** In the station's spelling, e.g. 1.6. */
  protocolVersion?: string;
  /** Number of gun ports that the station reports. */
  connectorCount?: number;
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

/** The answer to every plain event. */
export const noted = { kind: 'noted' } as const;

/** The decision about an event; a protocol turns it into its own reply. */
export type EventAnswer =
  | typeof noted
  | { kind: 'boot'; decision: 'accepted' | 'pending' | 'rejected'; heartbeatSeconds: number }
  | { kind: 'authorization'; authorization: Authorization; parentCardNumber?: string; expiresAt?: Instant }
  | {
      kind: 'charge-started';
      transactionNumber: number;
      authorization: Authorization;
      parentCardNumber?: string;
      expiresAt?: Instant;
    }
  | {
      kind: 'charge-decided';
      authorization: Authorization;
      /** The name of this charge from now on; absent when it is refused. */
      transaction?: string;
      /** The number printed on the payer's card. */
      cardNumber?: string;
      /** The payer's balance in fen: the station stops when it is used up. */
      availableFen: Fen;
    }
  | { kind: 'charge-stopped'; authorization?: Authorization }
  | { kind: 'tariff-checked'; isCurrent: boolean }
  /** Null when there is no tariff that the station could run. */
  | { kind: 'tariff'; tariff: StationTariff | null }
  | { kind: 'data-transferred'; status: 'accepted' | 'rejected' | 'unknown_message' | 'unknown_vendor'; data?: string };
