import type { WattHours } from '@voltdeck/units/energy';
import { type Instant, minuteMs } from '@voltdeck/units/instant';
import { type Fen, fen, minFen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { type Bill, sumLines } from './bill.ts';
import type { RiderChoice, Tariff } from './tariff.ts';

/** The tariff as the order of a rider who chose this keeps it: a charge by time ends with the hours that were paid. */
export function withChoice(tariff: Tariff, chosen: RiderChoice): Tariff {
  if (tariff.kind === 'energy' || chosen.hours === null) return { ...tariff, chosen };
  return { ...tariff, chosen, longestRunHours: Math.min(tariff.longestRunHours, chosen.hours) };
}

/**
 * The tariff as a charge that begins at its station keeps it. A station cannot ask what its rider wants, so a card shown
 * there pays for the rule's choice that costs what one tap of the card pays, otherwise for the first.
 */
export function withChoiceAtStation(tariff: Tariff, tapAmountFen: Fen | null = null): Tariff {
  const choices = tariff.prepayment?.choices ?? [];
  const tapped = choices.find(({ amountFen }) => amountFen === tapAmountFen) ?? choices[0];
  return tapped === undefined ? tariff : withChoice(tariff, tapped);
}

/**
 * Another rule with what the rider of an order chose, for pricing that charge again; `own` is the order's copy of its
 * tariff. The choice for the same hours and energy counts, otherwise the one in the same place. Null where the rule
 * offers none of them, or where there was nothing to choose and now there is. An order of a rule with choices that was
 * placed without one is priced by its use.
 */
export function withSameChoice(rule: Tariff, own: Tariff): Tariff | null {
  const { chosen } = own;
  if (rule.prepayment === undefined) return rule;
  if (chosen === undefined) return own.prepayment === undefined ? null : rule;
  const { choices } = rule.prepayment;
  const place = own.prepayment?.choices.findIndex((choice) => isSameChoice(choice, chosen)) ?? -1;
  const inPlace = choices[place];
  const isOfSameUse = ({ hours, energyWh }: RiderChoice) => hours === chosen.hours && energyWh === chosen.energyWh;
  const carried =
    inPlace !== undefined && isOfSameUse(inPlace)
      ? inPlace
      : (choices.find((choice) => isSameChoice(choice, chosen)) ?? choices.find(isOfSameUse) ?? inPlace);
  return carried === undefined ? null : withChoice(rule, carried);
}

/** Whether both cost the same and end a charge with the same. */
export function isSameChoice(a: RiderChoice, b: RiderChoice): boolean {
  return a.amountFen === b.amountFen && a.hours === b.hours && a.energyWh === b.energyWh;
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

/**
 * The bill of a charge whose rider prepaid, which is never more than what was chosen: the lines are paid in their order,
 * electricity before service, and what was delivered after the amount was used up costs nothing. Any other bill
 * unchanged.
 */
export function atMostPrepaid({ prepayment, chosen }: Tariff, metered: Bill): Bill {
  if (prepayment?.kind !== 'prepaid' || chosen === undefined || metered.amountFen <= chosen.amountFen) return metered;
  let leftFen = chosen.amountFen;
  const paidOf = (feeFen: Fen): Fen => {
    const paidFen = minFen(feeFen, leftFen);
    leftFen = subtractFen(leftFen, paidFen);
    return paidFen;
  };
  const lines = metered.lines.map((line) => {
    const electricityFeeFen = paidOf(line.electricityFeeFen);
    return { ...line, electricityFeeFen, serviceFeeFen: paidOf(line.serviceFeeFen) };
  });
  return sumLines(lines, metered.energyWh);
}

/** What a charge may cost at most: what its rider paid for, where they chose, and never more than is there. */
export function spendable({ chosen }: Tariff, availableFen: number) {
  return chosen === undefined ? fen(availableFen) : minFen(fen(availableFen), chosen.amountFen);
}
