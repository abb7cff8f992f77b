/** Messages between charger and battery (GB/T 27930), forwarded by the pile. DC piles only. */
import {
  batteryStates,
  bmsAbortErrors,
  bmsAbortFaults,
  bmsAbortReasons,
  cellMaximum,
  chargerAbortErrors,
  chargerAbortFaults,
  chargerAbortReasons,
  chargingErrors,
  connectionStates,
} from './bits.ts';
import { ascii, enumeration, gunNo, message, pileNo, raw, reserved, tradeNo, u8, u16, u32, uint } from './field.ts';

const battType = enumeration('batt-type', {
  1: 'lead-acid',
  2: 'nimh',
  3: 'lifepo4',
  4: 'lmo',
  5: 'lco',
  6: 'nmc',
  7: 'polymer',
  8: 'lto',
  255: 'other',
});
const packOwner = enumeration('pack-owner', { 0: 'leased', 1: 'vehicle' });
const chargeMode = enumeration('charge-mode', { 1: 'constant-voltage', 2: 'constant-current' });

const head = [tradeNo, pileNo, gunNo] as const;
const volt = { decimals: 1, unit: 'V' } as const;
const cellVolt = { decimals: 2, unit: 'V' } as const;
const ampereFromMinus400 = { decimals: 1, shift: -4_000, unit: 'A' } as const;
const celsius = { shift: -50, unit: 'celsius' } as const;
const kilowattHour = { decimals: 1, unit: 'kWh' } as const;

export const bmsHandshake = message('bms-handshake', 0x15, [
  ...head,
  raw('bmsProtoVer', 3, { note: 'V1.1 is 010100' }),
  u8('battType', { meanings: battType }),
  u16('ratedCapacity', { decimals: 1, unit: 'Ah' }),
  u16('ratedVoltage', volt),
  ascii('maker', 4),
  raw('packNo', 4),
  u8('year', { shift: 1_985 }),
  u8('month'),
  u8('day'),
  uint('cycles', 3),
  u8('owner', { meanings: packOwner }),
  reserved('reserved', 1),
  ascii('vin', 17, { label: 'vehicleVin' }),
  raw('bmsSwVer', 8, { note: 'serial, day, month, year (2 bytes), FFFFFF' }),
]);

export const bmsParameterConfig = message('bms-parameter-config', 0x17, [
  ...head,
  u16('cellMaxV', { ...cellVolt, label: 'cellMaxAllowedV' }),
  u16('maxCurrent', ampereFromMinus400),
  u16('nominalEnergy', kilowattHour),
  u16('packMaxV', volt),
  u8('maxTemp', { ...celsius, label: 'maxAllowedTemp' }),
  u16('soc', { decimals: 1, unit: 'percent', label: 'batterySoc' }),
  u16('packVoltage', { ...volt, note: 'the document prints no scale; 0.1 V as in GB/T 27930' }),
  u16('pileMaxV', volt),
  u16('pileMinV', volt),
  u16('pileMaxA', ampereFromMinus400),
  u16('pileMinA', ampereFromMinus400),
]);

export const chargingEndStatistics = message('charging-end-statistics', 0x19, [
  ...head,
  u8('endSoc', { unit: 'percent' }),
  u16('cellMinV', cellVolt),
  u16('cellMaxV', cellVolt),
  u8('minTemp', celsius),
  u8('maxTemp', celsius),
  u16('minutes', { unit: 'min', label: 'chargedMinutes' }),
  u16('energy', { ...kilowattHour, label: 'outputEnergy' }),
  u32('chargerNo'),
]);

export const bmsChargerError = message('bms-charger-error', 0x1b, [...head, raw('err', 8, { bits: chargingErrors })]);

export const bmsAbort = message('bms-abort', 0x1d, [
  ...head,
  u8('reason', { bits: bmsAbortReasons, label: 'abortReason' }),
  u16('fault', { bits: bmsAbortFaults, label: 'abortFault' }),
  u8('error', { bits: bmsAbortErrors, label: 'abortError' }),
]);

export const chargerAbort = message('charger-abort', 0x21, [
  ...head,
  u8('reason', { bits: chargerAbortReasons, label: 'abortReason' }),
  u16('fault', { bits: chargerAbortFaults, label: 'abortFault' }),
  u8('error', { bits: chargerAbortErrors, label: 'abortError' }),
]);

export const bmsDemand = message('bms-demand', 0x23, [
  ...head,
  u16('demandV', volt),
  u16('demandA', ampereFromMinus400),
  u8('mode', { meanings: chargeMode, label: 'chargeMode' }),
  u16('measV', volt),
  u16('measA', ampereFromMinus400),
  u16('cellMax', { bits: cellMaximum }),
  u8('soc', { unit: 'percent' }),
  u16('remainMin', { unit: 'min' }),
  u16('outV', volt),
  u16('outA', ampereFromMinus400),
  u16('chargedMin', { unit: 'min', label: 'chargedMinutes' }),
]);

export const bmsInfo = message('bms-info', 0x25, [
  ...head,
  u8('cellMaxNo', { shift: 1 }),
  u8('maxTemp', celsius),
  u8('maxTempPoint', { shift: 1 }),
  u8('minTemp', celsius),
  u8('minTempPoint', { shift: 1 }),
  u8('flags1', { bits: batteryStates }),
  u8('flags2', { bits: connectionStates }),
]);
