import {
  continuedWh,
  followRegister,
  hasRestarted,
  plausiblePowerW,
  type RunningRegister,
} from '@voltdeck/charging/charge/plausibility';
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
  register: RunningRegister | null;
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
  const { kept, register } = followAll(start, registers, ratedPowerW);
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
  return {
    meterStartWh,
    register,
    meter: meter?.ok ? meter.value : null,
    energyWh: Math.max(0, (register === null ? 0 : continuedWh(register)) - (meterStartWh ?? 0)),
    electricityFeeFen: bill?.electricityFeeFen ?? zeroFen,
    serviceFeeFen: bill?.serviceFeeFen ?? zeroFen,
    powerW: readings.findLast(({ powerW }) => plausiblePowerW(powerW, ratedPowerW) !== null)?.powerW ?? null,
    socPercent: readings.findLast(({ socPercent }) => socPercent !== null)?.socPercent ?? null,
    lastReadingAt: readings.at(-1)?.at ?? null,
  };
}

type ReadRegister = { at: Instant; energyWh: number; powerW: number | null };

/** The registers that count, as if the meter had not restarted. */
function followAll(
  start: ReadRegister | null,
  registers: readonly ReadRegister[],
  ratedPowerW: number,
): { kept: ReadRegister[]; register: RunningRegister | null } {
  if (start === null) return { kept: [], register: null };
  const kept: ReadRegister[] = [];
  let register: RunningRegister = { last: { at: start.at, energyWh: start.energyWh }, fallen: null };
  for (const { at, energyWh, powerW } of registers) {
    const { after, doubt } = followRegister(register, { at, energyWh }, ratedPowerW);
    register = after;
    if (doubt === null || hasRestarted(after)) kept.push({ at, energyWh: continuedWh(after), powerW });
  }
  return { kept, register };
}
