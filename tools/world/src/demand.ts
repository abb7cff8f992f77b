import type { ChargeKind } from '@voltdeck/simulator/charging-curve';
import { arrivalsPerHour } from '@voltdeck/simulator/drivers';
import type { Random } from '@voltdeck/simulator/seeded';
import { dayMs, hourMs, type Instant, shanghaiDate } from '@voltdeck/units/instant';

/** Sunday first. Private cars charge for the weekend, company cars and riders on working days. */
const shareOfWeekday: Readonly<Record<ChargeKind, readonly number[]>> = {
  dc: [1.05, 0.94, 0.95, 0.96, 0.98, 1.12, 1.1],
  ac: [0.82, 1.06, 1.06, 1.05, 1.05, 1.06, 0.85],
  'two-wheel': [0.86, 1.05, 1.05, 1.05, 1.04, 1.02, 0.9],
};

/** National Day: people drive far, offices are empty. */
const holidayShare: Readonly<Record<ChargeKind, number>> = { dc: 1.35, ac: 0.7, 'two-wheel': 0.75 };

/** A day's demand relative to an average day, 1; the network grows by a fifth over its history. */
export function shareOfDay(kind: ChargeKind, dayStart: Instant, daysBeforeEnd: number): number {
  const date = shanghaiDate(dayStart);
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  const monthDay = date.slice(5);
  const holiday = monthDay >= '10-01' && monthDay <= '10-07' ? holidayShare[kind] : 1;
  return (shareOfWeekday[kind][weekday] ?? 1) * holiday * (1 - (0.2 * daysBeforeEnd) / 90);
}

/** A time of day from the profile of the simulator's drivers. */
export function drawTimeOfDay(kind: ChargeKind, random: Random): number {
  const until = hoursOf[kind];
  const total = until[23] ?? 1;
  const mark = random.next() * total;
  const hour = until.findIndex((sum) => mark < sum);
  return Math.floor((hour + random.next()) * hourMs);
}

/** Cumulative arrivals from midnight to the end of each hour. */
const hoursOf: Readonly<Record<ChargeKind, readonly number[]>> = {
  dc: sumsOfHours('dc'),
  ac: sumsOfHours('ac'),
  'two-wheel': sumsOfHours('two-wheel'),
};

function sumsOfHours(kind: ChargeKind): number[] {
  // Midnight of some day in Asia/Shanghai: the profile is the same every day.
  const midnight = 16 * hourMs + 20_000 * dayMs;
  let sum = 0;
  return Array.from({ length: 24 }, (_, hour) => {
    sum += arrivalsPerHour(kind, midnight + hour * hourMs);
    return sum;
  });
}

/** A number of events of a Poisson process with the given mean (Knuth's method: the mean is small). */
export function drawCount(mean: number, random: Random): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random.next(); product > limit; product *= random.next()) count += 1;
  return count;
}
