/** The frames between vehicle and charger (0x15 to 0x25) in our words and units. */
import type { ChargeNote } from '@voltdeck/charging/charge-note';
import { unreachable } from '@voltdeck/units/result';
import { fromHex } from './hex.ts';
import type { MessageOf } from './messages/all.ts';
import {
  batteryStates,
  bmsAbortErrors,
  bmsAbortFaults,
  bmsAbortReasons,
  chargerAbortErrors,
  chargerAbortFaults,
  chargerAbortReasons,
  chargingErrors,
  connectionStates,
} from './messages/bits.ts';
import { bmsDemand, bmsHandshake } from './messages/bms.ts';
import type { BitSet, Definition } from './messages/field.ts';
import { readUint, writeUint } from './values.ts';

export type NoteMessage = MessageOf<
  | 'bms-handshake'
  | 'bms-parameter-config'
  | 'charging-end-statistics'
  | 'bms-charger-error'
  | 'bms-abort'
  | 'charger-abort'
  | 'bms-demand'
  | 'bms-info'
>;
type Values = ChargeNote['values'];

export function toNote(message: NoteMessage): ChargeNote {
  switch (message.kind) {
    case 'bms-handshake':
      return { kind: 'vehicle-identified', values: identityValues(message) };
    case 'bms-parameter-config':
      return { kind: 'limits-agreed', values: limitValues(message) };
    case 'bms-demand':
      return { kind: 'demand', values: demandValues(message) };
    case 'bms-info':
      return { kind: 'battery-state', values: batteryValues(message) };
    case 'charging-end-statistics':
      return { kind: 'statistics', values: statisticsValues(message) };
    case 'bms-charger-error':
      return { kind: 'communication-fault', values: { faults: told(chargingErrors, fromHex(message.err)) } };
    case 'bms-abort':
      return {
        kind: 'vehicle-abort',
        values: abortValues(message, { reason: bmsAbortReasons, fault: bmsAbortFaults, error: bmsAbortErrors }),
      };
    case 'charger-abort':
      return {
        kind: 'charger-abort',
        values: abortValues(message, {
          reason: chargerAbortReasons,
          fault: chargerAbortFaults,
          error: chargerAbortErrors,
        }),
      };
    default:
      return unreachable(message);
  }
}

/** All bits set mean "no value" (GB/T 27930). */
const emptyByte = 0xff;
const emptyWord = 0xffff;
const byteOf = (raw: number, convert: (raw: number) => number = (same) => same) =>
  raw === emptyByte ? null : convert(raw);
const wordOf = (raw: number, convert: (raw: number) => number = (same) => same) =>
  raw === emptyWord ? null : convert(raw);

/** Wire voltages are in 0.1 V, cells in 0.01 V, currents in 0.1 A from -400 A, temperatures in degrees from -50. */
const voltageMv = (tenths: number) => wordOf(tenths, (told) => told * 100);
const cellVoltageMv = (hundredths: number) => wordOf(hundredths, (told) => told * 10);
const currentMa = (tenths: number) => wordOf(tenths, (told) => (told - 4_000) * 100);
const temperatureC = (raw: number) => byteOf(raw, (told) => told - 50);
const energyWh = (tenthsKwh: number) => wordOf(tenthsKwh, (told) => told * 100);
const socPercent = (raw: number) => (raw <= 100 ? raw : null);

function identityValues(message: MessageOf<'bms-handshake'>): Values {
  return {
    vin: legible(message.vin),
    batteryType: meaning(bmsHandshake, 'battType', message.battType),
    ratedCapacityMah: wordOf(message.ratedCapacity, (told) => told * 100),
    ratedVoltageMv: voltageMv(message.ratedVoltage),
    batteryMaker: legible(message.maker),
    packNumber: message.packNo,
    producedOn: dateText(message.year + 1_985, message.month, message.day),
    chargeCycles: message.cycles === 0xff_ffff ? null : message.cycles,
    packOwner: meaning(bmsHandshake, 'owner', message.owner),
    bmsProtocolVersion: message.bmsProtoVer,
    bmsSoftwareVersion: message.bmsSwVer,
  };
}

function limitValues(message: MessageOf<'bms-parameter-config'>): Values {
  return {
    cellVoltageMaxMv: cellVoltageMv(message.cellMaxV),
    currentMaxMa: currentMa(message.maxCurrent),
    nominalEnergyWh: energyWh(message.nominalEnergy),
    packVoltageMaxMv: voltageMv(message.packMaxV),
    temperatureMaxC: temperatureC(message.maxTemp),
    socPercent: socPercent(message.soc / 10),
    packVoltageMv: voltageMv(message.packVoltage),
    chargerVoltageMaxMv: voltageMv(message.pileMaxV),
    chargerVoltageMinMv: voltageMv(message.pileMinV),
    chargerCurrentMaxMa: currentMa(message.pileMaxA),
    chargerCurrentMinMa: currentMa(message.pileMinA),
  };
}

function demandValues(message: MessageOf<'bms-demand'>): Values {
  return {
    demandVoltageMv: voltageMv(message.demandV),
    demandCurrentMa: currentMa(message.demandA),
    chargeMode: meaning(bmsDemand, 'mode', message.mode),
    measuredVoltageMv: voltageMv(message.measV),
    measuredCurrentMa: currentMa(message.measA),
    cellVoltageMaxMv: wordOf(message.cellMax, (told) => (told & 0x0fff) * 10),
    cellVoltageMaxGroup: wordOf(message.cellMax, (told) => told >>> 12),
    socPercent: socPercent(message.soc),
    remainingMinutes: wordOf(message.remainMin),
    outputVoltageMv: voltageMv(message.outV),
    outputCurrentMa: currentMa(message.outA),
    chargedMinutes: wordOf(message.chargedMin),
  };
}

function batteryValues(message: MessageOf<'bms-info'>): Values {
  return {
    cellVoltageMaxNumber: byteOf(message.cellMaxNo, (told) => told + 1),
    temperatureMaxC: temperatureC(message.maxTemp),
    temperatureMaxPoint: byteOf(message.maxTempPoint, (told) => told + 1),
    temperatureMinC: temperatureC(message.minTemp),
    temperatureMinPoint: byteOf(message.minTempPoint, (told) => told + 1),
    ...states(batteryStates, message.flags1),
    ...states(connectionStates, message.flags2),
  };
}

function statisticsValues(message: MessageOf<'charging-end-statistics'>): Values {
  return {
    socPercent: socPercent(message.endSoc),
    cellVoltageMinMv: cellVoltageMv(message.cellMinV),
    cellVoltageMaxMv: cellVoltageMv(message.cellMaxV),
    temperatureMinC: temperatureC(message.minTemp),
    temperatureMaxC: temperatureC(message.maxTemp),
    chargedMinutes: wordOf(message.minutes),
    outputEnergyWh: energyWh(message.energy),
    chargerNumber: message.chargerNo,
  };
}

function abortValues(
  message: MessageOf<'bms-abort' | 'charger-abort'>,
  bits: { reason: BitSet; fault: BitSet; error: BitSet },
): Values {
  return {
    reasons: told(bits.reason, bytesOf(message.reason)),
    faults: told(bits.fault, bytesOf(message.fault)),
    errors: told(bits.error, bytesOf(message.error)),
  };
}

/** The items of a set that are not normal, with untrusted ones marked. */
function told({ items }: BitSet, bytes: Uint8Array | null): readonly string[] {
  if (bytes === null) return [];
  return items.flatMap((item) => {
    const value = bitsOf(bytes, item.from, item.width);
    if (value === 0) return [];
    const state = item.meanings?.meanings[value];
    return [state === 'untrusted' ? `${snake(item.key)}_untrusted` : snake(item.key)];
  });
}

/** Every item of a set by its name, as in `insulationState`. */
function states({ items }: BitSet, flags: number): Record<string, string | null> {
  const bytes = bytesOf(flags);
  return Object.fromEntries(
    items.map(({ key, from, width, meanings }) => {
      const state = meanings?.meanings[bitsOf(bytes, from, width)];
      return [`${camel(key)}State`, state === undefined ? null : snake(state)];
    }),
  );
}

function bitsOf(bytes: Uint8Array, from: number, width: number): number {
  return (readUint(bytes, from >>> 3, 2) >>> (from & 7)) & ((1 << width) - 1);
}

function bytesOf(value: number): Uint8Array {
  const bytes = new Uint8Array(2);
  writeUint(value, bytes, 0, 2);
  return bytes;
}

/** The documented meaning of a field's code, or null. */
function meaning({ fields }: Definition, name: string, code: number): string | null {
  const known = fields.find((field) => field.name === name)?.meanings?.meanings[code];
  return known === undefined ? null : snake(known);
}

function snake(key: string): string {
  return key.replaceAll('-', '_');
}

function camel(key: string): string {
  return key.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function dateText(year: number, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

function legible(text: string): string | null {
  const clean = text.replaceAll('\ufffd', '').trim();
  return clean === '' ? null : clean;
}
