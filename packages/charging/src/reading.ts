import type { Milliamperes, Millivolts, WattHours, Watts } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';

/**
 * What a meter and a vehicle reported at one instant. A field is absent when the station did not report it. `energyWh`
 * is the meter register as the station reports it (lifetime or per session), not the energy of the charge.
 */
export type Reading = {
  at: Instant;
  energyWh?: WattHours;
  powerW?: Watts;
  currentMa?: Milliamperes;
  voltageMv?: Millivolts;
  /** State of charge of the vehicle, 0 to 100. */
  socPercent?: number;
  /** The hottest point of the vehicle's battery; temperatures are in degrees Celsius with one decimal. */
  vehicleTemperatureC?: number;
  /** Of the charging cable or gun. */
  cableTemperatureC?: number;
  /** Around and inside the station. */
  ambientTemperatureC?: number;
  /** A signed meter value, kept verbatim. */
  signedData?: string;
};
