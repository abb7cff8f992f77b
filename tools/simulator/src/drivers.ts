import { hourMs, instant, minuteMs, secondMs, shanghaiTimeOfDayMs } from '@voltdeck/units/instant';
import { type ChargeKind, drawVehicle, type Vehicle } from './charging-curve.ts';
import type { Random } from './seeded.ts';

/** A day's arrivals by hour in Asia/Shanghai; only the proportions count. */
const shareByHour: Readonly<Record<ChargeKind, readonly number[]>> = {
  // Taxis and vans at noon, after the evening shift, and when the valley price begins.
  dc: [5, 3, 2, 1, 1, 2, 3, 4, 5, 5, 5, 7, 9, 8, 6, 5, 5, 5, 5, 5, 5, 6, 7, 7],
  // Offices in the morning, homes in the evening.
  ac: [2, 1, 1, 1, 1, 1, 2, 6, 10, 8, 4, 3, 3, 3, 3, 3, 4, 6, 10, 10, 8, 6, 4, 3],
  // Riders come home.
  'two-wheel': [1, 1, 1, 1, 1, 1, 3, 4, 3, 2, 2, 3, 5, 3, 2, 2, 3, 7, 11, 12, 11, 9, 6, 3],
};
const arrivalsPerConnectorDay: Readonly<Record<ChargeKind, number>> = { dc: 9, ac: 2.5, 'two-wheel': 2.5 };
const stayMeanMs: Readonly<Record<ChargeKind, number>> = {
  dc: 45 * minuteMs,
  ac: 5 * hourMs,
  'two-wheel': 4 * hourMs,
};

/** Expected arrivals per hour at one connector around an instant. */
export function arrivalsPerHour(kind: ChargeKind, at: number): number {
  const hour = Math.floor(shanghaiTimeOfDayMs(instant(Math.round(at))) / hourMs);
  return rateAt(kind, hour);
}

/** The busiest hour's rate: no hour has more. */
export function arrivalsPerHourMax(kind: ChargeKind): number {
  return Math.max(...shareByHour[kind].map((_, hour) => rateAt(kind, hour)));
}

/** The share of connectors in use around an instant, if drivers always found one. */
export function expectedUse(kind: ChargeKind, at: number): number {
  return Math.min(0.85, (arrivalsPerHour(kind, at) * stayMeanMs[kind]) / hourMs);
}

function rateAt(kind: ChargeKind, hour: number): number {
  const shares = shareByHour[kind];
  const total = shares.reduce((sum, share) => sum + share, 0);
  return (arrivalsPerConnectorDay[kind] * (shares[hour] ?? 0)) / total;
}

/** What a driver will do at a connector. */
export type Visit = {
  vehicle: Vehicle;
  /** Whether the card is presented before plugging in. */
  cardFirst: boolean;
  /** The pause between the two. */
  pauseMs: number;
  /** When the driver comes back and ends the charge, if it is still running. */
  backAfterMs: number;
  /** How: with the card, or by pulling the plug. */
  endsWith: 'card' | 'plug';
  /** The pause between the end of the charge and unplugging. */
  lingerMs: number;
};

/** `hurry` shortens the stay, in step with the smaller battery. */
export function drawVisit(kind: ChargeKind, random: Random, hurry = 1): Visit {
  const stayMs = stayMeanMs[kind] * random.between(0.5, 1.6);
  return {
    vehicle: drawVehicle(kind, random, hurry),
    cardFirst: random.chance(0.15),
    pauseMs: random.between(4, 20) * secondMs,
    backAfterMs: Math.max(2 * minuteMs, stayMs / hurry),
    endsWith: random.chance(kind === 'two-wheel' ? 0.7 : 0.15) ? 'plug' : 'card',
    lingerMs: random.between(10 * secondMs, (kind === 'dc' ? 6 : 15) * minuteMs) / Math.sqrt(hurry),
  };
}
