import { wattHours, watts } from '@voltdeck/units/energy';
import { hourMs, instant, minuteMs } from '@voltdeck/units/instant';
import { fen, priceE5 } from '@voltdeck/units/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkTariff, readTariff } from './check-tariff.ts';
import { endOfBalance } from './end-of-balance.ts';
import { uncappedBillOf } from './meter.ts';
import { meterOf, priceCharge } from './price-charge.ts';
import { atMostPrepaid, hasHadChoice, withChoice, withChoiceAtStation, withSameChoice } from './rider-choice.ts';
import type { EnergyTariff, HourTariff, PrepaymentKind, RiderChoice, Tariff } from './tariff.ts';

const choice: RiderChoice = { amountFen: fen(200), hours: 4, energyWh: null };
const price = { electricity: priceE5(60_000), service: priceE5(40_000) };

const byHour = (kind: PrepaymentKind): HourTariff => ({
  kind: 'hour',
  stepMinutes: 60,
  measuredBy: 'average',
  tiers: [{ fromW: watts(0), toW: null, feeFenPerStep: fen(30) }],
  longestRunHours: 12,
  prepayment: { kind, choices: [choice] },
});
const byEnergy = (kind: PrepaymentKind): EnergyTariff => ({
  kind: 'energy',
  prices: { sharp: price, peak: price, flat: price, valley: price },
  slots: [{ start: '00:00', end: '24:00', period: 'flat' }],
  prepayment: { kind, choices: [choice] },
});

const startAt = instant(Date.UTC(2026, 10, 21));
const at = instant(startAt + 10 * minuteMs);

function charge(tariff: Tariff, minutes: number, energyWh: number) {
  return {
    tariff,
    readings: [
      { at: startAt, energyWh: wattHours(0) },
      { at: instant(startAt + minutes * minuteMs), energyWh: wattHours(energyWh) },
    ],
  };
}

function amountOf(tariff: Tariff, minutes: number, energyWh: number): number {
  const priced = priceCharge(charge(tariff, minutes, energyWh));
  if (!priced.ok) throw new Error(priced.error.code);
  return priced.value.amountFen;
}

function meterAfterTenMinutes(tariff: Tariff) {
  const meter = meterOf(charge(tariff, 10, 30));
  if (!meter.ok) throw new Error(meter.error.code);
  return meter.value;
}

describe('a fixed price', () => {
  test.each([byHour('fixed'), byEnergy('fixed')])('a fixed price is paid whatever was used, by $kind', (rule) => {
    const paid = withChoice(rule, choice);
    const use = fc.record({
      minutes: fc.integer({ min: 1, max: 1_440 }),
      energyWh: fc.integer({ min: 1, max: 20_000 }),
    });
    fc.assert(fc.property(use, ({ minutes, energyWh }) => amountOf(paid, minutes, energyWh) === 200));
  });

  test('a fixed price is one line with what was paid for', () => {
    const priced = priceCharge(charge(withChoice(byHour('fixed'), choice), 90, 400));
    expect(priced.ok && priced.value.lines).toMatchObject([
      { kind: 'hour', steps: 1, stepMinutes: 240, feeFenPerStep: 200, energyWh: 400, serviceFeeFen: 200 },
    ]);
    const untilFull = withChoice(byEnergy('fixed'), { ...choice, hours: null });
    const full = priceCharge(charge(untilFull, 90, 400));
    expect(full.ok && full.value.lines).toMatchObject([{ stepMinutes: 90, electricityFeeFen: 0 }]);
  });

  test('a charge without energy costs nothing, even at a fixed price', () => {
    expect(amountOf(withChoice(byHour('fixed'), choice), 90, 0)).toBe(0);
  });

  test('the money never ends a charge at a fixed price', () => {
    const meter = meterAfterTenMinutes(withChoice(byHour('fixed'), choice));
    expect(endOfBalance(meter, { availableFen: fen(200), powerW: watts(180), at })).toBeNull();
  });
});

describe('a prepaid choice', () => {
  test('a prepaid charge costs what it used, and an order without a choice is priced as before', () => {
    const { prepayment: _, ...plain } = byHour('prepaid');
    expect(amountOf(withChoice(byHour('prepaid'), choice), 90, 400)).toBe(60);
    expect(amountOf(byHour('fixed'), 90, 400)).toBe(amountOf(plain, 90, 400));
  });

  test('a prepaid charge ends when what was paid is used up, however much more there is', () => {
    const meter = meterAfterTenMinutes(withChoice(byHour('prepaid'), { ...choice, hours: null }));
    const end = endOfBalance(meter, { availableFen: fen(100_000), powerW: watts(180), at });
    expect(end).toBe(startAt + 6 * hourMs);
  });

  test('a prepaid charge never costs more than was paid, and its bill holds all of its energy', () => {
    const use = fc.record({
      minutes: fc.integer({ min: 1, max: 1_440 }),
      energyWh: fc.integer({ min: 1, max: 90_000 }),
    });
    for (const rule of [byHour('prepaid'), byEnergy('prepaid')]) {
      const { prepayment: _, ...plain } = rule;
      const paid = withChoice(rule, { ...choice, hours: null });
      fc.assert(
        fc.property(use, ({ minutes, energyWh }) => {
          const priced = priceCharge(charge(paid, minutes, energyWh));
          if (!priced.ok) throw new Error(priced.error.code);
          const { amountFen, lines } = priced.value;
          expect(amountFen).toBe(Math.min(200, amountOf(plain, minutes, energyWh)));
          expect(lines.reduce((sum, line) => sum + line.energyWh, 0)).toBe(energyWh);
        }),
      );
    }
  });

  test('what was prepaid pays the lines in their order, electricity before service', () => {
    const rule = {
      ...byEnergy('prepaid'),
      slots: [
        { start: '00:00', end: '09:00', period: 'flat' },
        { start: '09:00', end: '24:00', period: 'peak' },
      ],
    } as const;
    // An hour from 08:00 in Shanghai at 0.60 + 0.40, and another at the same price.
    const metered = meterOf(charge(rule, 120, 3_000));
    if (!metered.ok) throw new Error(metered.error.code);
    const bill = uncappedBillOf(metered.value);
    expect(bill.lines).toMatchObject([
      { electricityFeeFen: 90, serviceFeeFen: 60 },
      { electricityFeeFen: 90, serviceFeeFen: 60 },
    ]);
    const capped = atMostPrepaid(withChoice(rule, { ...choice, hours: null }), bill);
    expect(capped).toMatchObject({ energyWh: 3_000, amountFen: 200, electricityFeeFen: 140, serviceFeeFen: 60 });
    expect(capped.lines).toMatchObject([
      { electricityFeeFen: 90, serviceFeeFen: 60, energyWh: 1_500 },
      { electricityFeeFen: 50, serviceFeeFen: 0, energyWh: 1_500 },
    ]);
  });

  test('a prepaid charge that has used up more than was paid ends at once', () => {
    const meter = meterOf(charge(withChoice(byEnergy('prepaid'), { ...choice, hours: null }), 10, 2_100));
    if (!meter.ok) throw new Error(meter.error.code);
    expect(endOfBalance(meter.value, { availableFen: fen(100_000), powerW: watts(0), at })).toBe(at);
  });

  test('the hours that were paid for shorten the longest run, and never lengthen it', () => {
    expect(withChoice(byHour('prepaid'), choice)).toMatchObject({ longestRunHours: 4 });
    expect(withChoice(byHour('prepaid'), { ...choice, hours: 20 })).toMatchObject({ longestRunHours: 12 });
  });
});

test('a charge that begins at its station is of the first choice, and of none where the rule has none', () => {
  const second = { ...choice, amountFen: fen(500), hours: 12 };
  const rule = { ...byHour('prepaid'), prepayment: { kind: 'prepaid' as const, choices: [choice, second] } };
  expect(withChoiceAtStation(rule)).toEqual(withChoice(rule, choice));
  const { prepayment: _, ...plain } = rule;
  expect(withChoiceAtStation(plain)).toBe(plain);
});

test('a card whose tap pays what a choice costs gets that choice, and the first where none costs it', () => {
  const second = { ...choice, amountFen: fen(choice.amountFen + 100), hours: 2 };
  const rule = { ...byHour('prepaid'), prepayment: { kind: 'prepaid' as const, choices: [choice, second] } };
  expect(withChoiceAtStation(rule, second.amountFen)).toEqual(withChoice(rule, second));
  expect(withChoiceAtStation(rule, fen(1))).toEqual(withChoice(rule, choice));
});

describe('a choice under another rule', () => {
  const of = (amountFen: number, hours: number | null): RiderChoice => ({
    amountFen: fen(amountFen),
    hours,
    energyWh: null,
  });
  const ruleOf = (...choices: RiderChoice[]): HourTariff => ({
    ...byHour('fixed'),
    prepayment: { kind: 'fixed', choices },
  });
  const own = withChoice(ruleOf(of(200, 4), of(500, 12)), of(500, 12));

  test.each([
    ['the choice of the same hours, whatever it costs', ruleOf(of(600, 12), of(250, 4)), 600],
    ['of several for the same hours the one in the same place', ruleOf(of(550, 12), of(600, 12)), 600],
    ['of several for the same hours the one at the same price', ruleOf(of(550, 12), of(900, 8), of(500, 12)), 500],
    ['the one in the same place, where none is for the same hours', ruleOf(of(300, 4), of(450, 10)), 450],
  ])('a choice is carried over: %s', (_title, rule, amountFen) => {
    expect(withSameChoice(rule, own)).toMatchObject({ chosen: { amountFen } });
  });

  test('a choice is carried over as nothing where the rule has none like it, and is without meaning where it has none', () => {
    expect(withSameChoice(ruleOf(of(300, 4)), own)).toBeNull();
    const { prepayment: _, ...plain } = byHour('fixed');
    expect(withSameChoice(plain, own)).toBe(plain);
  });

  test('an order without a choice has no price where riders choose, unless its own rule had choices', () => {
    const { prepayment: _, ...plain } = byHour('fixed');
    const rule = ruleOf(of(200, 4));
    expect(withSameChoice(rule, plain)).toBeNull();
    expect(withSameChoice(rule, rule)).toBe(rule);
  });
});

test('a choice is used up by its hours or its energy, whichever comes first', () => {
  const both = withChoice(byEnergy('prepaid'), { amountFen: fen(200), hours: 2, energyWh: wattHours(1_000) });
  expect(hasHadChoice(both, { energyWh: 999, lastedMs: 2 * hourMs - 1 })).toBe(false);
  expect(hasHadChoice(both, { energyWh: 1_000, lastedMs: 0 })).toBe(true);
  expect(hasHadChoice(both, { energyWh: 0, lastedMs: 2 * hourMs })).toBe(true);
  expect(hasHadChoice(byEnergy('prepaid'), { energyWh: 9_999, lastedMs: 9 * hourMs })).toBe(false);
});

describe('checking choices', () => {
  const faultsOf = (choices: readonly object[]) =>
    checkTariff({ ...byHour('prepaid'), prepayment: { kind: 'prepaid', choices: choices as RiderChoice[] } }).map(
      ({ code, path }) => [code, path.join('.')],
    );

  test('choices are one to six, each with an amount above zero, whole hours and energy', () => {
    expect(faultsOf([])).toEqual([['tariff.choices_empty', 'prepayment.choices']]);
    expect(faultsOf(Array.from({ length: 7 }, () => choice))).toEqual([
      ['tariff.too_many_choices', 'prepayment.choices'],
    ]);
    expect(faultsOf([choice, { amountFen: 0, hours: 49, energyWh: 0 }])).toEqual([
      ['tariff.choice_amount_invalid', 'prepayment.choices.1.amountFen'],
      ['tariff.choice_hours_invalid', 'prepayment.choices.1.hours'],
      ['tariff.choice_energy_invalid', 'prepayment.choices.1.energyWh'],
    ]);
    expect(faultsOf([choice, { amountFen: 100_001 }])).toEqual([
      ['tariff.choice_amount_invalid', 'prepayment.choices.1.amountFen'],
    ]);
    expect(faultsOf([choice, { amountFen: 100_000, hours: 48, energyWh: 100_000 }])).toEqual([]);
    expect(faultsOf([{ amountFen: 1, hours: 1, energyWh: 1 }])).toEqual([]);
    expect(faultsOf(Array.from({ length: 6 }, () => choice))).toEqual([]);
  });

  test('a choice until the battery is full has neither hours nor energy', () => {
    expect(faultsOf([{ amountFen: 500, hours: null, energyWh: null }, { amountFen: 500 }])).toEqual([]);
    const draft = { ...byHour('fixed'), prepayment: { kind: 'fixed' as const, choices: [{ amountFen: 500 }] } };
    const read = readTariff(draft);
    expect(read.ok && read.value.prepayment?.choices).toEqual([{ amountFen: 500, hours: null, energyWh: null }]);
  });

  test('a fault of a choice names its limit in the unit of its phrase', () => {
    const paramsOf = (choices: readonly RiderChoice[]) =>
      checkTariff({ ...byHour('prepaid'), prepayment: { kind: 'prepaid', choices } }).map(({ params }) => params);
    expect(paramsOf(Array.from({ length: 7 }, () => choice))).toEqual([{ max: 6, count: 7 }]);
    expect(paramsOf([{ amountFen: fen(100_001), hours: 49, energyWh: wattHours(100_001) }])).toEqual([
      { maxYuan: 1_000 },
      { max: 48 },
      { maxKwh: 100 },
    ]);
  });

  test('a rule that was stored before there were choices reads as it was', () => {
    const { prepayment: _, ...stored } = byHour('prepaid');
    expect(readTariff(stored)).toStrictEqual({ ok: true, value: stored });
  });

  test('an order’s copy keeps what its rider chose', () => {
    const kept = withChoice(byHour('prepaid'), choice);
    expect(readTariff(kept)).toStrictEqual({ ok: true, value: kept });
  });
});
