import type { WattHours } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import type { ChargeNote } from './charge-note.ts';
import type { Reading } from './reading.ts';
import type { Authorization, ConnectorState, GroundLockState, ParkingBayState, StopReason } from './states.ts';
import type { StationBill, StationTariff } from './station-bill.ts';
import type { TransactionReference } from './transaction.ts';

/**
 * What a station may tell us, in our own words. Every protocol translates into these and nothing above its `translate`
 * files knows a protocol. `at` is event time as the station's clock has it (absent when the station did not say or its
 * clock is unusable); the receiver keeps its own received time apart.
 */
export type StationEvent = PlainEvent | DecidedEvent;

/**
 * An event whose answer is known before anything is looked up: `noted`. Its reply and its exchange become durable
 * together with what it says.
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
      /** What is wrong with the lock, in the protocol's spelling. */
      alarm?: string;
    }
  | { kind: 'firmware-status-changed'; status: string }
  | { kind: 'diagnostics-status-changed'; status: string }
  /** Something that concerns the station's own security, by the name that its protocol gives it. */
  | { kind: 'security-event-reported'; name: string; info?: string; at?: Instant }
  /** It wants its certificate signed; `request` is PEM (PKCS #10). Noted means refused: nobody here signs. */
  | { kind: 'certificate-requested'; request: string };

/** An event that the business decides, and makes durable, before its station is answered. */
export type DecidedEvent =
  | { kind: 'booted'; identity: StationIdentity }
  | { kind: 'authorization-requested'; cardNumber: string }
  | ChargeRequested
  | ChargeStarted
  | ChargeStopped
  /** Which tariff a station that prices by itself runs; it asks whether that is still the one. */
  | { kind: 'tariff-reported'; version: string }
  | { kind: 'tariff-requested' }
  | { kind: 'data-transferred'; vendor: string; message?: string; data?: string };

/** Follows the two unions above: it compiles with their kinds alone, each on its own side. */
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
 * Somebody at the station wants to charge, and the station asks for permission, a name for the charge and the money
 * behind it all at once. What we name here comes back in `charge-started`.
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
  /** Absent when the station begins a charge that it has a name for already, or keeps the card to itself until the end. */
  cardNumber?: string;
  /** How the station knows this charge, when it had a name before it began. */
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
  /** What we named it at the start. 0, negative or unknown ones occur: firmware that started offline invents them. */
  transaction: TransactionReference;
  /** Where the station says it: which gun port charged. */
  connectorNumber?: number;
  cardNumber?: string;
  vin?: string;
  /** By the same register as `meterStartWh`. Absent when the station told none that can be read. */
  meterStopWh?: WattHours;
  /** The start was carried out but no energy ever flowed. */
  failedToStart?: boolean;
  /** The reason as the protocol spells it, kept for the technician. */
  reasonCode?: string;
  /** Absent when the station does not price. */
  bill?: StationBill;
  /** When it began by the same clock as `at`, where the station tells both at the end. */
  startedAt?: Instant;
  at?: Instant;
  stationTime: string;
  reason: StopReason;
  readings: readonly Reading[];
  /** Where nothing of the message could be read but the charge's name: the message as it arrived, and what is wrong with it. */
  unreadable?: { message: string; fault: string };
};

export type StationIdentity = {
  /** Absent where the protocol does not tell. */
  vendor?: string;
  model?: string;
  /** As the station spells it, e.g. 1.6. */
  protocolVersion?: string;
  /** How many gun ports the station says it has. */
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

/** What the business answers to an event; a protocol turns it into its own reply. */
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
      /** How this charge is called from now on; absent when it is refused. */
      transaction?: string;
      /** The number printed on the payer's card. */
      cardNumber?: string;
      /** What the payer has, in fen: the station stops when it is used up. */
      availableFen: Fen;
    }
  | { kind: 'charge-stopped'; authorization?: Authorization }
  | { kind: 'tariff-checked'; isCurrent: boolean }
  /** Null when the station has no tariff that it could run. */
  | { kind: 'tariff'; tariff: StationTariff | null }
  | { kind: 'data-transferred'; status: 'accepted' | 'rejected' | 'unknown_message' | 'unknown_vendor'; data?: string };
