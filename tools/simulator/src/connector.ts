import type { OCPP16 } from 'typed-ocpp';
import type { Curve, Vehicle } from './charging-curve.ts';
import type { Clock } from './clock.ts';
import { TimerGroup } from './clock.ts';
import type { Cancel } from './timer-queue.ts';

export type ConnectorStatus = OCPP16.Status;
export type StopReason = NonNullable<OCPP16.StopTransactionRequest['reason']>;
export type FaultCode = Exclude<OCPP16.StatusNotificationRequest['errorCode'], 'NoError'>;
export type ConnectorFault = { errorCode: FaultCode; info?: string; vendorErrorCode?: string };

/** One charge as the station remembers it; survives a lost link and a power cut. */
export type Charge = {
  readonly connectorNumber: number;
  readonly card: string;
  readonly startedBy: 'card' | 'remote';
  /** Event time. */
  readonly startedAt: number;
  readonly meterStartWh: number;
  readonly curve: Curve;
  readonly transactionData: OCPP16.MeterValue[];
  /** Null until the central system has answered the start. */
  transactionId: number | null;
  advancedAt: number;
  nextSampleAt: number;
  cancelGlance: Cancel;
  /** The vehicle takes no more, or someone pulled the plug and the station keeps the charge open. */
  suspended: boolean;
  rolledBack: boolean;
};

/** An accepted card that waits for the plug. */
type Claim = { card: string; startedBy: 'card' | 'remote'; cancel: Cancel };

/** A gun or socket: what is plugged in, its meter and its state. */
export class Connector {
  /** 1 or more. */
  readonly number: number;
  /** The lifetime register of the meter, in watt-hours with fractions. Survives power cuts. */
  registerWh: number;
  /** Timers that end with the charge. */
  readonly chargeTimers: TimerGroup;
  vehicle: Vehicle | null = null;
  charge: Charge | null = null;
  claim: Claim | null = null;
  fault: ConnectorFault | null = null;
  operative = true;
  /** Becomes inoperative when the running charge ends (ChangeAvailability, answered "Scheduled"). */
  inoperativeNext = false;
  /** A charge ended and its vehicle is still plugged in. */
  finishing = false;
  chargeCount = 0;
  /** A card is being authorized. */
  authorizing = false;
  /** The status that the central system has confirmed. */
  toldStatus: string | null = null;
  status: ConnectorStatus = 'Available';
  /** Event time of the last change. */
  statusAt: number;

  constructor(number: number, registerWh: number, clock: Clock) {
    this.number = number;
    this.registerWh = registerWh;
    this.chargeTimers = new TimerGroup(clock);
    this.statusAt = clock.now();
  }

  /** The status, derived from the facts (OCPP 1.6 par. 4.9). */
  currentStatus(): ConnectorStatus {
    if (this.fault !== null) return 'Faulted';
    if (this.charge !== null) return this.charge.suspended ? 'SuspendedEV' : 'Charging';
    if (!this.operative) return 'Unavailable';
    if (this.claim !== null || this.authorizing) return 'Preparing';
    if (this.vehicle !== null) return this.finishing ? 'Finishing' : 'Preparing';
    return 'Available';
  }

  dropClaim(): void {
    this.claim?.cancel();
    this.claim = null;
  }
}
