import { instant, minuteMs } from '@voltdeck/units/instant';
import type { MessageOf, PileMessage } from '@voltdeck/ykc/messages/all';
import { codeOf } from '@voltdeck/ykc/messages/field';
import { stopReason } from '@voltdeck/ykc/messages/stop-reasons';
import type { ChargeKind } from '../charging-curve.ts';
import { type Bill, billOf, periods } from './billing-model.ts';
import { faultBit, type Gun, type GunCharge, noTradeNo, type PileStopReason, startFlags } from './gun.ts';

const u8Max = 0xff;
const u16Max = 0xffff;
const minutesMax = 600;
const cellV = 3.65;
const degreesShift = 50;
/** Wire offset of a current in tenths, which starts at -400 A. */
const ampereShift = 4_000;
const pileMinV = 200;

const within = (value: number, max: number): number => Math.min(max, Math.max(0, Math.round(value)));
const tenths = (value: number): number => within(value * 10, u16Max);
const shiftedTenths = (valueA: number): number => within(valueA * 10 + ampereShift, u16Max);
const degrees = (valueC: number): number => within(valueC + degreesShift, u8Max);

const minutesOf = (charge: GunCharge, now: number): number =>
  Math.floor(Math.max(0, now - charge.startedAt) / minuteMs);

function remainingMinutes({ curve: { point }, vehicle }: GunCharge): number {
  if (point.powerW <= 0) return 0;
  const missingWh = ((vehicle.socTargetPercent - point.socPercent) / 100) * vehicle.batteryWh;
  return within((missingWh / point.powerW) * 60, minutesMax);
}

/** A cell's share of the pack voltage, in hundredths of a volt. */
function cellHundredths({ curve: { point }, vehicle }: GunCharge): number {
  const cells = Math.max(1, Math.round(vehicle.voltageV / cellV));
  return within((point.voltageV / cells) * 100, 2_400);
}

/** 0x13. `now` is event time. */
export function realtimeData(pileNo: string, kind: ChargeKind, gun: Gun, now: number): MessageOf<'realtime-data'> {
  const { charge } = gun;
  const bill = charge === null ? null : billOf(charge.model, charge.energies);
  const point = charge?.curve.point;
  const isDc = kind === 'dc';
  return {
    kind: 'realtime-data',
    tradeNo: charge?.tradeNo ?? noTradeNo,
    pileNo,
    gunNo: gun.number,
    state: gun.fault !== null ? 1 : charge === null ? 2 : 3,
    homed: gun.vehicle === null ? 1 : 0,
    plugged: gun.vehicle === null ? 0 : 1,
    voltage: tenths(point?.voltageV ?? 0),
    current: tenths(point?.currentA ?? 0),
    cableTemp: point === undefined ? 0 : degrees(point.temperatureC),
    cableCode: '0'.repeat(16),
    soc: isDc ? within(point?.socPercent ?? 0, 100) : 0,
    battMaxTemp: isDc && point !== undefined ? degrees(point.temperatureC + 2) : 0,
    chargedMinutes: charge === null ? 0 : within(minutesOf(charge, now), u16Max),
    remainMinutes: isDc && charge !== null ? remainingMinutes(charge) : 0,
    energy: bill?.energyTenthsWh ?? 0,
    lossEnergy: bill?.lossTenthsWh ?? 0,
    amount: bill?.amountHundredthsFen ?? 0,
    hwFault: faultBit(gun.fault),
  };
}

type Head = { tradeNo: string; pileNo: string; gunNo: number };

/** 0x15 and 0x17, once at the start of a DC charge. */
export function handshakeFrames(head: Head, charge: GunCharge, maxPowerKw: number): PileMessage[] {
  const { vehicle, curve } = charge;
  const packMaxV = vehicle.voltageV * 1.12;
  return [
    {
      kind: 'bms-handshake',
      ...head,
      bmsProtoVer: '010100',
      battType: vehicle.voltageV > 500 ? 6 : 3,
      ratedCapacity: tenths(vehicle.batteryWh / vehicle.voltageV),
      ratedVoltage: tenths(vehicle.voltageV),
      maker: 'VDBT',
      packNo: '00000001',
      year: 2024 - 1985,
      month: 6,
      day: 18,
      cycles: 212,
      owner: 1,
      vin: charge.vin,
      bmsSwVer: '010C0AE807FFFFFF',
    },
    {
      kind: 'bms-parameter-config',
      ...head,
      cellMaxV: 425,
      maxCurrent: shiftedTenths(-vehicle.powerMaxW / vehicle.voltageV),
      nominalEnergy: within(vehicle.batteryWh / 100, 10_000),
      packMaxV: tenths(packMaxV),
      maxTemp: degrees(55),
      soc: within(curve.point.socPercent * 10, 1_000),
      packVoltage: tenths(curve.point.voltageV),
      pileMaxV: tenths(1_000),
      pileMinV: tenths(pileMinV),
      pileMaxA: shiftedTenths(-Math.min(600, (maxPowerKw * 1_000) / 300)),
      pileMinA: shiftedTenths(0),
    },
  ];
}

/** 0x23 and 0x25, beside the live data of a DC charge. Charging current is negative, as in GB/T 27930. */
export function batteryFrames(head: Head, charge: GunCharge, now: number): PileMessage[] {
  const { point } = charge.curve;
  const demandA = charge.full ? 0 : point.currentA * 1.05;
  return [
    {
      kind: 'bms-demand',
      ...head,
      demandV: tenths(point.voltageV * 1.02),
      demandA: shiftedTenths(-demandA),
      mode: point.socPercent > 90 ? 1 : 2,
      measV: tenths(point.voltageV),
      measA: shiftedTenths(-point.currentA),
      cellMax: cellHundredths(charge) | (1 << 12),
      soc: within(point.socPercent, 100),
      remainMin: remainingMinutes(charge),
      outV: tenths(point.voltageV),
      outA: shiftedTenths(-point.currentA),
      chargedMin: within(minutesOf(charge, now), minutesMax),
    },
    {
      kind: 'bms-info',
      ...head,
      cellMaxNo: 17,
      maxTemp: degrees(point.temperatureC + 2),
      maxTempPoint: 3,
      minTemp: degrees(point.temperatureC - 1),
      minTempPoint: 9,
      flags1: 0,
      // Charging is allowed.
      flags2: charge.full ? 0 : 1 << 4,
    },
  ];
}

/** Who ended a charge, sent before its statistics: the battery (0x1D), or the charger (0x21). */
function abortFrames(head: Head, reason: PileStopReason): PileMessage[] {
  if (reason === 'finished-soc-full') return [{ kind: 'bms-abort', ...head, reason: 1, fault: 0, error: 0 }];
  const isAbort = reason.startsWith('abort-');
  const fault = reason === 'abort-emergency-stop' ? 1 << 8 : reason === 'abort-pilot-lost' ? 1 << 2 : 0;
  return [{ kind: 'charger-abort', ...head, reason: isAbort ? 1 << 4 : 1 << 2, fault, error: 0 }];
}

/** 0x1D or 0x21 and 0x19, at the end of a DC charge. */
export function endFrames(head: Head, charge: GunCharge, reason: PileStopReason, now: number): PileMessage[] {
  const { point } = charge.curve;
  return [
    ...abortFrames(head, reason),
    {
      kind: 'charging-end-statistics',
      ...head,
      endSoc: within(point.socPercent, 100),
      cellMinV: Math.max(0, cellHundredths(charge) - 3),
      cellMaxV: cellHundredths(charge),
      minTemp: degrees(point.temperatureC - 1),
      maxTemp: degrees(point.temperatureC + 2),
      minutes: within(minutesOf(charge, now), minutesMax),
      energy: within(point.energyWh / 100, u16Max),
      chargerNo: 1,
    },
  ];
}

/** 0x3B. Times are station time. */
export function transactionRecord(
  head: Head,
  charge: Pick<GunCharge, 'startTime' | 'startedBy' | 'card' | 'vin'>,
  end: {
    bill: Bill;
    endTime: number;
    reason: PileStopReason;
    meterStartWh: number;
    meterEndWh: number;
    errorHundredthsFen: number;
  },
): MessageOf<'transaction-record'> {
  const { bill } = end;
  const lines = Object.fromEntries(
    periods.flatMap((period) => {
      const line = bill.lines[period];
      return [
        [`${period}Price`, line.price],
        [`${period}Energy`, line.energyTenthsWh],
        [`${period}LossEnergy`, line.lossTenthsWh],
        [`${period}Amount`, line.amountHundredthsFen],
      ];
    }),
  ) as Record<`${(typeof periods)[number]}${'Price' | 'Energy' | 'LossEnergy' | 'Amount'}`, number>;
  return {
    kind: 'transaction-record',
    ...head,
    ...lines,
    startTime: instant(charge.startTime),
    endTime: instant(end.endTime),
    meterStart: Math.floor(end.meterStartWh * 10 + 1e-5),
    meterEnd: Math.floor(end.meterEndWh * 10 + 1e-5),
    totalEnergy: bill.energyTenthsWh,
    totalLossEnergy: bill.lossTenthsWh,
    totalAmount: Math.max(0, bill.amountHundredthsFen + end.errorHundredthsFen),
    vin: charge.vin,
    startFlag: startFlags[charge.startedBy],
    tradeTime: instant(end.endTime),
    stopReason: codeOf(stopReason, end.reason),
    physCardNo: charge.card,
  };
}
