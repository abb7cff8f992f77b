/** A pile's transaction record (0x3B) in our words: the end of a charge, its energy and its own bill. */
import { chargeEnergyMaxWh } from '@voltdeck/charging/meter-limits';
import { soundVin } from '@voltdeck/charging/sound-vin';
import type { StopReason } from '@voltdeck/charging/states';
import type { StationBill } from '@voltdeck/charging/station-bill';
import { isBelievable } from '@voltdeck/charging/station-clock';
import type { ChargeStarted, ChargeStopped } from '@voltdeck/charging/station-event';
import { isNamed } from '@voltdeck/charging/transaction';
import { connectorOfTransactionKey } from '@voltdeck/charging/transaction-key';
import { type WattHours, wattHours } from '@voltdeck/units/energy';
import { type Instant, toIso } from '@voltdeck/units/instant';
import type { MessageOf } from './messages/all.ts';
import { type Enumeration, meaningOf } from './messages/field.ts';
import { stopReason } from './messages/stop-reasons.ts';

/** A gun number is one BCD byte. */
export const connectorNumberMax = 99;

type Record3B = MessageOf<'transaction-record'>;
type StopCode = typeof stopReason extends Enumeration<infer Key> ? Key : never;

/**
 * The start and the stop of a record. The start is repeated, since the record may be all that we ever hear of a charge;
 * a failed start without energy has only a stop. An impossible total is no register and is added to `unusable`; the
 * pile's bill keeps it.
 */
export function toRecordEvents(
  record: Record3B,
  now: Instant,
  unusable: string[] = [],
): readonly (ChargeStarted | ChargeStopped)[] {
  const { tradeNo, gunNo } = record;
  const isGun = gunNo >= 1 && gunNo <= connectorNumberMax;
  const connectorNumber = isGun ? gunNo : (connectorOfTransactionKey(tradeNo) ?? 1);
  const startedAt = eventTime(record.startTime, now);
  const endedAt = eventTime(record.endTime, now);
  const code = meaningOf(stopReason, record.stopReason);
  const totalWh = energyWh(record.totalEnergy);
  const isTotalSound = totalWh <= chargeEnergyMaxWh;
  if (!isTotalSound) unusable.push(`totalEnergy: ${record.totalEnergy}`);
  // A pile that lost its meter (0x4D) has no total, either.
  const isEmpty = record.totalEnergy === 0 || (!isTotalSound && hasNoPeriods(record));
  const failedToStart = isEmpty && code?.startsWith('start-') === true;
  const vin = soundVin(soundText(record.vin));
  const who = {
    ...(isNamed(record.physCardNo) && { cardNumber: record.physCardNo }),
    ...(vin !== null && { vin }),
  };
  const stopped: ChargeStopped = {
    kind: 'charge-stopped',
    transaction: tradeNo,
    connectorNumber,
    ...who,
    ...(isTotalSound && { meterStopWh: totalWh }),
    ...(failedToStart && { meterStopWh: wattHours(0) }),
    ...(failedToStart && { failedToStart }),
    reasonCode: hexCode(record.stopReason),
    bill: toBill(record),
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { at: endedAt }),
    stationTime: record.endTime === null ? '' : toIso(record.endTime),
    reason: code === null ? 'other' : stopReasonOf[code],
    readings: [],
  };
  if (failedToStart) return [stopped];
  const started: ChargeStarted = {
    kind: 'charge-started',
    connectorNumber,
    ...who,
    ...(isNamed(tradeNo) && { transaction: tradeNo }),
    meterStartWh: wattHours(0),
    ...(startedAt !== undefined && { at: startedAt }),
    stationTime: startKey(tradeNo, record.startTime),
  };
  return [started, stopped];
}

/** A transaction record shorter than its table: only the charge's name counts. */
export type ShortRecord = {
  readonly kind: 'short-record';
  readonly pileNo: string;
  readonly tradeNo: string;
  /** The whole frame, as in the log. */
  readonly text: string;
};

export const shortBodyFault = 'the body is shorter than its table says';

/** The fields before the cut are not trusted either: nobody knows which bytes are missing. */
export function toUnreadableStop({ tradeNo, text }: ShortRecord): ChargeStopped {
  const connectorNumber = connectorOfTransactionKey(tradeNo);
  return {
    kind: 'charge-stopped',
    transaction: tradeNo,
    ...(connectorNumber !== null && { connectorNumber }),
    stationTime: '',
    reason: 'other',
    readings: [],
    unreadable: { message: text, fault: shortBodyFault },
  };
}

/** Identifies a repeated start: the charge's name, or else the time. */
export function startKey(tradeNo: string, at: Instant | null): string {
  return isNamed(tradeNo) || at === null ? tradeNo : toIso(at);
}

function hasNoPeriods({ sharpEnergy, peakEnergy, flatEnergy, valleyEnergy }: Record3B): boolean {
  return sharpEnergy + peakEnergy + flatEnergy + valleyEnergy === 0;
}

function toBill(record: Record3B): StationBill {
  return {
    periods: [
      {
        period: 'sharp',
        energyTenthsWh: record.sharpEnergy,
        priceE5: record.sharpPrice,
        amountE4: record.sharpAmount,
      },
      { period: 'peak', energyTenthsWh: record.peakEnergy, priceE5: record.peakPrice, amountE4: record.peakAmount },
      { period: 'flat', energyTenthsWh: record.flatEnergy, priceE5: record.flatPrice, amountE4: record.flatAmount },
      {
        period: 'valley',
        energyTenthsWh: record.valleyEnergy,
        priceE5: record.valleyPrice,
        amountE4: record.valleyAmount,
      },
    ],
    energyTenthsWh: record.totalEnergy,
    amountE4: record.totalAmount,
    meterStartTenthsWh: record.meterStart,
    meterStopTenthsWh: record.meterEnd,
  };
}

/** From 1e-4 kWh, a tenth of a Wh, rounded half up. */
export function energyWh(tenths: number): WattHours {
  return wattHours(Math.floor((tenths + 5) / 10));
}

export function hexCode(code: number): string {
  return `0x${code.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Undefined if nothing is legible: zeros, blanks, unreadable bytes. */
export function soundText(text: string): string | undefined {
  const clean = text.replaceAll('\ufffd', '').trim();
  return isNamed(clean) ? clean : undefined;
}

/** Event time, or undefined when the pile's clock is unusable: invalid, months old, or ahead of ours. */
export function eventTime(at: Instant | null, now: Instant): Instant | undefined {
  return at !== null && isBelievable(at, now) ? at : undefined;
}

/** Section 4.6. All failed starts have one reason; the code has the details. */
const stopReasonOf: Readonly<Record<StopCode, StopReason>> = {
  'finished-app': 'remote',
  'finished-soc-full': 'vehicle_full',
  'finished-energy-target': 'target_reached',
  // The only amount that a pile knows is the balance that we sent.
  'finished-money-target': 'balance_exhausted',
  'finished-time-target': 'time_limit',
  'finished-manual': 'local',
  'finished-other': 'other',
  'start-control-fault': 'start_failed',
  'start-pilot-open': 'start_failed',
  'start-breaker': 'start_failed',
  'start-meter-lost': 'start_failed',
  'start-balance': 'start_failed',
  'start-module': 'start_failed',
  'start-emergency-stop': 'start_failed',
  'start-surge-protector': 'start_failed',
  'start-bms-not-ready': 'start_failed',
  'start-temperature': 'start_failed',
  'start-battery-reversed': 'start_failed',
  'start-electronic-lock': 'start_failed',
  'start-contactor': 'start_failed',
  'start-insulation': 'start_failed',
  'start-reserved': 'start_failed',
  'start-bhm-timeout': 'start_failed',
  'start-brm-timeout': 'start_failed',
  'start-bcp-timeout': 'start_failed',
  'start-bro-aa-timeout': 'start_failed',
  'start-bcs-timeout': 'start_failed',
  'start-bcl-timeout': 'start_failed',
  'start-bsm-timeout': 'start_failed',
  'start-voltage-in-bhm': 'start_failed',
  'start-pack-voltage-differs': 'start_failed',
  'start-bro-fell-back': 'start_failed',
  'start-config-timeout': 'start_failed',
  'start-charger-not-ready': 'start_failed',
  'abort-system-locked': 'station_fault',
  'abort-pilot-lost': 'vehicle_disconnected',
  'abort-breaker': 'station_fault',
  'abort-meter-lost': 'station_fault',
  'abort-balance': 'balance_exhausted',
  'abort-ac-protection': 'station_fault',
  'abort-dc-protection': 'station_fault',
  'abort-module': 'station_fault',
  'abort-emergency-stop': 'emergency_stop',
  'abort-surge-protector': 'station_fault',
  'abort-temperature': 'station_fault',
  'abort-output': 'station_fault',
  'abort-no-current': 'station_fault',
  'abort-electronic-lock': 'station_fault',
  'abort-reserved': 'other',
  'abort-total-voltage': 'vehicle_fault',
  'abort-total-current': 'vehicle_fault',
  'abort-cell-voltage': 'vehicle_fault',
  'abort-pack-hot': 'vehicle_fault',
  'abort-highest-cell-voltage': 'vehicle_fault',
  'abort-highest-pack-temperature': 'vehicle_fault',
  'abort-bmv-cell-voltage': 'vehicle_fault',
  'abort-bmt-hot': 'vehicle_fault',
  'abort-battery-state': 'vehicle_fault',
  'abort-vehicle-forbids': 'vehicle_fault',
  'abort-power-loss': 'power_loss',
  'abort-bcs-timeout': 'vehicle_fault',
  'abort-bcl-timeout': 'vehicle_fault',
  'abort-bsm-timeout': 'vehicle_fault',
  'abort-bst-timeout': 'vehicle_fault',
  'abort-bsd-timeout': 'vehicle_fault',
  'abort-ccs-timeout': 'station_fault',
  unknown: 'other',
};
