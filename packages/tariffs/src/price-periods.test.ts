import { wattHours } from '@voltdeck/units/energy';
import { instant } from '@voltdeck/units/instant';
import { type PriceE5, priceE5 } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  absentPeriod,
  amountDifference,
  type PeriodEnergies,
  periodToleranceTenthsWh,
  pricePeriods,
} from './price-periods.ts';
import { type EnergyTariff, type Period, periods } from './tariff.ts';

const price = (electricity: number, service: number) => ({
  electricity: priceE5(electricity),
  service: priceE5(service),
});
const tariff: EnergyTariff = {
  kind: 'energy',
  prices: {
    sharp: price(120_000, 60_000),
    peak: price(103_210, 50_000),
    flat: price(70_005, 40_000),
    valley: price(31_234, 30_000),
  },
  slots: [
    { start: '00:00', end: '07:00', period: 'valley' },
    { start: '07:00', end: '07:30', period: 'sharp' },
    { start: '07:30', end: '08:00', period: 'peak' },
    { start: '08:00', end: '24:00', period: 'flat' },
  ],
};
const from = instant(Date.parse('2026-11-21T06:30:00+08:00'));
const to = instant(Date.parse('2026-11-21T08:30:00+08:00'));

function priced(told: PeriodEnergies, energyWh = Math.round(told.energyTenthsWh / 10)) {
  return pricePeriods({ ...told, tariff, from, to, energyWh: wattHours(energyWh) });
}

describe('a bill by periods', () => {
  test('a bill by periods has a line for each period with energy, over the whole charge, each fee rounded once', () => {
    // valley 3.5002 × 0.31234 = 1.0932525 -> 1.09   3.5002 × 0.30 = 1.05006 -> 1.05
    // flat   7.0007 × 0.70005 = 4.90084   -> 4.90   7.0007 × 0.40 = 2.80028 -> 2.80
    // peak   3.5000 × 1.03210 = 3.61235   -> 3.61   3.5000 × 0.50 = 1.75
    const bill = priced({
      energyTenthsWh: 140_009,
      periods: [
        { period: 'sharp', energyTenthsWh: 0 },
        { period: 'peak', energyTenthsWh: 35_000 },
        { period: 'flat', energyTenthsWh: 70_007 },
        { period: 'valley', energyTenthsWh: 35_002 },
      ],
    });
    if (!bill.ok) throw new Error(bill.error.code);
    expect(bill.value.lines).toEqual([
      expect.objectContaining({
        period: 'peak',
        energyWh: 3_500,
        electricityFeeFen: 361,
        serviceFeeFen: 175,
        from,
        to,
      }),
      expect.objectContaining({
        period: 'flat',
        energyWh: 7_001,
        electricityFeeFen: 490,
        serviceFeeFen: 280,
        from,
        to,
      }),
      expect.objectContaining({ period: 'valley', energyWh: 3_500, electricityFeeFen: 109, serviceFeeFen: 105 }),
    ]);
    expect(bill.value).toMatchObject({
      energyWh: 14_001,
      electricityFeeFen: 960,
      serviceFeeFen: 560,
      amountFen: 1_520,
    });
  });

  test('a bill by periods of an empty charge has no lines and costs nothing', () => {
    expect(priced({ energyTenthsWh: 0, periods: [{ period: 'flat', energyTenthsWh: 0 }] })).toMatchObject({
      ok: true,
      value: { lines: [], energyWh: 0, amountFen: 0 },
    });
  });

  test('a bill by periods with only empty periods is refused when the order has energy', () => {
    const empty = [...periods, 'flat' as const].map((period) => ({ period, energyTenthsWh: 0 }));
    expect(priced({ periods: empty, energyTenthsWh: 5 }, 1)).toEqual({
      ok: false,
      error: { code: 'periods_differ', energyWh: 1, energyTenthsWh: 5, sumTenthsWh: 0 },
    });
  });

  test('a bill by periods tolerates a tenth of a Wh of rounding per period and no more', () => {
    const one = (energyTenthsWh: number) =>
      priced({ energyTenthsWh, periods: [{ period: 'flat', energyTenthsWh: 99 }] });
    expect(one(100).ok).toBe(true);
    expect(one(98).ok).toBe(true);
    expect(one(101)).toMatchObject({ ok: false, error: { energyTenthsWh: 101, sumTenthsWh: 99 } });
    expect(one(97).ok).toBe(false);
  });

  test('a bill by periods is refused when the tariff has one of them at another time of the day only', () => {
    const sharp = [{ period: 'sharp' as Period, energyTenthsWh: 1_000 }];
    const at = (time: string) => instant(Date.parse(`2026-11-21T${time}+08:00`));
    const between = (start: string, end: string, told = sharp) =>
      absentPeriod({ tariff, from: at(start), to: at(end), periods: told });
    expect(between('12:00', '13:00')).toBe('sharp');
    const noon = { tariff, from: at('12:00'), to: at('13:00'), energyWh: wattHours(100) };
    expect(pricePeriods({ ...noon, energyTenthsWh: 1_000, periods: sharp })).toEqual({
      ok: false,
      error: { code: 'period_absent', period: 'sharp' },
    });
    // Ten minutes for the station's clock, at both ends.
    expect(between('06:00', '06:50')).toBeNull();
    expect(between('06:00', '06:49:59')).toBe('sharp');
    expect(between('07:39:59', '08:30')).toBeNull();
    expect(between('07:40', '08:30')).toBe('sharp');
    // A whole day has them all, and a charge without a duration tells nothing.
    expect(
      absentPeriod({ tariff, from: at('12:00'), to: instant(at('12:00') + 86_400_000), periods: sharp }),
    ).toBeNull();
    expect(between('12:00', '12:00')).toBeNull();
    expect(between('12:00', '13:00', [{ period: 'sharp', energyTenthsWh: periodToleranceTenthsWh }])).toBeNull();
  });

  test('a bill by periods is refused when periods are missing, negative or not the energy of the order', () => {
    expect(priced({ energyTenthsWh: 10_000, periods: [] }).ok).toBe(false);
    expect(
      priced({
        energyTenthsWh: 10_000,
        periods: [
          { period: 'flat', energyTenthsWh: 10_001 },
          { period: 'peak', energyTenthsWh: -1 },
        ],
      }).ok,
    ).toBe(false);
    expect(priced({ energyTenthsWh: 10_000, periods: [{ period: 'flat', energyTenthsWh: 10_000 }] }, 1_001).ok).toBe(
      false,
    );
    expect(priced({ energyTenthsWh: 6, periods: periods.map((period) => ({ period, energyTenthsWh: 2 })) }, 1).ok).toBe(
      true,
    );
  });

  const energies = fc
    .record({
      tenths: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 4e9 })), {
        minLength: 4,
        maxLength: 4,
      }),
      off: fc.integer({ min: -4, max: 4 }),
      up: fc.boolean(),
    })
    .map(({ tenths, off, up }) => {
      const told = periods.map((period, index) => ({ period, energyTenthsWh: tenths[index] ?? 0 }));
      const sum = tenths.reduce((total, energy) => total + energy, 0);
      const energyTenthsWh = Math.max(0, sum + (sum === 0 ? 0 : off));
      return {
        told,
        sum,
        energyTenthsWh,
        energyWh: up ? Math.round(energyTenthsWh / 10) : Math.floor((energyTenthsWh + 5) / 10),
      };
    });

  test('a bill by periods adds up: energies to the order, fees to the amount, no line below zero, each within 1.5 Wh of its period', () => {
    fc.assert(
      fc.property(energies, ({ told, energyTenthsWh, energyWh }) => {
        const bill = priced({ periods: told, energyTenthsWh }, energyWh);
        if (!bill.ok) throw new Error(JSON.stringify(bill.error));
        const { lines, amountFen } = bill.value;
        expect(lines.length).toBe(told.filter((period) => period.energyTenthsWh > 0).length);
        expect(lines.reduce((sum, line) => sum + line.energyWh, 0)).toBe(energyWh);
        expect(lines.reduce((sum, line) => sum + line.electricityFeeFen + line.serviceFeeFen, 0)).toBe(amountFen);
        for (const line of lines) {
          if (line.kind !== 'energy') throw new Error('a line by the hour');
          const tenths = told.find(({ period }) => period === line.period)?.energyTenthsWh ?? 0;
          expect(line.energyWh).toBeGreaterThanOrEqual(0);
          expect(Math.abs(line.energyWh * 10 - tenths)).toBeLessThanOrEqual(15);
          expect(isRounded(line.electricityFeeFen, tenths, line.electricityPriceE5)).toBe(true);
          expect(isRounded(line.serviceFeeFen, tenths, line.servicePriceE5)).toBe(true);
        }
      }),
    );
  });

  test('a bill by periods is refused as soon as the rounding of all its periods cannot explain the difference', () => {
    const beyond = fc.tuple(energies, fc.integer({ min: 1, max: 1e6 }), fc.boolean());
    fc.assert(
      fc.property(beyond, ([{ told, sum }, more, up]) => {
        const apart = told.length * periodToleranceTenthsWh + more;
        const energyTenthsWh = up ? sum + apart : sum - apart;
        if (energyTenthsWh < 0) return;
        expect(priced({ periods: told, energyTenthsWh }).ok).toBe(false);
      }),
    );
  });
});

/** fee = round half up of tenths × price / 1e7, in whole numbers. */
function isRounded(fee: number, tenths: number, each: PriceE5): boolean {
  const apart = BigInt(fee) * 10_000_000n - BigInt(tenths) * BigInt(each);
  return apart > -5_000_000n && apart <= 5_000_000n;
}

describe('the difference to the station’s own sum', () => {
  const told = (amountE4: number, priceE5Told = 110_005) => ({
    amountE4,
    periods: [{ period: 'flat' as Period, energyTenthsWh: 123_456, priceE5: priceE5Told, amountE4 }],
  });

  test('the station’s own total may differ by one fen, however it rounds', () => {
    // 12.3456 kWh × 1.10005 = 13.58077728 yuan.
    for (const amountE4 of [135_808, 135_807, 135_708, 135_907])
      expect(amountDifference(tariff, told(amountE4))).toBeNull();
    expect(amountDifference(tariff, told(135_707))).not.toBeNull();
    expect(amountDifference(tariff, told(135_908))).not.toBeNull();
  });

  test('a difference of one fen to the last digit is tolerated', () => {
    // 12 kWh at 1.10005 yuan are 13.2006 yuan.
    const periods = [{ period: 'flat', energyTenthsWh: 120_000, priceE5: 110_005, amountE4: 132_006 }] as const;
    const isTold = (amountE4: number) => amountDifference(tariff, { amountE4, periods }) !== null;
    expect([131_905, 131_906, 132_006, 132_106, 132_107].map(isTold)).toEqual([true, false, false, false, true]);
  });

  test('the difference to the station’s own total names both totals and both prices of each period', () => {
    expect(amountDifference(tariff, told(148_147, 120_000))).toEqual({
      stationFen: 1_481,
      oursFen: 1_358,
      periods: [
        {
          period: 'flat',
          energyTenthsWh: 123_456,
          stationPriceE5: 120_000,
          oursPriceE5: 110_005,
          stationAmountE4: 148_147,
          oursAmountE4: 135_808,
        },
      ],
    });
  });

  test('a station that calculates exactly never differs', () => {
    const energy = fc.array(fc.integer({ min: 0, max: 4e9 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(energy, (tenths) => {
        const lines = periods.map((period, index) => {
          const { electricity, service } = tariff.prices[period];
          const energyTenthsWh = tenths[index] ?? 0;
          const amountE4 = Number((BigInt(energyTenthsWh) * BigInt(electricity + service) + 50_000n) / 100_000n);
          return { period, energyTenthsWh, priceE5: electricity + service, amountE4 };
        });
        const amountE4 = lines.reduce((sum, line) => sum + line.amountE4, 0);
        expect(amountDifference(tariff, { amountE4, periods: lines })).toBeNull();
      }),
    );
  });
});
