import { watts } from '@voltdeck/units/energy';
import { fen, priceE5 } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkTariff, readTariff, type TariffDraft, tariffFaultCodes } from './check-tariff.ts';
import { periods, type Tariff } from './tariff.ts';
import { formatTimeOfDay } from './time-of-day.ts';

type EnergyDraft = TariffDraft & { kind: 'energy' };
type HourDraft = TariffDraft & { kind: 'hour' };

const price = { electricity: 70_000, service: 30_000 };
const soundEnergy = {
  kind: 'energy',
  prices: { sharp: price, peak: price, flat: price, valley: price },
  slots: [
    { start: '00:00', end: '07:00', period: 'valley' },
    { start: '07:00', end: '22:30', period: 'peak' },
    { start: '22:30', end: '24:00', period: 'flat' },
  ],
} satisfies EnergyDraft;
const soundHour = {
  kind: 'hour',
  stepMinutes: 60,
  measuredBy: 'average',
  tiers: [
    { fromW: 0, toW: 200, feeFenPerStep: 30 },
    { fromW: 200, toW: null, feeFenPerStep: 60 },
  ],
  longestRunHours: 12,
} satisfies HourDraft;

const energyWith = (change: Partial<EnergyDraft>): TariffDraft => ({ ...soundEnergy, ...change });
const hourWith = (change: Partial<HourDraft>): TariffDraft => ({ ...soundHour, ...change });
const slotsFrom = (...times: string[]) =>
  times.map((pair) => {
    const [start = '', end = ''] = pair.split('-');
    return { start, end, period: 'flat' };
  });
const found = (draft: TariffDraft) => checkTariff(draft).map(({ code, path }) => `${code} ${path.join('.')}`);

describe('a sound tariff', () => {
  test('a sound tariff has no fault and is returned with branded numbers', () => {
    expect(checkTariff(soundEnergy)).toEqual([]);
    expect(checkTariff(soundHour)).toEqual([]);
    const read = readTariff(soundHour);
    const expected: Tariff = {
      kind: 'hour',
      stepMinutes: 60,
      measuredBy: 'average',
      tiers: [
        { fromW: watts(0), toW: watts(200), feeFenPerStep: fen(30) },
        { fromW: watts(200), toW: null, feeFenPerStep: fen(60) },
      ],
      longestRunHours: 12,
    };
    expect(read).toEqual({ ok: true, value: expected });
  });

  test('a sound tariff may have 48 slots of half an hour and prices of zero', () => {
    const slots = Array.from({ length: 48 }, (_, index) => ({
      start: formatTimeOfDay(index * 30),
      end: formatTimeOfDay(index * 30 + 30),
      period: 'flat',
    }));
    const free = { electricity: 0, service: 0 };
    expect(
      checkTariff({ kind: 'energy', prices: { sharp: free, peak: free, flat: free, valley: free }, slots }),
    ).toEqual([]);
  });

  test('a sound tariff may be entered in any order and is returned in the order of the day', () => {
    const [first, second, third] = soundEnergy.slots;
    const read = readTariff(energyWith({ slots: [third, first, second].filter((slot) => slot !== undefined) }));
    expect(read.ok && read.value.kind === 'energy' && read.value.slots).toEqual(soundEnergy.slots);
    const tiers = readTariff(hourWith({ tiers: [...soundHour.tiers].reverse() }));
    expect(tiers.ok && tiers.value.kind === 'hour' && tiers.value.tiers).toEqual(soundHour.tiers);
  });

  test('a sound tariff may end its last power tier', () => {
    expect(found(hourWith({ tiers: [{ fromW: 0, toW: 500, feeFenPerStep: 0 }] }))).toEqual([]);
  });
});

describe('every limit', () => {
  test('every limit is allowed: the highest price, fee and power, 20 tiers, 48 hours', () => {
    const prices = { ...soundEnergy.prices, sharp: { electricity: 10_000_000, service: 10_000_000 } };
    expect(checkTariff(energyWith({ prices }))).toEqual([]);
    const tiers = Array.from({ length: 20 }, (_, index) => ({
      fromW: index * 10,
      toW: index === 19 ? 1_000_000 : (index + 1) * 10,
      feeFenPerStep: 100_000,
    }));
    expect(checkTariff(hourWith({ tiers, longestRunHours: 48 }))).toEqual([]);
  });
});

describe('a fault has the parameters of its phrase', () => {
  const paramsOf = (draft: TariffDraft) => checkTariff(draft).map(({ code, params }) => [code, params]);
  const tier = { fromW: 0, toW: null, feeFenPerStep: 30 };

  test.each<[string, TariffDraft, Record<string, string | number>]>([
    [
      'the dearest price',
      energyWith({ prices: { ...soundEnergy.prices, flat: { electricity: 10_000_001, service: 0 } } }),
      { maxYuan: 100 },
    ],
    ['the period entered', energyWith({ slots: [{ start: '00:00', end: '24:00', period: 'x' }] }), { period: 'x' }],
    ['the time entered', energyWith({ slots: slotsFrom('00:00-25:00') }), { time: '25:00' }],
    ['both times', energyWith({ slots: slotsFrom('00:00-24:00', '07:00-07:00') }), { start: '07:00', end: '07:00' }],
    ['both times in turn', energyWith({ slots: slotsFrom('08:00-07:00') }), { start: '08:00', end: '07:00' }],
    ['which steps there are', hourWith({ stepMinutes: 15 }), { known: '1, 30, 60' }],
    ['the measure entered', hourWith({ measuredBy: 'median' }), { measure: 'median' }],
    ['the longest run', hourWith({ longestRunHours: 49 }), { max: 48 }],
    ['how many tiers', hourWith({ tiers: Array.from({ length: 21 }, () => tier) }), { max: 20, count: 21 }],
    ['both powers', hourWith({ tiers: [{ ...tier, fromW: 9, toW: 9 }] }), { fromW: 9, toW: 9 }],
    ['where a gap is', hourWith({ tiers: [{ ...tier, fromW: 100 }] }), { fromW: 0, toW: 100 }],
    [
      'where an overlap is',
      hourWith({
        tiers: [
          { ...tier, toW: 200 },
          { ...tier, fromW: 150 },
        ],
      }),
      { fromW: 150, toW: 200 },
    ],
    ['the highest power', hourWith({ tiers: [{ ...tier, fromW: 1_000_001 }] }), { maxW: 1_000_000 }],
    ['the highest fee', hourWith({ tiers: [{ ...tier, feeFenPerStep: 100_001 }] }), { maxYuan: 1_000 }],
  ])('%s', (_, draft, params) => {
    expect(paramsOf(draft)).toEqual([[expect.any(String), params]]);
  });

  test('a fault gives the minimum length of a slot, and says that a border is off the half hour', () => {
    expect(paramsOf(energyWith({ slots: slotsFrom('00:00-00:10') }))).toEqual([
      ['tariff.slot_off_half_hour', { time: '00:10' }],
      ['tariff.slot_too_short', { start: '00:00', end: '00:10', minMinutes: 30 }],
    ]);
  });
});

describe('prices', () => {
  test.each(periods)('a missing price of %s is a fault, never zero', (period) => {
    const { [period]: _, ...prices } = soundEnergy.prices;
    const expected = [
      `tariff.price_missing prices.${period}.electricity`,
      `tariff.price_missing prices.${period}.service`,
    ];
    expect(found(energyWith({ prices }))).toEqual(expected);
    expect(found(energyWith({ prices: { ...prices, [period]: null } }))).toEqual(expected);
    expect(found(energyWith({ prices: { ...prices, [period]: { electricity: 1 } } }))).toEqual(expected.slice(1));
  });

  test('all eight prices are missing when there are none', () => {
    expect(found(energyWith({ prices: null }))).toHaveLength(8);
    expect(found(energyWith({ prices: undefined }))).toHaveLength(8);
  });

  test.each([
    [-1, 'tariff.price_negative'],
    [0.5, 'tariff.price_not_integer'],
    [Number.NaN, 'tariff.price_not_integer'],
    [Number.POSITIVE_INFINITY, 'tariff.price_not_integer'],
    [10_000_001, 'tariff.price_too_high'],
  ])('prices of %d are refused with %s', (electricity, code) => {
    const prices = { ...soundEnergy.prices, valley: { electricity, service: 0 } };
    expect(found(energyWith({ prices }))).toEqual([`${code} prices.valley.electricity`]);
  });
});

describe('slots', () => {
  test.each<[string, string[], string[]]>([
    ['none at all', [], ['tariff.slots_empty slots']],
    ['no beginning', ['00:30-24:00'], ['tariff.slot_gap slots.0.start']],
    ['no end', ['00:00-07:00', '07:00-23:30'], ['tariff.slot_gap slots.1.end']],
    ['a gap', ['00:00-07:00', '07:30-24:00'], ['tariff.slot_gap slots.1.start']],
    ['an overlap', ['00:00-07:30', '07:00-24:00'], ['tariff.slot_overlap slots.1.start']],
    ['one inside another', ['00:00-24:00', '07:00-08:00'], ['tariff.slot_overlap slots.1.start']],
    ['the same twice', ['00:00-24:00', '00:00-24:00'], ['tariff.slot_overlap slots.1.start']],
    ['a gap before one entered first', ['08:00-24:00', '00:00-07:00'], ['tariff.slot_gap slots.0.start']],
    ['start equal to end', ['00:00-07:00', '07:00-07:00', '07:00-24:00'], ['tariff.slot_start_is_end slots.1.end']],
    ['start after end', ['00:00-22:00', '22:00-07:00'], ['tariff.slot_start_after_end slots.1.end']],
    ['midnight written as 00:00', ['00:00-22:00', '22:00-00:00'], ['tariff.slot_start_after_end slots.1.end']],
    [
      'a border off the half hour',
      ['00:00-07:15', '07:15-24:00'],
      ['tariff.slot_off_half_hour slots.0.end', 'tariff.slot_off_half_hour slots.1.start'],
    ],
    [
      'ten minutes',
      ['00:00-07:00', '07:00-07:10', '07:10-24:00'],
      [
        'tariff.slot_off_half_hour slots.1.end',
        'tariff.slot_too_short slots.1.end',
        'tariff.slot_off_half_hour slots.2.start',
      ],
    ],
    ['an hour that no day has', ['00:00-25:00'], ['tariff.slot_time_invalid slots.0.end']],
    ['24:30', ['00:00-24:30'], ['tariff.slot_time_invalid slots.0.end']],
    ['one digit', ['0:00-24:00'], ['tariff.slot_time_invalid slots.0.start']],
    ['24:00 as a start', ['00:00-24:00', '24:00-24:00'], ['tariff.slot_start_is_end slots.1.end']],
  ])('slots with %s are refused at the field', (_, times, expected) => {
    expect(found(energyWith({ slots: slotsFrom(...times) }))).toEqual(expected);
  });

  test('a gap or an overlap of slots is reported with its times', () => {
    const faults = checkTariff(energyWith({ slots: slotsFrom('00:00-07:00', '08:00-12:00', '11:00-23:00') }));
    expect(faults.map(({ code, params }) => [code, params])).toEqual([
      ['tariff.slot_gap', { from: '07:00', to: '08:00' }],
      ['tariff.slot_overlap', { from: '11:00', to: '12:00' }],
      ['tariff.slot_gap', { from: '23:00', to: '24:00' }],
    ]);
  });

  test('slots that begin together overlap by the shorter one, in whatever order they were entered', () => {
    for (const times of [
      ['00:00-24:00', '00:00-08:00'],
      ['00:00-08:00', '00:00-24:00'],
    ]) {
      const faults = checkTariff(energyWith({ slots: slotsFrom(...times) }));
      expect(faults.map(({ code, params }) => [code, params])).toEqual([
        ['tariff.slot_overlap', { from: '00:00', to: '08:00' }],
      ]);
    }
  });

  test('slots that begin together are reported at the longer one, in whatever order they were entered', () => {
    expect(found(energyWith({ slots: slotsFrom('00:00-24:00', '00:00-08:00') }))).toEqual([
      'tariff.slot_overlap slots.0.start',
    ]);
    expect(found(energyWith({ slots: slotsFrom('00:00-08:00', '00:00-24:00') }))).toEqual([
      'tariff.slot_overlap slots.1.start',
    ]);
  });

  test('slots that end together before the day does leave their gap after the first of them', () => {
    expect(found(energyWith({ slots: slotsFrom('00:00-20:00', '08:00-20:00') }))).toEqual([
      'tariff.slot_overlap slots.1.start',
      'tariff.slot_gap slots.0.end',
    ]);
  });

  test('slots of an unknown period are refused', () => {
    expect(found(energyWith({ slots: [{ start: '00:00', end: '24:00', period: 'shoulder' }] }))).toEqual([
      'tariff.period_unknown slots.0.period',
    ]);
  });

  test('more than 48 slots are refused', () => {
    const faults = checkTariff(energyWith({ slots: slotsFrom(...Array.from({ length: 49 }, () => '00:00-24:00')) }));
    expect(faults).toEqual([{ code: 'tariff.too_many_slots', path: ['slots'], params: { max: 48, count: 49 } }]);
  });

  test('slots cut at any half hours are sound, until one is omitted or extended', () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 47 }), { minLength: 1, maxLength: 47 });
    fc.assert(
      fc.property(cuts, fc.nat(), (halfHours, pick) => {
        const borders = [0, ...halfHours.sort((a, b) => a - b), 48].map((halfHour) => formatTimeOfDay(halfHour * 30));
        const slots = borders.slice(1).map((end, index) => ({ start: borders[index] ?? '', end, period: 'flat' }));
        expect(found(energyWith({ slots }))).toEqual([]);
        const left = pick % slots.length;
        expect(found(energyWith({ slots: slots.filter((_, index) => index !== left) })).join()).toContain('slot_gap');
        const long = slots.map((slot, index) =>
          index === pick % (slots.length - 1) ? { ...slot, end: '24:00' } : slot,
        );
        expect(found(energyWith({ slots: long })).join()).toContain('slot_overlap');
      }),
    );
  });
});

describe('power tiers', () => {
  const tiersFrom = (...tiers: [number, number | null][]) =>
    tiers.map(([fromW, toW]) => ({ fromW, toW, feeFenPerStep: 10 }));

  test.each<[string, [number, number | null][], string[]]>([
    ['none at all', [], ['tariff.tiers_empty tiers']],
    ['no beginning', [[100, null]], ['tariff.tier_gap tiers.0.fromW']],
    [
      'a gap',
      [
        [0, 100],
        [200, null],
      ],
      ['tariff.tier_gap tiers.1.fromW'],
    ],
    [
      'an overlap',
      [
        [0, 200],
        [100, null],
      ],
      ['tariff.tier_overlap tiers.1.fromW'],
    ],
    [
      'an open one before the last',
      [
        [0, null],
        [100, 200],
      ],
      ['tariff.tier_open_before_last tiers.0.toW'],
    ],
    [
      'an end at its start',
      [
        [0, 100],
        [100, 100],
      ],
      ['tariff.tier_end_not_above_start tiers.1.toW'],
    ],
    [
      'an end below its start',
      [
        [0, 100],
        [100, 50],
      ],
      ['tariff.tier_end_not_above_start tiers.1.toW'],
    ],
    ['a negative power', [[-1, null]], ['tariff.tier_power_invalid tiers.0.fromW']],
    ['half a watt', [[0, 0.5]], ['tariff.tier_power_invalid tiers.0.toW']],
  ])('power tiers with %s are refused at the field', (_, tiers, expected) => {
    expect(found(hourWith({ tiers: tiersFrom(...tiers) }))).toEqual(expected);
  });

  test('power tiers without an end are open, whether it is null or omitted', () => {
    expect(found(hourWith({ tiers: [{ fromW: 0, toW: undefined, feeFenPerStep: 10 }] }))).toEqual([]);
  });

  test('an unreadable power tier causes no faults of its neighbours', () => {
    const first = { fromW: 0, toW: 200, feeFenPerStep: 30 };
    const second = { fromW: 200, toW: null, feeFenPerStep: 60 };
    for (const wrong of [
      { ...first, toW: 0.5 },
      { ...first, toW: 1_000_001 },
      { ...first, fromW: null },
    ]) {
      expect(found(hourWith({ tiers: [wrong, second] }))).toEqual([expect.stringContaining('tier_power_invalid')]);
    }
  });

  test('more than 20 power tiers are refused', () => {
    const tiers = Array.from({ length: 21 }, (_, index) => ({ fromW: index, toW: index + 1, feeFenPerStep: 1 }));
    expect(found(hourWith({ tiers }))).toEqual(['tariff.too_many_tiers tiers']);
  });

  test.each([
    [null, 'tariff.fee_missing'],
    [undefined, 'tariff.fee_missing'],
    [-1, 'tariff.fee_negative'],
    [1.5, 'tariff.fee_not_integer'],
    [100_001, 'tariff.fee_too_high'],
  ])('power tiers with a fee of %s are refused with %s', (feeFenPerStep, code) => {
    expect(found(hourWith({ tiers: [{ fromW: 0, toW: null, feeFenPerStep }] }))).toEqual([
      `${code} tiers.0.feeFenPerStep`,
    ]);
  });
});

describe('the frame of a tariff by time', () => {
  test.each([0, -30, 15, 1.5, null, undefined])('a tariff by time refuses a step of %s minutes', (stepMinutes) => {
    expect(found(hourWith({ stepMinutes }))).toEqual(['tariff.step_unknown stepMinutes']);
  });

  test.each([0, -1, 1.5, 49, null, undefined])(
    'a tariff by time refuses a longest run of %s hours',
    (longestRunHours) => {
      expect(found(hourWith({ longestRunHours }))).toEqual(['tariff.longest_run_invalid longestRunHours']);
    },
  );

  test('a tariff by time refuses an unknown measure of power', () => {
    expect(found(hourWith({ measuredBy: 'median' }))).toEqual(['tariff.measure_unknown measuredBy']);
  });
});

test('every fault of a tariff is reported at once, in the order of its fields', () => {
  const { sharp: _, ...prices } = soundEnergy.prices;
  expect(found(energyWith({ prices, slots: slotsFrom('00:00-07:00') }))).toEqual([
    'tariff.price_missing prices.sharp.electricity',
    'tariff.price_missing prices.sharp.service',
    'tariff.slot_gap slots.0.end',
  ]);
});

test('no fault code is listed twice', () => {
  expect(new Set(tariffFaultCodes).size).toBe(tariffFaultCodes.length);
});

test('checked prices are the entered ones', () => {
  const read = readTariff(soundEnergy);
  expect(read.ok && read.value.kind === 'energy' && read.value.prices.sharp).toEqual({
    electricity: priceE5(70_000),
    service: priceE5(30_000),
  });
});
