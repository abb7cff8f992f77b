import type { Bill } from '@voltdeck/tariffs/bill';
import { priceCharge } from '@voltdeck/tariffs/price-charge';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import { wattHours, watts } from '@voltdeck/units/energy';
import { instant } from '@voltdeck/units/instant';

export type SettlePreview =
  | { kind: 'bill'; bill: Bill; fromHeldFen: number; beyondHeldFen: number; givenBackFen: number }
  /** The end lies before the start. */
  | { kind: 'ends-too-early' }
  | { kind: 'no-rule' };

/**
 * What a settlement by hand would bill, by the rule that the server follows: readings between start and end shape the
 * curve, held between zero and the energy that was entered; the ends are start and the entered instant. Energies are
 * those of the charge in Wh, instants milliseconds since 1970.
 */
export function settlePreview(input: {
  tariff: Tariff | null;
  readings: readonly { at: string; energyWh: number | null; powerW: number | null }[];
  startedAtMs: number;
  endedAtMs: number;
  energyWh: number;
  heldFen: number;
}): SettlePreview {
  const { tariff, startedAtMs, endedAtMs, energyWh, heldFen } = input;
  if (tariff === null) return { kind: 'no-rule' };
  if (endedAtMs < startedAtMs) return { kind: 'ends-too-early' };
  const between = input.readings.flatMap(({ at, energyWh: soFarWh, powerW }) => {
    const atMs = Date.parse(at);
    if (soFarWh === null || atMs <= startedAtMs || atMs >= endedAtMs) return [];
    const energy = wattHours(Math.min(Math.max(soFarWh, 0), energyWh));
    return [{ at: instant(atMs), energyWh: energy, ...(powerW === null ? {} : { powerW: watts(powerW) }) }];
  });
  const priced = priceCharge({
    tariff,
    readings: [
      { at: instant(startedAtMs), energyWh: wattHours(0) },
      ...between,
      { at: instant(endedAtMs), energyWh: wattHours(energyWh) },
    ],
  });
  if (!priced.ok) return { kind: 'no-rule' };
  const { amountFen } = priced.value;
  return {
    kind: 'bill',
    bill: priced.value,
    fromHeldFen: Math.min(amountFen, heldFen),
    beyondHeldFen: Math.max(0, amountFen - heldFen),
    givenBackFen: Math.max(0, heldFen - amountFen),
  };
}
