import { meterLimits } from '@voltdeck/charging/meter-limits';
import { instant } from '@voltdeck/units/instant';
import { describe, expect, test } from 'vitest';
import { toReadings } from './meter-values.ts';

const now = instant(Date.parse('2026-11-21T08:00:00Z'));
const timestamp = '2026-11-21T07:59:00Z';
const at = Date.parse(timestamp);

function read(...sampledValue: readonly unknown[]) {
  return toReadings([{ timestamp, sampledValue }], now)[0];
}

const energy = (value: unknown, more: object = {}) => ({ value, measurand: 'Energy.Active.Import.Register', ...more });
const power = (value: unknown, more: object = {}) => ({ value, measurand: 'Power.Active.Import', unit: 'W', ...more });
const current = (value: unknown, more: object = {}) => ({ value, measurand: 'Current.Import', unit: 'A', ...more });
const voltage = (value: unknown, more: object = {}) => ({ value, measurand: 'Voltage', unit: 'V', ...more });

describe('units and defaults', () => {
  test('a bare value is the energy register in Wh (section 7.43)', () => {
    expect(read({ value: '12345' })).toEqual({ at, energyWh: 12_345 });
  });

  test.each([
    ['12.3456', 'kWh', 12_346],
    ['12.3454', 'kWh', 12_345],
    ['0.0005', 'kWh', 1],
    ['12345.5', 'Wh', 12_346],
    ['12345.4999', 'Wh', 12_345],
    [1000.1, 'kWh', 1_000_100],
    [7, 'Wh', 7],
    ['1.5E3', 'Wh', 1_500],
    [' 1180 ', 'Wh', 1_180],
    ['1.5', 'KWH', 1_500],
    ['1.5', 'kwh', 1_500],
    ['1.5', ' Kwh ', 1_500],
  ])('%s %s is %i Wh exactly', (value, unit, wattHours) => {
    expect(read(energy(value, { unit }))).toEqual({ at, energyWh: wattHours });
  });

  test('every supported measurand is read in every unit', () => {
    expect(
      read(
        energy('1.5', { unit: 'kWh' }),
        power('7.2', { unit: 'kW' }),
        current('31.25'),
        voltage('230.4'),
        { value: '81', measurand: 'SoC', unit: 'Percent', location: 'EV' },
        { value: '36.65', measurand: 'Temperature', unit: 'Celsius', location: 'Body' },
      ),
    ).toEqual({
      at,
      energyWh: 1_500,
      powerW: 7_200,
      currentMa: 31_250,
      voltageMv: 230_400,
      socPercent: 81,
      ambientTemperatureC: 36.7,
    });
  });

  test('without a unit the plain one is assumed', () => {
    expect(
      read(power('7200', { unit: undefined }), current('1', { unit: null }), { value: '230', measurand: 'Voltage' }),
    ).toEqual({
      at,
      powerW: 7_200,
      currentMa: 1_000,
      voltageMv: 230_000,
    });
  });

  test.each([
    ['98.6', 'Fahrenheit', 37],
    ['300.15', 'K', 27],
    ['-12.34', 'Celcius', -12.3],
    ['-0.01', 'Celsius', 0],
  ])('%s %s is %d degrees Celsius', (value, unit, degrees) => {
    expect(read({ value, measurand: 'Temperature', unit })).toEqual({ at, ambientTemperatureC: degrees });
  });

  test('the temperatures of vehicle, cable and station are kept apart by their location', () => {
    const degrees = (value: string, location?: string) => ({
      value,
      measurand: 'Temperature',
      ...(location === undefined ? {} : { location }),
    });
    expect(read(degrees('31', 'EV'), degrees('45.5', 'Cable'), degrees('22', 'Body'))).toEqual({
      at,
      vehicleTemperatureC: 31,
      cableTemperatureC: 45.5,
      ambientTemperatureC: 22,
    });
    expect(read(degrees('40', 'outlet'), degrees('25'))).toEqual({
      at,
      cableTemperatureC: 40,
      ambientTemperatureC: 25,
    });
    expect(read(degrees('24', 'Inlet'))).toEqual({ at, ambientTemperatureC: 24 });
  });

  test('an unsupported measurand leaves no reading', () => {
    expect(
      read({ value: '50', measurand: 'Frequency' }, { value: '1', measurand: 'Energy.Active.Export.Register' }),
    ).toBeUndefined();
  });
});

describe('phases', () => {
  test('the total is preferred to its phases, in any order', () => {
    const phases = [power('1', { phase: 'L1' }), power('1', { phase: 'L2' })];
    expect(read(...phases, power('9'))).toEqual({ at, powerW: 9 });
    expect(read(power('9'), ...phases)).toEqual({ at, powerW: 9 });
  });

  test('energy, power and current are summed over the phases before rounding; neutral is not added', () => {
    expect(
      read(
        energy('0.4', { phase: 'L1' }),
        energy('0.4', { phase: 'L2' }),
        energy('0.4', { phase: 'L3' }),
        power('2300.5', { phase: 'L1-N' }),
        power('2300.5', { phase: 'L2-N' }),
        current('10', { phase: 'L1' }),
        current('10.5', { phase: 'L2' }),
        current('0.5', { phase: 'N' }),
      ),
    ).toEqual({ at, energyWh: 1, powerW: 4_601, currentMa: 20_500 });
  });

  test('voltage is the mean of the live phases against neutral', () => {
    expect(
      read(voltage('230', { phase: 'L1-N' }), voltage('232', { phase: 'L2-N' }), voltage('0', { phase: 'L3-N' })),
    ).toEqual({
      at,
      voltageMv: 231_000,
    });
  });

  test('voltage between phases counts only if there is no other', () => {
    expect(read(voltage('400', { phase: 'L1-L2' }), voltage('402', { phase: 'L2-L3' }))).toEqual({
      at,
      voltageMv: 401_000,
    });
    expect(read(voltage('400', { phase: 'L1-L2' }), voltage('230', { phase: 'L1-N' }))).toEqual({
      at,
      voltageMv: 230_000,
    });
    expect(read(voltage('0', { phase: 'L1' }))).toEqual({ at, voltageMv: 0 });
  });

  test('an unusable phase spoils the sum, not the reading', () => {
    expect(read(energy('100'), power('1', { phase: 'L1' }), power('-1', { phase: 'L2' }))).toEqual({
      at,
      energyWh: 100,
    });
  });

  test('an unknown phase is ignored', () => {
    expect(read(energy('100', { phase: 'L9' }), power('5'))).toEqual({ at, powerW: 5 });
  });
});

describe('contexts and locations', () => {
  test('of a begin and an end value with the same time, the end counts', () => {
    const begin = energy('1000', { context: 'Transaction.Begin' });
    const end = energy('5000', { context: 'Transaction.End' });
    expect(read(begin, end)).toEqual({ at, energyWh: 5_000 });
    expect(read(end, begin)).toEqual({ at, energyWh: 5_000 });
    expect(read(begin)).toEqual({ at, energyWh: 1_000 });
  });

  test('the outlet is preferred to the inlet', () => {
    expect(read(power('900', { location: 'Inlet' }), power('850', { location: 'Outlet' }))).toEqual({
      at,
      powerW: 850,
    });
    expect(read(power('850'), power('900', { location: 'Inlet' }))).toEqual({ at, powerW: 850 });
  });
});

test('measurands, units and phases are case-insensitive', () => {
  expect(
    read(
      { value: '5', measurand: 'energy.active.import.register', unit: 'WH' },
      { value: '2', measurand: 'POWER.ACTIVE.IMPORT', unit: 'KW', phase: 'l1' },
      { value: '3', measurand: 'power.active.import', unit: 'kw', phase: 'L2' },
      { value: '68', measurand: 'temperature', unit: 'fahrenheit' },
    ),
  ).toEqual({ at, energyWh: 5, powerW: 5_000, ambientTemperatureC: 20 });
});

describe('values that cannot be used', () => {
  const unusableOf = (...sampledValue: readonly unknown[]) => {
    const unusable: string[] = [];
    const readings = toReadings([{ timestamp, sampledValue }], now, unusable);
    return { unusable, reading: readings[0] };
  };

  test.each([
    ['a comma', energy('1,32'), 'energy: "1,32"'],
    ['a word', energy('n/a'), 'energy: "n/a"'],
    ['an unknown unit', power('5', { unit: 'GW' }), 'power: "5"'],
    ['a register beyond all meters', energy('9e11'), 'energyWh: 900000000000'],
    ['a power beyond all stations', power('4294967295'), 'powerW: 4294967295'],
    ['a current beyond all stations', current('1e6'), 'currentMa: 1000000000'],
    ['a voltage beyond all stations', voltage('1e6'), 'voltageMv: 1000000000'],
    ['a state of charge beyond 100', { value: '101', measurand: 'SoC' }, 'socPercent: 101'],
    ['a temperature that melts', { value: '9999', measurand: 'Temperature' }, 'ambientTemperatureC: 9999'],
  ])('%s is left out, and the log says so', (_what, sample, told) => {
    const { unusable, reading } = unusableOf(sample, { value: 'signed', format: 'SignedData' });
    expect(unusable).toEqual([told]);
    expect(reading).toEqual({ at, signedData: 'signed' });
  });

  test('an empty or negative value is not a fault', () => {
    const { unusable, reading } = unusableOf(energy(''), power('-1'), { value: '5', measurand: 'Frequency' });
    expect(unusable).toEqual([]);
    expect(reading).toBeUndefined();
  });

  test('the largest possible meter value is kept', () => {
    expect(read(energy('100', { unit: 'kWh' }), power(String(meterLimits.powerW.max)))).toMatchObject({
      powerW: meterLimits.powerW.max,
    });
  });
});

describe('broken and hostile values', () => {
  test.each([
    ['an unknown unit', energy('5', { unit: 'GWh' })],
    ['a unit of another measurand', energy('5', { unit: 'A' })],
    ['a negative register', energy('-5')],
    ['a word', energy('n/a')],
    ['a comma', energy('1,5')],
    ['a register beyond all meters', energy('9e90')],
    ['a list', energy([1])],
    ['no value', energy(undefined)],
    ['an unknown measurand', { value: '5', measurand: 'Energy' }],
    ['a measurand that is an object', { value: '5', measurand: {} }],
    ['a number', 5],
    ['null', null],
  ])('%s is left out and the rest is read', (_what, sample) => {
    expect(read(sample, power('7200'))).toEqual({ at, powerW: 7_200 });
  });

  test('a broken repetition does not replace a good value', () => {
    expect(read(energy('100'), energy('?'))).toEqual({ at, energyWh: 100 });
  });

  test('a state of charge above 100 is left out', () => {
    expect(read({ value: '101', measurand: 'SoC' }, { value: '5' })).toEqual({ at, energyWh: 5 });
  });

  test('broken meter values do not spoil others', () => {
    const good = { timestamp, sampledValue: [energy('5')] };
    expect(
      toReadings(
        [null, 7, {}, { timestamp }, { timestamp, sampledValue: {} }, good, { timestamp, sampledValue: [] }],
        now,
      ),
    ).toEqual([{ at, energyWh: 5 }]);
  });

  test('a signed value is kept verbatim and not read as a number', () => {
    const signed = 'OCMF|{"RV":268.978}|{"SD":"30450221"}';
    expect(read({ value: signed, format: 'SignedData', context: 'Transaction.End' }, energy('5'))).toEqual({
      at,
      energyWh: 5,
      signedData: signed,
    });
    expect(read({ value: '12345', format: 'SignedData' })).toEqual({ at, signedData: '12345' });
  });
});

describe('times', () => {
  test('a value with an unusable time gets the time of receipt', () => {
    expect(toReadings([{ timestamp: '1970-01-01T00:00:00Z', sampledValue: [energy('5')] }], now)).toEqual([
      { at: now, energyWh: 5 },
    ]);
  });

  test('neighbours with the same usable time are one reading, unusable times are not merged', () => {
    const values = (time: string) => [
      { timestamp: time, sampledValue: [energy('5')] },
      { timestamp: time, sampledValue: [power('7')] },
    ];
    expect(toReadings(values(timestamp), now)).toEqual([{ at, energyWh: 5, powerW: 7 }]);
    expect(toReadings(values('1970-01-01T00:00:00Z'), now)).toHaveLength(2);
  });
});
