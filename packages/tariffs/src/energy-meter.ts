import { type WattHours, wattHours } from '@voltdeck/units/energy';
import { type Instant, instant, minuteMs, shanghaiDayStart } from '@voltdeck/units/instant';
import { feeFen } from '@voltdeck/units/money';
import { type Bill, type EnergyLine, sumLines } from './bill.ts';
import { riseUntil } from './spread-energy.ts';
import { type EnergyTariff, type Period, slotMinutesMin } from './tariff.ts';
import { parseTimeOfDay } from './time-of-day.ts';

/** What flowed in one tariff slot on one day; `from` and `to` are the slot's own borders. */
export type SlotEnergy = { from: Instant; to: Instant; period: Period; energyWh: number };

/** A slot in milliseconds since midnight. */
type SlotTimes = { startMs: number; endMs: number; period: Period };

export type EnergyMeter = {
  kind: 'energy';
  tariff: EnergyTariff;
  /** One entry for each half hour of the day. */
  slotOfHalfHour: readonly SlotTimes[];
  startAt: Instant;
  startWh: WattHours;
  /** The last reading: when, and the highest register so far. */
  at: Instant;
  energyWh: WattHours;
  /** Finished slots in order of time, without those in which nothing flowed. */
  closed: readonly SlotEnergy[];
  current: SlotEnergy;
};

const halfHourMs = slotMinutesMin * minuteMs;

/** `tariff` must have been checked. */
export function openEnergyMeter(tariff: EnergyTariff, startAt: Instant, startWh: WattHours): EnergyMeter {
  const slotOfHalfHour = tariff.slots.flatMap(({ start, end, period }) => {
    const startMs = (parseTimeOfDay(start) ?? 0) * minuteMs;
    const endMs = (parseTimeOfDay(end) ?? 0) * minuteMs;
    return Array.from({ length: (endMs - startMs) / halfHourMs }, () => ({ startMs, endMs, period }));
  });
  const current = slotAt(slotOfHalfHour, startAt);
  return {
    kind: 'energy',
    tariff,
    slotOfHalfHour,
    startAt,
    startWh,
    at: startAt,
    energyWh: startWh,
    closed: [],
    current,
  };
}

/** The slot that contains `at` on its day, empty. A border belongs to the slot that begins there. */
export function slotAt(slotOfHalfHour: readonly SlotTimes[], at: Instant): SlotEnergy {
  const dayStart = shanghaiDayStart(at);
  const slot = slotOfHalfHour[Math.floor((at - dayStart) / halfHourMs)];
  if (slot === undefined) throw new Error('the slots of the tariff do not cover the day');
  const { startMs, endMs, period } = slot;
  return { from: instant(dayStart + startMs), to: instant(dayStart + endMs), period, energyWh: 0 };
}

/** Spreads what flowed since the last reading. `at` is not before it, `energyWh` not below it. */
export function advanceEnergyMeter(meter: EnergyMeter, at: Instant, energyWh: WattHours): EnergyMeter {
  const rise = energyWh - meter.energyWh;
  const spanMs = at - meter.at;
  let closed: SlotEnergy[] | null = null;
  let current = meter.current;
  let spread = 0;
  // At a border an even flow has filled the slot that ends there, and a jump falls into the slot that begins. No
  // reading lies at the end of its own slot, so time has passed wherever there is something to cut.
  while (at >= current.to) {
    const cut = riseUntil(rise, current.to - meter.at, spanMs);
    const filled = withEnergy(current, cut - spread);
    closed ??= [...meter.closed];
    if (filled.energyWh > 0) closed.push(filled);
    spread = cut;
    current = slotAt(meter.slotOfHalfHour, current.to);
  }
  return { ...meter, at, energyWh, closed: closed ?? meter.closed, current: withEnergy(current, rise - spread) };
}

function withEnergy(slot: SlotEnergy, energyWh: number): SlotEnergy {
  return { ...slot, energyWh: slot.energyWh + energyWh };
}

export function billOfEnergyMeter(meter: EnergyMeter): Bill {
  const slots = [...meter.closed, meter.current].filter((slot) => slot.energyWh > 0);
  const lines = slots.map((slot) => lineOf(meter, slot));
  return sumLines(lines, wattHours(meter.energyWh - meter.startWh));
}

function lineOf(meter: EnergyMeter, slot: SlotEnergy): EnergyLine {
  const { electricity, service } = meter.tariff.prices[slot.period];
  return {
    kind: 'energy',
    from: instant(Math.max(slot.from, meter.startAt)),
    to: instant(Math.min(slot.to, meter.at)),
    period: slot.period,
    energyWh: wattHours(slot.energyWh),
    electricityPriceE5: electricity,
    servicePriceE5: service,
    electricityFeeFen: feeFen(slot.energyWh, electricity),
    serviceFeeFen: feeFen(slot.energyWh, service),
  };
}
