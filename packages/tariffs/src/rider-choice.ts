import type { WattHours } from '@voltdeck/units/energy';
import { type Instant, minuteMs } from '@voltdeck/units/instant';
import { fen, minFen, zeroFen } from '@voltdeck/units/money';
import { type Bill, sumLines } from './bill.ts';
import type { RiderChoice, Tariff } from './tariff.ts';

/** The tariff as the order of a rider who chose this keeps it: a charge by time ends with the hours that were paid. */
export function withChoice(tariff: Tariff, chosen: RiderChoice): Tariff {
  if (tariff.kind === 'energy' || chosen.hours === null) return { ...tariff, chosen };
  return { ...tariff, chosen, longestRunHours: Math.min(tariff.longestRunHours, chosen.hours) };
}

/** What was paid for at a fixed price; null where the bill follows the use. */
export function fixedChoice({ prepayment, chosen }: Tariff): RiderChoice | null {
  return prepayment?.kind === 'fixed' ? (chosen ?? null) : null;
}

/** Whether the charge has had the energy or the time that its rider chose. */
export function hasHadChoice(tariff: Tariff, use: { energyWh: number; lastedMs: number }): boolean {
  const { chosen } = tariff;
  if (chosen === undefined) return false;
  const { energyWh, hours } = chosen;
  return (energyWh !== null && use.energyWh >= energyWh) || (hours !== null && use.lastedMs >= hours * 60 * minuteMs);
}

/**
 * The bill at the fixed price where one was chosen, as one line; otherwise the bill as metered. Without energy nothing
 * is charged, whatever was paid.
 */
export function atFixedPrice(tariff: Tariff, charge: { from: Instant; to: Instant }, metered: Bill): Bill {
  const chosen = fixedChoice(tariff);
  const energyWh: WattHours = metered.energyWh;
  if (chosen === null || energyWh === 0) return metered;
  const { from, to } = charge;
  const lastedMinutes = Math.max(1, Math.ceil((to - from) / minuteMs));
  return sumLines(
    [
      {
        kind: 'hour',
        from,
        to,
        tierFromW: 0,
        tierToW: null,
        steps: 1,
        stepMinutes: chosen.hours === null ? lastedMinutes : chosen.hours * 60,
        feeFenPerStep: chosen.amountFen,
        energyWh,
        electricityFeeFen: zeroFen,
        serviceFeeFen: chosen.amountFen,
      },
    ],
    energyWh,
  );
}

/** What a charge may cost at most: what its rider paid for, where they chose, and never more than is there. */
export function spendable({ chosen }: Tariff, availableFen: number) {
  return chosen === undefined ? fen(availableFen) : minFen(fen(availableFen), chosen.amountFen);
}
