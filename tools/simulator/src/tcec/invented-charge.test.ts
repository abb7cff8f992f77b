import { doubtsOf } from '@voltdeck/tcec102/translate';
import { hourMs, instant, minuteMs } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { billOf, chargeAfter, type InventedCharge, msUntilFull, socAfter } from './invented-charge.ts';
import { inventedPrices } from './invented-sites.ts';

const powerW = 60_000;
const chargeFrom = (iso: string): InventedCharge => ({
  sequence: 'MA0BENCHD202611290000000001',
  portId: 'BENCH0010101',
  startedAt: instant(Date.parse(iso)),
  endedAt: null,
  stopReason: 'remote',
  stage: 'charging',
  powerW,
});

test('energy is power by time, at half the power above 80 %, up to a full battery', () => {
  expect(chargeAfter(powerW, 6 * minuteMs)).toEqual({ powerW, energyWh: 6_000, isFull: false });
  expect(socAfter(powerW, 6 * minuteMs)).toBe(30);
  expect(chargeAfter(powerW, 36 * minuteMs)).toEqual({ powerW: powerW / 2, energyWh: 36_000, isFull: false });
  expect(chargeAfter(powerW, 48 * minuteMs)).toEqual({ powerW: powerW / 2, energyWh: 42_000, isFull: false });
  expect(msUntilFull(powerW)).toBe(hourMs);
  expect(chargeAfter(powerW, hourMs)).toEqual({ powerW: 0, energyWh: 48_000, isFull: true });
  expect(socAfter(powerW, 5 * hourMs)).toBe(100);
});

test('a bill has a line for each price that the charge crossed, and its lines add up', () => {
  const charge = chargeFrom('2026-11-29T18:50:00+08:00');
  const bill = billOf(charge, instant(charge.startedAt + 20 * minuteMs), inventedPrices);
  expect(bill.lines.map(({ energyWh, electricityPriceE5 }) => [energyWh, electricityPriceE5])).toEqual([
    [10_000, 95_000],
    [10_000, 120_000],
  ]);
  // 10 kWh × 0.95 + 10 kWh × 1.20, and 20 kWh × 0.40.
  expect(bill).toMatchObject({ energyWh: 20_000, electricityFeeFen: 2_150, serviceFeeFen: 800, amountFen: 2_950 });
  expect(doubtsOf(bill)).toEqual([]);
});

test('a charge over midnight in Shanghai goes on in the valley of the next day', () => {
  const charge = chargeFrom('2026-11-29T22:55:00+08:00');
  const bill = billOf(charge, instant(Date.parse('2026-11-30T07:05:00+08:00')), inventedPrices);
  expect(bill.lines.map(({ from }) => new Date(from + 8 * hourMs).toISOString().slice(5, 16))).toEqual([
    '11-29T22:55',
    '11-29T23:00',
    '11-30T00:00',
    '11-30T07:00',
  ]);
  expect(doubtsOf(bill)).toEqual([]);
});
