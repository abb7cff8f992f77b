import { type Watts, wattHours, watts } from '@voltdeck/units/energy';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Bill } from './bill.ts';
import { advance, billOf, type Meter, type MeterReading, notePower, openMeter, type PowerReading } from './meter.ts';
import type { PriceFault } from './price-fault.ts';
import type { Tariff } from './tariff.ts';

type ChargeReadings = {
  tariff: Tariff;
  readings: readonly MeterReading[];
  /** Reported without a register. */
  powers?: readonly PowerReading[];
};

/**
 * The bill of a whole charge. The first reading (by time, then by energy) is its beginning and the last its end; their
 * order and repetitions are irrelevant. Linear in the number of readings when they are sorted.
 */
export function priceCharge(charge: ChargeReadings): Result<Bill, PriceFault> {
  const meter = meterOf(charge);
  return meter.ok ? ok(billOf(meter.value)) : meter;
}

/** The meter after all readings of a charge, to continue a charge whose meter was lost. */
export function meterOf(charge: ChargeReadings): Result<Meter, PriceFault> {
  const readings = normaliseReadings(charge.readings);
  const first = readings[0];
  if (first === undefined) return failed({ code: 'price.no_readings' });
  let meter = openMeter(charge.tariff, first.at, first.energyWh);
  for (const power of charge.powers ?? []) if (meter.ok) meter = ok(notePower(meter.value, power));
  for (const reading of readings) {
    if (!meter.ok) return meter;
    meter = advance(meter.value, reading);
  }
  return meter;
}

/**
 * The readings as a register that only rises: sorted by time; of one instant the lowest and the highest, so that a jump
 * is kept; a register that falls is held at its highest. Reported powers of one instant become their maximum.
 */
export function normaliseReadings(readings: readonly MeterReading[]): MeterReading[] {
  const sorted = [...readings].sort((a, b) => a.at - b.at || a.energyWh - b.energyWh);
  const normal: MeterReading[] = [];
  for (const reading of sorted) {
    const last = normal.at(-1);
    const energyWh = wattHours(Math.max(last?.energyWh ?? reading.energyWh, reading.energyWh));
    if (last === undefined || last.at !== reading.at) {
      normal.push({ ...reading, energyWh });
      continue;
    }
    const highest = { at: reading.at, energyWh, powerW: higher(last.powerW, reading.powerW) };
    const isPair = normal.at(-2)?.at === reading.at;
    if (isPair || energyWh === last.energyWh) normal[normal.length - 1] = highest;
    else normal.push(highest);
  }
  return normal;
}

function higher(a: Watts | undefined, b: Watts | undefined): Watts | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return watts(Math.max(a, b));
}
