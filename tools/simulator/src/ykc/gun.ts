import type { MessageOf } from '@voltdeck/ykc/messages/all';
import type { stopReason } from '@voltdeck/ykc/messages/stop-reasons';
import type { Curve, Vehicle } from '../charging-curve.ts';
import { type Clock, TimerGroup } from '../clock.ts';
import type { ConnectorFault, ConnectorStatus, FaultCode } from '../connector.ts';
import type { Cancel } from '../timer-queue.ts';
import type { BillingModel, PeriodEnergies } from './billing-model.ts';

export type PileStopReason = (typeof stopReason.meanings)[keyof typeof stopReason.meanings];

export const noCard = '0'.repeat(16);
export const noTradeNo = '0'.repeat(32);

/** Codes of 0x3B's startFlag (section 3.4). */
export const startFlags = { remote: 1, card: 2, 'offline-card': 4, vin: 5 } as const;

/** One charge as the station remembers it; survives a lost link and a power cut. */
export type GunCharge = {
  readonly tradeNo: string;
  /** 16 hexadecimal digits of the card's chip; zeros where none is known. */
  readonly card: string;
  readonly startedBy: keyof typeof startFlags;
  /** Event time. */
  readonly startedAt: number;
  /** Station time. */
  readonly startTime: number;
  readonly meterStartWh: number;
  readonly curve: Curve;
  readonly model: BillingModel;
  readonly energies: PeriodEnergies;
  readonly vehicle: Vehicle;
  readonly vin: string;
  /** Charging ends when it is used up; null while nobody counts (offline). */
  balanceFen: number | null;
  advancedAt: number;
  nextSampleAt: number;
  cancelGlance: Cancel;
  full: boolean;
  rolledBack: boolean;
};

/** A claim that waits for the plug: a presented card, or a remote start that was answered "not plugged in". */
export type GunClaim =
  | { kind: 'card'; card: string; cancel: Cancel }
  | { kind: 'remote'; message: MessageOf<'remote-start'>; sequence: number; cancel: Cancel };

/** A gun: what is plugged in, its meter, its state, and the lock of its parking bay. */
export class Gun {
  /** 1 or more. */
  readonly number: number;
  /** The lifetime register of the meter, in watt-hours with fractions. Survives power cuts. */
  registerWh: number;
  /** Timers that end with the charge. */
  readonly chargeTimers: TimerGroup;
  vehicle: Vehicle | null = null;
  vin = '';
  charge: GunCharge | null = null;
  claim: GunClaim | null = null;
  fault: ConnectorFault | null = null;
  /** A charge ended and its vehicle is still plugged in. */
  finishing = false;
  /** The platform is being asked about a card. */
  applying = false;
  chargeCount = 0;
  status: ConnectorStatus = 'Available';
  lock: 'raised' | 'lowered' | 'moving' = 'lowered';
  cancelIdle: Cancel = () => {};

  constructor(number: number, registerWh: number, clock: Clock) {
    this.number = number;
    this.registerWh = registerWh;
    this.chargeTimers = new TimerGroup(clock);
  }

  currentStatus(): ConnectorStatus {
    if (this.fault !== null) return 'Faulted';
    if (this.charge !== null) return this.charge.full ? 'SuspendedEV' : 'Charging';
    if (this.claim !== null || this.applying) return 'Preparing';
    if (this.vehicle !== null) return this.finishing ? 'Finishing' : 'Preparing';
    return 'Available';
  }

  get isFree(): boolean {
    return this.charge === null && this.claim === null && !this.applying && this.fault === null;
  }

  dropClaim(): void {
    this.claim?.cancel();
    this.claim = null;
  }
}

/** Bits of 0x13's hwFault, counted from 1 (section 4.1), for the faults that can occur. */
const faultBits: Readonly<Record<FaultCode, number>> = {
  ConnectorLockFailure: 13,
  EVCommunicationError: 9,
  GroundFailure: 6,
  HighTemperature: 3,
  InternalError: 5,
  LocalListConflict: 2,
  OtherError: 2,
  OverCurrentFailure: 11,
  OverVoltage: 4,
  PowerMeterFailure: 7,
  PowerSwitchFailure: 12,
  ReaderFailure: 8,
  ResetFailure: 10,
  UnderVoltage: 2,
  WeakSignal: 9,
};

export function faultBit(fault: ConnectorFault | null): number {
  return fault === null ? 0 : 1 << (faultBits[fault.errorCode] - 1);
}
