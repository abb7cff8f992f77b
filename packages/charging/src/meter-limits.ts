import type { Reading } from './reading.ts';

type Figure = Exclude<keyof Reading, 'at' | 'signedData'>;

/**
 * Beyond these, no figure of a charging station's meter is credible: several times what the largest ones deliver (3.75
 * MW, 3 kA, 1,250 V). A value outside is a fault of the station and is dropped on entry; whether one within is
 * plausible for a given station is judged where the station is known.
 */
export const meterLimits: Readonly<Record<Figure, { min: number; max: number }>> = {
  /** 100 GWh, beyond the lifetime register of any meter. */
  energyWh: { min: 0, max: 100_000_000_000 },
  powerW: { min: 0, max: 20_000_000 },
  currentMa: { min: 0, max: 20_000_000 },
  voltageMv: { min: 0, max: 10_000_000 },
  socPercent: { min: 0, max: 100 },
  vehicleTemperatureC: { min: -100, max: 250 },
  cableTemperatureC: { min: -100, max: 250 },
  ambientTemperatureC: { min: -100, max: 250 },
};

/** 100 MWh: a ship's battery. No record of a single charge reports more. */
export const chargeEnergyMaxWh = 100_000_000;

const figures = Object.keys(meterLimits) as Figure[];

export function isPossible(figure: Figure, value: number): boolean {
  const { min, max } = meterLimits[figure];
  return value >= min && value <= max;
}

/** Drops the impossible figures of a reading, and names them in `unusable`. */
export function leaveOutImpossible(reading: Reading, unusable: string[]): void {
  for (const figure of figures) {
    const value = reading[figure];
    if (value === undefined || isPossible(figure, value)) continue;
    delete reading[figure];
    unusable.push(`${figure}: ${value}`);
  }
}
