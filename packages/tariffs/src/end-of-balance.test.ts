import { type Watts, wattHours, watts } from '@voltdeck/units/energy';
import { hourMs, instant, minuteMs, parseIso, toIso } from '@voltdeck/units/instant';
import { type Fen, fen, priceE5 } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOfBalance } from './end-of-balance.ts';
import { advance, billOf, type Meter, openMeter } from './meter.ts';
import type { EnergyTariff, HourTariff, Tariff } from './tariff.ts';

const start = parseIso('2026-11-21T06:00:00+08:00') ?? instant(0);
const price = (electricity: number, service: number) => ({
  electricity: priceE5(electricity),
  service: priceE5(service),
});
const energy: EnergyTariff = {
  kind: 'energy',
  prices: {
    sharp: price(150_000, 50_000),
    peak: price(100_000, 50_000),
    flat: price(60_000, 40_000),
    valley: price(30_000, 20_000),
  },
  slots: [
    { start: '00:00', end: '07:00', period: 'valley' },
    { start: '07:00', end: '24:00', period: 'flat' },
  ],
};
const hour: HourTariff = {
  kind: 'hour',
  stepMinutes: 60,
  measuredBy: 'average',
  tiers: [
    { fromW: watts(0), toW: watts(300), feeFenPerStep: fen(50) },
    { fromW: watts(300), toW: null, feeFenPerStep: fen(100) },
  ],
  longestRunHours: 10,
};

function opened(tariff: Tariff): Meter {
  const meter = openMeter(tariff, start, wattHours(0));
  if (!meter.ok) throw new Error(JSON.stringify(meter.error));
  return meter.value;
}

function advanced(meter: Meter, afterMs: number, energyWh: number): Meter {
  const next = advance(meter, { at: instant(start + afterMs), energyWh: wattHours(energyWh) });
  if (!next.ok) throw new Error(JSON.stringify(next.error));
  return next.value;
}

const end = (meter: Meter, availableFen: number, powerW: number, minutes = 0): string | null => {
  const at = instant(start + minutes * minuteMs);
  const found = endOfBalance(meter, { availableFen: fen(availableFen), powerW: watts(powerW), at });
  return found === null ? null : toIso(found);
};

describe('by energy', () => {
  test('10 kW and 2 yuan at 0.5 yuan per kWh last 24 minutes', () => {
    // 2 yuan buy 4 kWh. 4.016 kWh cost 1.2048 + 0.8032, still 1.20 + 0.80; 4.017 kWh cost 1.2051, that is 1.21.
    // 16 Wh at 10 kW are 5.76 s.
    expect(end(opened(energy), 200, 10_000)).toBe('2026-11-20T22:24:05.760Z');
  });

  test('the end of the balance allows for the dearer slot after 07:00', () => {
    // 10 kWh until 07:00 cost 5 yuan; the other 5 yuan buy 5 kWh at 1 yuan: until 07:30.
    const found = end(opened(energy), 1_000, 10_000);
    expect(found?.slice(0, 16)).toBe('2026-11-20T23:30');
  });

  test('the end of the balance deducts what is already metered', () => {
    const meter = advanced(opened(energy), 20 * minuteMs, 3_000);
    expect(end(meter, 200, 3_000)?.slice(0, 16)).toBe('2026-11-20T22:40');
  });

  test('money that is used up ends now', () => {
    const meter = advanced(opened(energy), 20 * minuteMs, 5_000);
    expect(end(meter, 200, 3_000, 21)).toBe('2026-11-20T22:21:00.000Z');
  });

  test('money that is used up ends now, even when nothing flows any more', () => {
    expect(end(advanced(opened(energy), 20 * minuteMs, 5_000), 200, 0, 21)).toBe('2026-11-20T22:21:00.000Z');
  });

  test('money that ran out since the last reading ends now', () => {
    expect(end(opened(energy), 200, 10_000, 40)).toBe('2026-11-20T22:40:00.000Z');
  });

  test('the balance has no end without power, without prices, or with money for more than a day', () => {
    const free = { ...energy, prices: { ...energy.prices, valley: price(0, 0), flat: price(0, 0) } };
    expect(end(opened(energy), 0, 0)).toBeNull();
    expect(end(opened(free), 0, 10_000)).toBeNull();
    expect(end(opened(energy), 100_000, 10_000)).toBeNull();
  });

  test('a vehicle that feeds energy back uses up no money', () => {
    expect(end(opened(energy), 0, -10_000)).toBeNull();
    expect(end(advanced(opened(energy), 20 * minuteMs, 3_000), 150, -10_000)).toBeNull();
  });

  test('an empty balance lasts until the first fen is due', () => {
    // The first fen falls due with 17 Wh (0.3 yuan per kWh: 0.51 fen).
    expect(end(opened(energy), 0, 10_000)).toBe('2026-11-20T22:00:05.760Z');
  });

  test('the bill is covered until the end of the balance, and no longer soon after it', () => {
    const anyCase = fc.record({
      meteredMinutes: fc.integer({ min: 0, max: 300 }),
      meteredWh: fc.integer({ min: 0, max: 40_000 }),
      powerW: fc.integer({ min: 100, max: 250_000 }),
      availableFen: fc.integer({ min: 0, max: 60_000 }),
    });
    const billAfter = (meter: Meter, meteredWh: number, powerW: Watts, durationMs: number): Fen => {
      const flowedWh = Math.floor((powerW * durationMs) / hourMs);
      return billOf(advanced(meter, meter.at - start + durationMs, meteredWh + flowedWh)).amountFen;
    };
    let ends = 0;
    fc.assert(
      fc.property(anyCase, ({ meteredMinutes, meteredWh, powerW, availableFen }) => {
        const meter = advanced(opened(energy), meteredMinutes * minuteMs, meteredWh);
        const found = endOfBalance(meter, { availableFen: fen(availableFen), powerW: watts(powerW), at: meter.at });
        const metered = billOf(meter).amountFen;
        if (found === null) {
          expect(billAfter(meter, meteredWh, watts(powerW), 24 * hourMs - 1_000)).toBeLessThanOrEqual(availableFen + 2);
          return;
        }
        ends += 1;
        if (metered > availableFen) {
          expect(found).toBe(meter.at);
          return;
        }
        // 1 Wh in each slot is 0.1 fen at these prices; two fees are rounded in each slot.
        expect(billAfter(meter, meteredWh, watts(powerW), found - meter.at)).toBeLessThanOrEqual(availableFen + 2);
        // 60 Wh more cost at least 3 fen in any slot of this tariff.
        const laterMs = found - meter.at + Math.ceil((60 * hourMs) / powerW);
        expect(billAfter(meter, meteredWh, watts(powerW), laterMs)).toBeGreaterThan(availableFen);
      }),
      { numRuns: 400 },
    );
    expect(ends).toBeGreaterThan(0);
  });
});

describe('by time', () => {
  test('2.50 yuan pay for two hours at 1 yuan, the third cannot begin', () => {
    expect(end(opened(hour), 250, 400)).toBe('2026-11-21T00:00:00.000Z');
  });

  test('the running step is priced by the dearer of its present tier and the present power', () => {
    const meter = advanced(opened(hour), 30 * minuteMs, 50);
    // 100 W so far, now 500 W: this hour 1 yuan, no second one for 1.50 yuan.
    expect(end(meter, 150, 500)).toBe('2026-11-20T23:00:00.000Z');
    expect(end(meter, 50, 500, 30)).toBe('2026-11-20T22:30:00.000Z');
  });

  test('the end of the balance deducts ended steps', () => {
    const meter = advanced(opened(hour), 90 * minuteMs, 150);
    // Two started hours at 0.50, then two more at 0.50.
    expect(end(meter, 200, 100, 90)).toBe('2026-11-21T02:00:00.000Z');
    expect(billOf(advanced(meter, 4 * hourMs, 400)).amountFen).toBe(200);
    expect(billOf(advanced(meter, 4 * hourMs + 1, 400)).amountFen).toBe(250);
  });

  test('the end of the balance deducts ended steps by the tier that each of them ran in', () => {
    // One hour at 1 yuan, one at 0.50, and the third running at 0.50: of 3 yuan two more hours are left.
    const meter = advanced(
      advanced(advanced(opened(hour), 60 * minuteMs, 400), 120 * minuteMs, 500),
      150 * minuteMs,
      550,
    );
    expect(billOf(meter).amountFen).toBe(200);
    expect(end(meter, 300, 100, 150)).toBe('2026-11-21T03:00:00.000Z');
  });

  test('steps without power are charged once energy has flowed, and cost nothing before', () => {
    const meter = advanced(opened(hour), 30 * minuteMs, 50);
    expect(end(meter, 100, 0, 30)).toBe('2026-11-21T00:00:00.000Z');
    expect(billOf(advanced(meter, 2 * hourMs + 1, 50)).amountFen).toBe(150);
    expect(end(opened(hour), 100, 0)).toBeNull();
    expect(billOf(advanced(opened(hour), 2 * hourMs + 1, 0)).amountFen).toBe(0);
  });

  test('a free tier has no end, with money or without', () => {
    const free = { ...hour, tiers: [{ fromW: watts(0), toW: null, feeFenPerStep: fen(0) }] };
    expect([end(opened(free), 0, 100), end(opened(free), 100, 100)]).toEqual([null, null]);
  });

  test('the end of the balance is given for up to a day ahead', () => {
    const long = { ...hour, longestRunHours: 48 };
    expect(end(opened(long), 24 * 50, 100)).toBe('2026-11-21T22:00:00.000Z');
    expect(end(opened(long), 25 * 50, 100)).toBeNull();
  });

  test('money for the longest run has no end, nor has a charge beyond it', () => {
    expect(end(opened(hour), 1_000, 400)).toBeNull();
    expect(end(opened(hour), 999, 400)).not.toBeNull();
    const meter = advanced(opened(hour), 11 * hourMs, 4_400);
    expect(end(meter, 1_000, 400)).toBeNull();
  });

  test('a charge beyond the longest run has no end even where its power has fallen into a cheaper tier', () => {
    const meter = advanced(opened(hour), 10 * hourMs + 6 * minuteMs, 4_040);
    expect(billOf(meter).amountFen).toBe(1_000);
    expect(end(meter, 1_000, 100)).toBeNull();
  });
});
