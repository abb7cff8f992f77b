import type { ChargeEnd } from '@voltdeck/charging/charge/charge';
import {
  type Billing,
  billingByHand,
  decideSettlement,
  type ReadRegister,
} from '@voltdeck/charging/charge/decide-settlement';
import type { StationBill } from '@voltdeck/charging/station-bill';
import type { UnpricedReason } from '@voltdeck/contract/rehearsals';
import type { Bill } from '@voltdeck/tariffs/bill';
import { isFree } from '@voltdeck/tariffs/free-tariff';
import { isPricedByPeak } from '@voltdeck/tariffs/hour-meter';
import { withSameChoice } from '@voltdeck/tariffs/rider-choice';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import type { WattHours } from '@voltdeck/units/energy';
import type { TariffId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { priceBilling } from '../orders/price-billing.ts';

/** A settled charge as it is stored. */
export type SettledCharge = {
  /** Null where no rule priced it: its station was free, or a person settled it. */
  tariffId: TariffId | null;
  tariff: Tariff | null;
  placedAt: Instant;
  begunAt: Instant | null;
  startedAt: Instant;
  endedAt: Instant;
  settledAt: Instant;
  wasPlaced: boolean;
  meterStartWh: WattHours;
  meterStopWh: WattHours;
  energyWh: WattHours;
  electricityFeeFen: Fen;
  serviceFeeFen: Fen;
  stopReason: ChargeEnd['reason'];
  bill: StationBill | null;
  ratedPowerW: number;
  /** The tariff that the station ran when the charge began; null while unknown. */
  runningTariff: Tariff | null;
};

export type RehearsedCharge = { kind: 'priced'; before: Bill; after: Bill } | { kind: UnpricedReason };

/**
 * The bill of a settled charge and what it would be by another tariff, both by the code that settles. Its own bill is
 * priced again first: only figures that give exactly the fees it was settled with are worth comparing. What its rider
 * chose to pay counts by the other tariff, too.
 */
export function rehearseCharge(
  charge: SettledCharge,
  readings: readonly ReadRegister[],
  tariff: Tariff,
): RehearsedCharge {
  if (charge.tariff === null) return { kind: 'no_rule' };
  if (charge.tariffId === null && isFree(charge.tariff)) return { kind: 'free' };
  const rehearsed = withSameChoice(tariff, charge.tariff);
  if (rehearsed === null) return { kind: 'no_choice' };
  for (const billingOf of billingsOf) {
    const billing = billingOf(charge, readings);
    const own = billing === null ? null : priceBilling(charge.tariff, billing, charge.runningTariff);
    if (billing === null || own?.ok !== true || !isAsSettled(own.value.bill, charge)) continue;
    const other = priceBilling(rehearsed, billing, charge.runningTariff);
    if (!other.ok) return { kind: 'not_priceable' };
    const before = own.value.bill;
    const after = other.value.bill;
    const isSpread = other.value.pricedBy === 'readings' && readings.every(({ energyWh }) => energyWh === null);
    if (isSpread && hasSeveralPrices(after) && !hasSeveralPrices(before)) return { kind: 'no_readings' };
    return { kind: 'priced', before, after };
  }
  return { kind: 'not_reproduced' };
}

/** Whether a bill depends on when the energy of its charge flowed. One that does, and is reproduced, tells when. */
function hasSeveralPrices({ lines }: Bill): boolean {
  const prices = lines.flatMap((line) =>
    line.kind === 'energy' ? [`${line.electricityPriceE5} ${line.servicePriceE5}`] : [],
  );
  return new Set(prices).size > 1;
}

type BillingOf = (charge: SettledCharge, readings: readonly ReadRegister[]) => Billing | null;

/**
 * What may have been billed, the most likely first: the decision at its stop; all its registers, where a rated power
 * that was changed since would now decide otherwise; a person's figures.
 */
const billingsOf: readonly BillingOf[] = [
  (charge, readings) => {
    const { bill, ratedPowerW, settledAt } = charge;
    const end = { endedAt: charge.endedAt, meterStopWh: charge.meterStopWh, reason: charge.stopReason };
    const decision = decideSettlement({
      charge,
      end,
      readings,
      bill,
      ratedPowerW,
      isPricedByPeak: isPricedByPeak(charge.tariff),
      suspicion: null,
      now: settledAt,
    });
    return decision.kind === 'bill' ? decision.billing : null;
  },
  (charge, readings) => {
    const { startedAt, endedAt, meterStartWh, meterStopWh, bill } = charge;
    const between = readings.flatMap(({ at, energyWh, powerW }) => {
      if (energyWh === null || at <= startedAt || at >= endedAt) return [];
      return [{ at, energyWh: Math.min(Math.max(energyWh, meterStartWh), meterStopWh), powerW }];
    });
    return { startedAt, endedAt, meterStartWh, meterStopWh, readings: between, powers: [], bill };
  },
  (charge) => billingByHand(charge, { energyWh: charge.energyWh, endedAt: charge.endedAt }),
];

function isAsSettled(bill: Bill, { energyWh, electricityFeeFen, serviceFeeFen }: SettledCharge): boolean {
  return (
    bill.energyWh === energyWh && bill.electricityFeeFen === electricityFeeFen && bill.serviceFeeFen === serviceFeeFen
  );
}
