import type { PartnerChargeStage, PartnerOrder, PartnerOrderLine } from '@voltdeck/charging/partner-charge';
import type { PartnerPriceSlot } from '@voltdeck/charging/partner-site';
import type { StopReason } from '@voltdeck/charging/states';
import { wattHours } from '@voltdeck/units/energy';
import { dayMs, hourMs, type Instant, instant, secondMs, shanghaiDayStart } from '@voltdeck/units/instant';
import { addFen, feeFen, fen } from '@voltdeck/units/money';

/** A charge at an invented gun port. */
export type InventedCharge = {
  sequence: string;
  portId: string;
  startedAt: Instant;
  /** Null while it runs. */
  endedAt: Instant | null;
  stopReason: StopReason;
  stage: PartnerChargeStage;
  powerW: number;
};

const battery = { capacityWh: 60_000, firstPercent: 20, slowFromPercent: 80 } as const;
const fastWh = (battery.capacityWh * (battery.slowFromPercent - battery.firstPercent)) / 100;
const fullWh = (battery.capacityWh * (100 - battery.firstPercent)) / 100;
/** What is left of the power above `slowFromPercent`. */
const slowShare = 0.5;

/** Power that is drawn after so much time, and the energy until then; 0 W from a full battery on. */
export function chargeAfter(powerW: number, elapsedMs: number): { powerW: number; energyWh: number; isFull: boolean } {
  const fastMs = (fastWh / powerW) * hourMs;
  if (elapsedMs < fastMs) return { powerW, energyWh: (powerW * elapsedMs) / hourMs, isFull: false };
  const energyWh = fastWh + (powerW * slowShare * (elapsedMs - fastMs)) / hourMs;
  return energyWh < fullWh
    ? { powerW: powerW * slowShare, energyWh, isFull: false }
    : { powerW: 0, energyWh: fullWh, isFull: true };
}

/** Until the battery is full. */
export function msUntilFull(powerW: number): number {
  return ((fastWh + (fullWh - fastWh) / slowShare) / powerW) * hourMs;
}

export function socAfter(powerW: number, elapsedMs: number): number {
  return battery.firstPercent + (chargeAfter(powerW, elapsedMs).energyWh / battery.capacityWh) * 100;
}

/** The bill up to a moment: a line for every price that the charge crossed, which add up to the whole. */
export function billOf(charge: InventedCharge, until: Instant, slots: readonly PartnerPriceSlot[]): PartnerOrder {
  const cuts = [charge.startedAt, ...bordersBetween(charge.startedAt, until, slots), until];
  const energyWhUntil = (at: Instant) => Math.floor(chargeAfter(charge.powerW, at - charge.startedAt).energyWh);
  const lines = cuts.slice(1).map((to, index): PartnerOrderLine => {
    const from = cuts[index] ?? charge.startedAt;
    const { electricityPriceE5, servicePriceE5 } = slotAt(slots, from);
    const energyWh = energyWhUntil(to) - energyWhUntil(from);
    return {
      from,
      to,
      electricityPriceE5,
      servicePriceE5,
      energyWh: wattHours(energyWh),
      electricityFeeFen: feeFen(energyWh, electricityPriceE5),
      serviceFeeFen: feeFen(energyWh, servicePriceE5),
    };
  });
  const electricityFeeFen = addFen(...lines.map((line) => line.electricityFeeFen ?? fen(0)));
  const serviceFeeFen = addFen(...lines.map((line) => line.serviceFeeFen ?? fen(0)));
  return {
    sequence: charge.sequence,
    portId: charge.portId,
    from: charge.startedAt,
    to: until,
    energyWh: wattHours(energyWhUntil(until)),
    electricityFeeFen,
    serviceFeeFen,
    amountFen: addFen(electricityFeeFen, serviceFeeFen),
    stopReason: charge.stopReason,
    lines,
  };
}

function slotAt(slots: readonly PartnerPriceSlot[], at: Instant): PartnerPriceSlot {
  const second = (at - shanghaiDayStart(at)) / secondMs;
  const slot = slots.findLast(({ fromSecond }) => fromSecond <= second);
  if (slot === undefined) throw new RangeError('the prices of a day begin at midnight');
  return slot;
}

function bordersBetween(from: Instant, to: Instant, slots: readonly PartnerPriceSlot[]): Instant[] {
  const borders: Instant[] = [];
  for (let day = shanghaiDayStart(from); day < to; day = instant(day + dayMs)) {
    for (const { fromSecond } of slots) {
      const border = instant(day + fromSecond * secondMs);
      if (border > from && border < to) borders.push(border);
    }
  }
  return borders;
}
