import { watts } from '@voltdeck/units/energy';
import { instant, parseIso } from '@voltdeck/units/instant';
import { fen, priceE5 } from '@voltdeck/units/money';
import { expect, test } from 'vitest';
import { sampleBill } from './sample-bill.ts';
import type { EnergyTariff } from './tariff.ts';

const price = { electricity: priceE5(60_000), service: priceE5(40_000) };
const tariff: EnergyTariff = {
  kind: 'energy',
  prices: { sharp: price, peak: price, flat: price, valley: { ...price, electricity: priceE5(30_000) } },
  slots: [
    { start: '00:00', end: '07:00', period: 'valley' },
    { start: '07:00', end: '24:00', period: 'flat' },
  ],
};
const startAt = parseIso('2026-11-21T06:00:00+08:00') ?? instant(0);

test('a sample of two hours at 7 kW from 06:00 is shown line by line', () => {
  const sample = sampleBill(tariff, { startAt, minutes: 120, powerW: watts(7_000) });
  expect(sample.ok && sample.value.lines).toMatchObject([
    { period: 'valley', energyWh: 7_000, electricityFeeFen: 210, serviceFeeFen: 280 },
    { period: 'flat', energyWh: 7_000, electricityFeeFen: 420, serviceFeeFen: 280 },
  ]);
  expect(sample.ok && sample.value.amountFen).toBe(1_190);
});

test('a sample of a rule by time is priced by its power tier', () => {
  const sample = sampleBill(
    {
      kind: 'hour',
      stepMinutes: 30,
      measuredBy: 'peak',
      tiers: [
        { fromW: watts(0), toW: watts(300), feeFenPerStep: fen(20) },
        { fromW: watts(300), toW: null, feeFenPerStep: fen(45) },
      ],
      longestRunHours: 8,
    },
    { startAt, minutes: 100, powerW: watts(350) },
  );
  expect(sample.ok && sample.value).toMatchObject({ energyWh: 583, amountFen: 180, lines: [{ steps: 4 }] });
});

test('an unfinished rule has no sample', () => {
  const unfinished = { ...tariff, slots: [] };
  expect(sampleBill(unfinished, { startAt, minutes: 60, powerW: watts(7_000) })).toMatchObject({
    ok: false,
    error: { code: 'price.tariff_invalid', faults: [{ code: 'tariff.slots_empty' }] },
  });
});

test('a sample longer than a charge may last has no bill', () => {
  const sample = sampleBill(tariff, { startAt, minutes: 32 * 1_440, powerW: watts(7_000) });
  expect(sample).toMatchObject({ ok: false, error: { code: 'price.charge_too_long' } });
});
