import type { Reading } from '@voltdeck/charging/reading';
import type { Bill } from '@voltdeck/tariffs/bill';
import { priceCharge } from '@voltdeck/tariffs/price-charge';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import { milliamperes, millivolts, wattHours, watts } from '@voltdeck/units/energy';
import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { type ChargeShape, energyAfter } from './charge-shapes.ts';

/** A fault of a meter. `at` counts the readings from 0. */
export type MeterOddity =
  | { kind: 'jump'; at: number; addedWh: number }
  | { kind: 'backwards'; at: number; lostWh: number };

/** The physical side of a charge. */
export type MeteredCharge = {
  shape: ChargeShape;
  startAt: Instant;
  endAt: Instant;
  meterStartWh: number;
  /** Time between two readings, a multiple of the shape's interval. */
  sampleMs: number;
  oddity: MeterOddity | null;
};

/** Recent charges are detailed, older ones keep what a curve needs. */
export const sampleIntervals = {
  dc: { recent: 2 * minuteMs, older: 10 * minuteMs },
  ac: { recent: 10 * minuteMs, older: 60 * minuteMs },
  'two-wheel': { recent: 10 * minuteMs, older: 60 * minuteMs },
} as const;

/** The readings between start and end, exclusive, as the station would have sent them. */
export function readingsOf(charge: MeteredCharge): Reading[] {
  const { shape, startAt, endAt, meterStartWh, sampleMs, oddity } = charge;
  const readings: Reading[] = [];
  const every = sampleMs / shape.intervalMs;
  let jumpedWh = 0;
  for (let index = 0, elapsedMs = sampleMs; startAt + elapsedMs < endAt; index += 1, elapsedMs += sampleMs) {
    const place = Math.min((index + 1) * every, shape.energyWh.length - 1);
    if (oddity?.kind === 'jump' && oddity.at === index) jumpedWh = oddity.addedWh;
    const lostWh = oddity?.kind === 'backwards' && oddity.at === index ? oddity.lostWh : 0;
    const reading: Reading = {
      at: instant(startAt + elapsedMs),
      energyWh: wattHours(meterStartWh + Math.floor(energyAfter(shape, elapsedMs)) + jumpedWh - lostWh),
      powerW: watts(shape.powerW[place] ?? 0),
      currentMa: milliamperes(shape.currentMa[place] ?? 0),
      voltageMv: millivolts(shape.voltageMv[place] ?? 0),
      cableTemperatureC: shape.temperatureC[place] ?? 0,
      ambientTemperatureC: shape.ambientC,
    };
    if (shape.socPercent !== null) {
      reading.socPercent = shape.socPercent[place] ?? 0;
      reading.vehicleTemperatureC = Math.round((shape.temperatureC[place] ?? 0) * 10 - 25) / 10;
    }
    readings.push(reading);
  }
  return readings;
}

/** The register at the end. */
export function meterStopOf(charge: MeteredCharge): number {
  const addedWh = charge.oddity?.kind === 'jump' ? charge.oddity.addedWh : 0;
  return charge.meterStartWh + Math.floor(energyAfter(charge.shape, charge.endAt - charge.startAt)) + addedWh;
}

/**
 * The bill as the running product computes it: the registers at both ends determine the energy, the readings in between
 * when it flowed.
 * @throws Error when the charge cannot be priced, which would be a bug of the world
 */
export function billOfCharge(tariff: Tariff, charge: MeteredCharge, readings: readonly Reading[]): Bill {
  const meterStopWh = meterStopOf(charge);
  const bill = priceCharge({
    tariff,
    readings: [
      { at: charge.startAt, energyWh: wattHours(charge.meterStartWh) },
      ...readings.map(({ at, energyWh, powerW }) => ({
        at,
        energyWh: wattHours(Math.min(Math.max(energyWh ?? 0, charge.meterStartWh), meterStopWh)),
        powerW,
      })),
      { at: charge.endAt, energyWh: wattHours(meterStopWh) },
    ],
  });
  if (!bill.ok) throw new Error(`a charge of the world cannot be priced: ${JSON.stringify(bill.error)}`);
  return bill.value;
}
