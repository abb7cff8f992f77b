import type { Register } from '@voltdeck/charging/charge/charge';
import { plausiblePowerW, plausibleRegisters } from '@voltdeck/charging/charge/plausibility';
import { billOf, type Meter } from '@voltdeck/tariffs/meter';
import { meterOf } from '@voltdeck/tariffs/price-charge';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import { wattHours, watts } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';
import { type Fen, zeroFen } from '@voltdeck/units/money';
import type { StoredReading } from './order-readings.ts';

export type RunningFigures = {
  /** Null until the first reading, where the start reported no register. */
  meterStartWh: number | null;
  /** The last plausible register, ignoring leaps of the meter (see `plausibility`). */
  register: Register | null;
  /** Null when the charge cannot be priced. */
  meter: Meter | null;
  energyWh: number;
  electricityFeeFen: Fen;
  serviceFeeFen: Fen;
  powerW: number | null;
  socPercent: number | null;
  lastReadingAt: Instant | null;
};

/** The figures of a running charge from its stored readings, in order of time. */
export function runningFigures(
  charge: { startedAt: Instant; meterStartWh: number | null; tariff: Tariff | null; ratedPowerW: number },
  readings: readonly StoredReading[],
): RunningFigures {
  const { startedAt, tariff, ratedPowerW } = charge;
  const registers = readings.flatMap(({ at, energyWh, powerW }) =>
    energyWh !== null && at >= startedAt ? [{ at, energyWh, powerW: plausiblePowerW(powerW, ratedPowerW) }] : [],
  );
  const meterStartWh = charge.meterStartWh ?? registers[0]?.energyWh ?? null;
  const start = meterStartWh === null ? null : { at: startedAt, energyWh: meterStartWh, powerW: null };
  const kept = start === null ? [] : plausibleRegisters(start, registers, ratedPowerW).kept;
  const meter =
    tariff === null || start === null
      ? null
      : meterOf({
          tariff,
          readings: [start, ...kept].map(({ at, energyWh, powerW }) => ({
            at,
            energyWh: wattHours(energyWh),
            ...(powerW === null ? {} : { powerW: watts(powerW) }),
          })),
          powers: readings.flatMap(({ at, energyWh, powerW }) => {
            const plausibleW = plausiblePowerW(powerW, ratedPowerW);
            return energyWh === null && plausibleW !== null ? [{ at, powerW: watts(plausibleW) }] : [];
          }),
        });
  const bill = meter?.ok ? billOf(meter.value) : null;
  const register = kept.at(-1) ?? start;
  return {
    meterStartWh,
    register: register === null ? null : { at: register.at, energyWh: register.energyWh },
    meter: meter?.ok ? meter.value : null,
    energyWh: Math.max(0, (register?.energyWh ?? 0) - (meterStartWh ?? 0)),
    electricityFeeFen: bill?.electricityFeeFen ?? zeroFen,
    serviceFeeFen: bill?.serviceFeeFen ?? zeroFen,
    powerW: readings.findLast(({ powerW }) => plausiblePowerW(powerW, ratedPowerW) !== null)?.powerW ?? null,
    socPercent: readings.findLast(({ socPercent }) => socPercent !== null)?.socPercent ?? null,
    lastReadingAt: readings.at(-1)?.at ?? null,
  };
}
