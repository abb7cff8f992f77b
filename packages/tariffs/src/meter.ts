import { type WattHours, type Watts, wattHours } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Bill } from './bill.ts';
import { readTariff } from './check-tariff.ts';
import { advanceEnergyMeter, billOfEnergyMeter, type EnergyMeter, openEnergyMeter } from './energy-meter.ts';
import {
  advanceHourMeter,
  billOfHourMeter,
  type HourMeter,
  notePowerOfHourMeter,
  openHourMeter,
} from './hour-meter.ts';
import { chargeMsMax, type PriceFault, registerWhMax } from './price-fault.ts';
import { atFixedPrice, atMostPrepaid } from './rider-choice.ts';
import type { Tariff } from './tariff.ts';

/**
 * A charge priced while it runs: immutable plain data that `advance` replaces. It holds the energy of each slot, so a
 * reading costs the same however long the charge has run.
 */
export type Meter = EnergyMeter | HourMeter;

/** The register at an instant. `powerW` is only used by tariffs that measure peak power. */
export type MeterReading = { at: Instant; energyWh: WattHours; powerW?: Watts | undefined };

/** A power reported without a register. */
export type PowerReading = { at: Instant; powerW: Watts };

/** Begins a charge at a register of 0 to `registerWhMax`. An incomplete tariff prices nothing. */
export function openMeter(tariff: Tariff, startAt: Instant, startWh: WattHours): Result<Meter, PriceFault> {
  const read = readTariff(tariff);
  if (!read.ok) return failed({ code: 'price.tariff_invalid', faults: read.error });
  if (!isRegister(startWh)) return failed({ code: 'price.register_out_of_range', at: startAt, energyWh: startWh });
  return ok(
    read.value.kind === 'energy'
      ? openEnergyMeter(read.value, startAt, startWh)
      : openHourMeter(read.value, startAt, startWh),
  );
}

/**
 * The meter after one more reading. Energy since the last reading is spread evenly over the time between them; a jump
 * at one instant belongs to the slot that begins or runs there, and to the step that ends or runs there.
 *
 * A register that falls stays at its highest. Readings come in order of time, those of one instant in order of energy;
 * `price.reading_late` means that the charge must be priced as a whole instead.
 */
export function advance(meter: Meter, reading: MeterReading): Result<Meter, PriceFault> {
  const { at } = reading;
  if (!isRegister(reading.energyWh)) {
    return failed({ code: 'price.register_out_of_range', at, energyWh: reading.energyWh });
  }
  if (at < meter.at) return failed({ code: 'price.reading_late', at, meteredUntil: meter.at });
  if (at - meter.startAt > chargeMsMax) return failed({ code: 'price.charge_too_long', from: meter.startAt, to: at });
  const energyWh = wattHours(Math.max(reading.energyWh, meter.energyWh));
  return ok(
    meter.kind === 'energy'
      ? advanceEnergyMeter(meter, at, energyWh)
      : advanceHourMeter(meter, at, energyWh, reading.powerW ?? null),
  );
}

/** The meter after a power that came without a register, in any order of time; only tariffs by peak power note it. */
export function notePower(meter: Meter, { at, powerW }: PowerReading): Meter {
  return meter.kind === 'energy' ? meter : notePowerOfHourMeter(meter, at, powerW);
}

/** The bill so far; at the end of the charge, the final one. The fee of a running step may still change. */
export function billOf(meter: Meter): Bill {
  return atMostPrepaid(meter.tariff, uncappedBillOf(meter));
}

/** The bill so far, even above what its rider prepaid. */
export function uncappedBillOf(meter: Meter): Bill {
  const metered = meter.kind === 'energy' ? billOfEnergyMeter(meter) : billOfHourMeter(meter);
  return atFixedPrice(meter.tariff, { from: meter.startAt, to: meter.at }, metered);
}

function isRegister(energyWh: number): boolean {
  return energyWh >= 0 && energyWh <= registerWhMax;
}
