import { hourMs, minuteMs, secondMs } from '@voltdeck/units/instant';
import { describe, expect, test } from 'vitest';
import type { StationBill } from '../station-bill.ts';
import type { Register } from './charge.ts';
import {
  canFollow,
  continuedWh,
  contradiction,
  countedWh,
  deliverableWh,
  followRegister,
  leapFlag,
  plausibleRegisters,
  powerFlag,
  type RunningRegister,
  witnessesOf,
} from './plausibility.ts';
import { after, billOf, noon } from './test-charge.ts';

const ratedPowerW = 60_000;

/** What a running charge has counted after a register each minute. */
function countedOn(first: Register, energies: readonly number[], atPowerW: number): number {
  const running = energies.reduce<RunningRegister>(
    (before, energyWh, index) =>
      followRegister(before, { at: after((index + 1) * minuteMs), energyWh }, atPowerW).after,
    { last: first, fallen: null },
  );
  return continuedWh(running);
}

describe('the most that a station can deliver', () => {
  test.each([
    ['in no time is one step of a coarse meter', 60_000, 0, 2_000],
    ['before it began is no more than that', 60_000, -hourMs, 2_000],
    ['in an hour is one and a half times its rating', 60_000, hourMs, 92_000],
    ['in a minute is a sixtieth of that and a step', 60_000, minuteMs, 3_500],
    ['is a whole number, rounded down', 7_000, 1, 2_000],
    ['at the smallest rating is a step and a little', 1, 2 * hourMs, 2_003],
  ])('the most that a station can deliver %s', (_title, power, durationMs, wh) => {
    expect(deliverableWh(power, durationMs)).toBe(wh);
  });

  test('energy is doubted one watt-hour above the possible, and not at it', () => {
    const charge = { durationMs: hourMs, ratedPowerW };
    expect(powerFlag({ ...charge, energyWh: 92_000 })).toBeNull();
    expect(powerFlag({ ...charge, energyWh: 92_001 })).toEqual({
      rule: 'energy_implausible',
      evidence: { energyWh: 92_001, deliverableWh: 92_000, durationSeconds: 3_600, ratedPowerW },
    });
  });

  test('energy without any time has a rule of its own', () => {
    expect(powerFlag({ energyWh: 2_000, durationMs: 0, ratedPowerW })).toBeNull();
    for (const durationMs of [0, -secondMs]) {
      expect(powerFlag({ energyWh: 2_001, durationMs, ratedPowerW })).toEqual({
        rule: 'energy_without_time',
        evidence: { energyWh: 2_001, ratedPowerW },
      });
    }
    expect(powerFlag({ energyWh: 2_001, durationMs: 1, ratedPowerW })).toMatchObject({
      rule: 'energy_implausible',
      evidence: { durationSeconds: 0 },
    });
  });
});

describe('a register after another one', () => {
  const before = { at: noon, energyWh: 5_000 };
  test.each([
    ['follows when it stays', 0, 5_000, true],
    ['does not follow when it falls by one watt-hour', hourMs, 4_999, false],
    ['follows at the most that can be delivered', minuteMs, 8_500, true],
    ['does not follow one watt-hour above that', minuteMs, 8_501, false],
    ['follows a step of 2 kWh at the same instant', 0, 7_000, true],
    ['does not follow +70 kWh within 20 s', 20 * secondMs, 75_000, false],
    ['follows +70 kWh within the hour', hourMs, 75_000, true],
  ])('a register %s', (_title, laterMs, energyWh, follows) => {
    expect(canFollow(before, { at: after(laterMs), energyWh }, ratedPowerW)).toBe(follows);
  });
});

describe('the registers that can be what one meter counted', () => {
  const start = { at: noon, energyWh: 0 };
  const every = (...energies: number[]) =>
    energies.map((energyWh, index) => ({ at: after((index + 1) * minuteMs), energyWh }));
  const energiesOf = (registers: readonly { energyWh: number }[]) => registers.map(({ energyWh }) => energyWh);

  test.each([
    ['all of a meter that rises', [500, 1_000, 1_000, 1_600], [500, 1_000, 1_000, 1_600], null, []],
    ['not a single wild one, after which the meter goes on', [500, 999_999_999, 1_500], [500, 1_500], null, [2]],
    ['not one that falls, after which the meter goes on', [500, 3, 1_500], [500, 1_500], 2, []],
    ['none after a meter that was set to zero', [3_000, 0, 1_000, 2_000], [3_000], 2, []],
    ['none after a meter that leapt and stayed', [500, 71_000, 71_500], [500], null, [2, 3]],
    ['nothing of nothing', [], [], null, []],
  ] as const)('the plausible registers of one meter are %s', (_title, energies, kept, fallen, leaps) => {
    const found = plausibleRegisters(start, every(...energies), ratedPowerW);
    expect(energiesOf(found.kept)).toEqual(kept);
    expect(found.fallen?.to.at ?? null).toBe(fallen === null ? null : after(fallen * minuteMs));
    expect(found.leaps.map(({ to }) => to.at)).toEqual(leaps.map((minutes) => after(minutes * minuteMs)));
  });

  test('registers are compared with the last plausible one, and the first fall is remembered', () => {
    const registers = every(2_000, 1_000, 900, 2_100, 500);
    const { kept, fallen } = plausibleRegisters(start, registers, ratedPowerW);
    expect(energiesOf(kept)).toEqual([2_000, 2_100]);
    expect(fallen).toEqual({ from: registers[0], to: registers[1] });
  });

  test.each([
    ['rises', [500, 1_000], 1_000],
    ['fell once and goes on from the old register', [500, 3, 1_500], 1_500],
    ['stood at zero and goes on from the old register', [500, 0, 0, 1_500], 1_500],
    ['restarted', [3_000, 0, 1_000, 2_000], 5_000],
    ['restarted and has passed the old register', [1_000, 0, 900, 1_800, 2_700], 3_700],
    ['restarted twice', [1_000, 0, 900, 0, 800], 2_700],
    ['restarted after a single wild register', [1_000, 999_999_999, 10, 900], 1_890],
    ['fell and returned to a register far above', [900_000, 10, 20, 901_000], 901_000],
  ])('a running charge whose meter %s counts on', (_title, energies, countedWh) => {
    const first = { at: noon, energyWh: energies[0] === 900_000 ? 900_000 : 0 };
    expect(countedOn(first, energies, ratedPowerW)).toBe(countedWh);
  });

  test.each([
    ['two different wild registers', [500, 1_000, 1_500, 3, 4, 1_505], 1_505],
    ['wild registers that rise by half of the charge', [500, 1_000, 1_500, 3, 700, 1_505], 1_505],
    ['wild registers while no power flows', [500, 1_000, 1_500, 3, 4, 1_500, 1_500], 1_500],
    ['a restart that passes the old register slowly', [200, 0, 100, 190, 290, 390], 590],
    ['a restart of a meter that counts in kWh', [1_000, 2_000, 3_000, 0, 1_000, 2_000, 3_000, 4_000], 7_000],
  ])('at 7 kW, a running charge with %s counts each watt-hour once', (_title, energies, countedWh) => {
    expect(countedOn({ at: noon, energyWh: 0 }, energies, 7_000)).toBe(countedWh);
  });

  test('registers count only in possible steps', () => {
    expect(countedWh([start, ...every(500, 1_000)], ratedPowerW)).toBe(1_000);
    expect(countedWh([start, ...every(500, 71_000, 71_500)], ratedPowerW)).toBe(1_000);
    expect(countedWh([start, ...every(500, 999_999_999, 1_500, 2_000)], ratedPowerW)).toBe(1_000);
    expect(countedWh([start, ...every(3_000, 0, 1_000)], ratedPowerW)).toBe(4_000);
    expect(countedWh([start], ratedPowerW)).toBe(0);
    expect(countedWh([], ratedPowerW)).toBe(0);
  });

  test('a leap is reported with the rating, and a fall without', () => {
    const leap = { from: start, to: { at: after(minuteMs), energyWh: 71_000 } };
    const evidence = { from: '2026-11-22T04:00:00.000Z', fromWh: 0, to: '2026-11-22T04:01:00.000Z', toWh: 71_000 };
    const jump = { rule: 'meter_jump', evidence: { ...evidence, ratedPowerW } };
    expect(leapFlag('meter_jump', leap, ratedPowerW)).toEqual(jump);
    expect(leapFlag('meter_backwards', leap, ratedPowerW)).toEqual({ rule: 'meter_backwards', evidence });
  });
});

describe('the parts of a record', () => {
  const twoPeriods = (first: number, second: number) =>
    [
      { period: 'peak', energyTenthsWh: first, priceE5: 200_000, amountE4: first * 2 },
      { period: 'flat', energyTenthsWh: second, priceE5: 100_000, amountE4: second },
    ] as const;

  test('the parts of a record each give its energy in their own way', () => {
    const bill = billOf(1_200, { periods: twoPeriods(4_000, 8_000), amountE4: 16_000 });
    expect(witnessesOf(bill)).toEqual({ periodsWh: 1_200, registersWh: 1_200, amountWh: 1_200 });
  });

  test.each<[string, Partial<StationBill>, object]>([
    ['no periods', { periods: [] }, { registersWh: 1_200 }],
    ['registers of zero', { meterStartTenthsWh: 0, meterStopTenthsWh: 0 }, { periodsWh: 1_200, amountWh: 1_200 }],
    ['registers that fall', { meterStopTenthsWh: 0 }, { periodsWh: 1_200, amountWh: 1_200 }],
    ['no amount', { amountE4: 0 }, { periodsWh: 1_200, registersWh: 1_200 }],
    [
      'periods without energy',
      { periods: twoPeriods(0, 0), energyTenthsWh: 0, amountE4: 5 },
      { periodsWh: 0, registersWh: 1_200 },
    ],
    [
      'periods without energy that cost something',
      { periods: [{ period: 'flat', energyTenthsWh: 0, priceE5: 0, amountE4: 5 }], amountE4: 5 },
      { periodsWh: 0, registersWh: 1_200 },
    ],
    [
      'free periods',
      { periods: [{ period: 'flat', energyTenthsWh: 12_000, priceE5: 0, amountE4: 0 }] },
      { periodsWh: 1_200, registersWh: 1_200 },
    ],
  ])('the parts of a record give no evidence where they have none: %s', (_title, over, witnesses) => {
    expect(witnessesOf(billOf(1_200, over))).toEqual(witnesses);
  });

  const none = { readWh: null };

  test('the parts of a record contradict a total of 9,999.9999 kWh when periods, registers and amount say 1.2', () => {
    expect(contradiction(10_000_000, billOf(1_200), none)).toEqual({
      evidence: { energyWh: 10_000_000, periodsWh: 1_200, registersWh: 1_200, amountWh: 1_200, readWh: null },
      proposedWh: 1_200,
    });
  });

  test('the parts of a small charge contradict its total as well, though all are within a step of each other', () => {
    expect(contradiction(3_000, billOf(1_200), { readWh: 1_190 })).toMatchObject({ proposedWh: 1_200 });
  });

  test.each([
    ['one period rounded to hundredths of a kWh', 1, 20],
    ['four periods', 4, 20],
  ])('the parts of a record do not contradict a total that they miss by rounding: %s', (_title, count, apart) => {
    const periods = Array.from({ length: count }, () => ({
      period: 'flat' as const,
      energyTenthsWh: 30_000,
      priceE5: 100_000,
      amountE4: 30_000,
    }));
    const sumWh = count * 3_000;
    const bill = billOf(sumWh, { periods, meterStartTenthsWh: 0, meterStopTenthsWh: 0 });
    expect(contradiction(sumWh + apart, bill, none)).toBeNull();
    expect(contradiction(sumWh - apart, bill, none)).toBeNull();
    expect(contradiction(sumWh + apart + 1, bill, none)).not.toBeNull();
    expect(contradiction(sumWh - apart - 1, bill, none)).not.toBeNull();
  });

  test('the parts of a record do not contradict a total that the registers support, since some makes list only part of their periods', () => {
    const bill = billOf(10_000, { periods: billOf(4_000).periods });
    expect(contradiction(10_000, bill, none)).toBeNull();
    expect(contradiction(10_010, bill, none)).toBeNull();
  });

  test('the parts of a record do not contradict a total that was read', () => {
    const bill = billOf(4_000);
    expect(contradiction(10_000, bill, { readWh: 9_900 })).toBeNull();
    expect(contradiction(10_000, bill, { readWh: 3_900 })).not.toBeNull();
    expect(contradiction(10_000, bill, { readWh: 7_000 })).not.toBeNull();
  });

  test('the parts of a record contradict a total that a reading half way between them would support as well', () => {
    const bill = billOf(4_000, { meterStopTenthsWh: 0 });
    expect(contradiction(6_000, bill, { readWh: 5_000 })).not.toBeNull();
    expect(contradiction(6_000, bill, { readWh: 5_001 })).toBeNull();
  });

  test('a record without periods contradicts nothing', () => {
    expect(contradiction(10_000_000, billOf(1_200, { periods: [] }), none)).toBeNull();
  });

  test.each<[string, Partial<StationBill>, number | null, number]>([
    ['its periods, which the amount bears out', { meterStopTenthsWh: 52_000_000 }, null, 1_200],
    ['its periods, when nothing else speaks', { amountE4: 0, meterStopTenthsWh: 0 }, null, 1_200],
    ['its registers, when nobody bears out the periods', { amountE4: 0, meterStopTenthsWh: 50_200_000 }, null, 20_000],
    ['what was read, when there are no registers', { amountE4: 0, meterStopTenthsWh: 0 }, 20_000, 20_000],
  ])('the parts of a record propose %s', (_title, over, readWh, proposedWh) => {
    expect(contradiction(10_000_000, billOf(1_200, over), { readWh })?.proposedWh).toBe(proposedWh);
  });

  test('parts agree within 2 kWh or a twentieth, whichever is more', () => {
    // 100 kWh reported, periods that say 60: a register supports the total down to 95.
    const told = (registersWh: number) =>
      contradiction(100_000, billOf(60_000, { meterStopTenthsWh: 50_000_000 + registersWh * 10 }), none);
    expect(told(95_000)).toBeNull();
    expect(told(94_999)).not.toBeNull();
    // 10 kWh reported: down to 8.
    const small = (registersWh: number) =>
      contradiction(10_000, billOf(1_200, { meterStopTenthsWh: 50_000_000 + registersWh * 10 }), none);
    expect(small(8_000)).toBeNull();
    expect(small(7_999)).not.toBeNull();
  });
});
