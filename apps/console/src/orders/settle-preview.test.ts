import type { EnergyTariff } from '@voltdeck/tariffs/tariff';
import { priceE5 } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import { settlePreview } from './settle-preview.ts';

const price = (electricity: number, service: number) => ({
  electricity: priceE5(electricity),
  service: priceE5(service),
});
const tariff: EnergyTariff = {
  kind: 'energy',
  prices: {
    sharp: price(120_000, 0),
    peak: price(100_000, 0),
    flat: price(60_000, 40_000),
    valley: price(30_000, 20_000),
  },
  slots: [
    { start: '00:00', end: '07:00', period: 'valley' },
    { start: '07:00', end: '24:00', period: 'flat' },
  ],
};
const at = (text: string) => Date.parse(`${text}+08:00`);
const charge = {
  tariff,
  readings: [],
  startedAtMs: at('2026-11-21T06:30:00'),
  endedAtMs: at('2026-11-21T07:30:00'),
  energyWh: 20_000,
  heldFen: 1000,
};

describe('preview of a settlement by hand', () => {
  test('energy without readings is spread evenly and priced on both sides of 07:00', () => {
    // 10 kWh at 0.50 and 10 kWh at 1.00 yuan: 5.00 + 10.00
    const preview = settlePreview(charge);
    expect(preview).toMatchObject({ kind: 'bill', fromHeldFen: 1000, beyondHeldFen: 500, givenBackFen: 0 });
    if (preview.kind === 'bill') expect(preview.bill.amountFen).toBe(1500);
  });

  test('readings shape the curve and count no higher than the energy that was entered', () => {
    const readings = [
      { at: new Date(at('2026-11-21T06:45:00')).toISOString(), energyWh: 18_000, powerW: null },
      { at: new Date(at('2026-11-21T07:00:00')).toISOString(), energyWh: 99_000, powerW: null },
    ];
    const preview = settlePreview({ ...charge, readings });
    if (preview.kind !== 'bill') throw new Error(preview.kind);
    expect(preview.bill.lines.map((line) => line.energyWh)).toEqual([20_000]);
    expect(preview.bill.amountFen).toBe(1000);
  });

  test('what was held beyond the bill is given back', () => {
    expect(settlePreview({ ...charge, energyWh: 0 })).toMatchObject({
      kind: 'bill',
      fromHeldFen: 0,
      givenBackFen: 1000,
    });
  });

  test('an end before the start and a missing rule are said, not priced', () => {
    expect(settlePreview({ ...charge, endedAtMs: charge.startedAtMs - 1 })).toEqual({ kind: 'ends-too-early' });
    expect(settlePreview({ ...charge, tariff: null })).toEqual({ kind: 'no-rule' });
  });
});
