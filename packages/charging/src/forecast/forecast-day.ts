import { addDays, weekdayOf } from '@voltdeck/units/day';
import { dayKindOf } from './china-days.ts';

/** Whole quantities (Wh, fen) by hour of the day in China, 24 of them. */
export type HourlyDay = readonly number[];
/** Days by date, each complete; one that is missing is not known. */
export type HourlyHistory = ReadonlyMap<string, HourlyDay>;

/** What is expected, and the bounds within which four of five past days lay. */
export type Estimate = { expected: number; low: number; high: number };
export type DayForecast = { hours: readonly Estimate[]; day: Estimate };

export const forecastMethod = {
  /** Days with which a day is compared: eight of its weekday. */
  comparedDays: 56,
  /** The last days, whose level is held against the days before. */
  levelDays: 14,
  /** The level is believed within these bounds: beyond, it is a site that opened or closed. */
  levelMin: 0.5,
  levelMax: 2,
  /** The latest days whose errors make the band. */
  errorDays: 28,
  /** Between the last day that is known and the one that is forecast lies the day on which somebody looks. */
  daysAhead: 2,
  /** Days like the one that is forecast, and errors, without which nothing is said. */
  likeDaysMin: 3,
  errorsMin: 14,
  /** The band's quantiles of past errors. */
  lowQuantile: 0.1,
  highQuantile: 0.9,
} as const;

/** So many days before the one that is forecast lies the earliest that the forecast and its band look at. */
export const historyDays = forecastMethod.comparedDays + forecastMethod.errorDays + forecastMethod.daysAhead;

/** So many days after the first known one, holidays aside, there is a forecast of the next day. */
export const daysUntilForecast = forecastMethod.likeDaysMin * 7 + forecastMethod.errorsMin;

/**
 * Forecasts a day hour by hour: the median of that hour on like days of the last eight weeks, times how the last
 * fourteen days compare with the weeks before. The band is the 10th to 90th percentile of the errors that the same rule
 * would have made on the last four weeks. The whole day is forecast by the same rule from whole days, so it need not be
 * the sum of its hours. Null where there are too few like days or too few errors. Only days up to `daysAhead` before
 * `day` are read.
 */
export function forecastDay(day: string, history: HourlyHistory): DayForecast | null {
  const expected = expect(day, history);
  if (expected === null) return null;
  const errors: number[][] = [];
  const last = addDays(day, -forecastMethod.daysAhead);
  for (let back = 0; back < forecastMethod.errorDays; back++) {
    const past = addDays(last, -back);
    const actual = history.get(past);
    const said = actual === undefined ? null : expect(past, history);
    if (actual !== undefined && said !== null) errors.push(withSum(actual).map((value, at) => value - (said[at] ?? 0)));
  }
  if (errors.length < forecastMethod.errorsMin) return null;
  const estimates = expected.map((value, at) => {
    const missed = errors.map((error) => error[at] ?? 0);
    return {
      expected: Math.round(value),
      low: Math.max(0, Math.round(value + Math.min(0, quantile(missed, forecastMethod.lowQuantile)))),
      high: Math.round(value + Math.max(0, quantile(missed, forecastMethod.highQuantile))),
    };
  });
  return { hours: estimates.slice(0, 24), day: estimates[24] as Estimate };
}

/** The hours of a day and, last, their sum. */
const withSum = (hours: HourlyDay) => [...hours, sumOf(hours)];
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** What is expected for each hour and, last, for the day; null where there are too few like days. */
function expect(day: string, history: HourlyHistory): number[] | null {
  const last = addDays(day, -forecastMethod.daysAhead);
  const days = Array.from({ length: forecastMethod.comparedDays }, (_, back) => addDays(last, -back));
  const like = days.filter((past) => isLike(past, day) && history.has(past));
  if (like.length < forecastMethod.likeDaysMin) return null;
  const level = levelOf(days, history);
  const rows = like.map((past) => withSum(history.get(past) ?? []));
  return Array.from({ length: 25 }, (_, at) => level * median(rows.map((row) => row[at] ?? 0)));
}

/** Ordinary days are compared with their weekday, holidays with holidays and Sundays, worked weekends with weekdays. */
function isLike(past: string, day: string): boolean {
  const [kind, pastKind] = [dayKindOf(day), dayKindOf(past)];
  if (kind === 'ordinary') return pastKind === 'ordinary' && weekdayOf(past) === weekdayOf(day);
  if (kind === 'holiday') return pastKind === 'holiday' || (pastKind === 'ordinary' && weekdayOf(past) === 7);
  return pastKind === 'worked' || (pastKind === 'ordinary' && weekdayOf(past) <= 5);
}

/** The last fourteen days against what their weekdays brought before; 1 where nothing can be compared. */
function levelOf(days: readonly string[], history: HourlyHistory): number {
  const totals = days.flatMap((day) => {
    const hours = history.get(day);
    return hours === undefined || dayKindOf(day) !== 'ordinary' ? [] : [{ day, total: sumOf(hours) }];
  });
  const levelFrom = addDays(days[0] as string, 1 - forecastMethod.levelDays);
  const earlier = totals.filter(({ day }) => day < levelFrom);
  let [now, before] = [0, 0];
  for (const { day, total } of totals) {
    if (day < levelFrom) continue;
    const same = earlier.filter((one) => weekdayOf(one.day) === weekdayOf(day)).map((one) => one.total);
    if (same.length === 0) continue;
    now += total;
    before += sumOf(same) / same.length;
  }
  return before === 0 ? 1 : Math.min(forecastMethod.levelMax, Math.max(forecastMethod.levelMin, now / before));
}

const median = (values: readonly number[]) => quantile(values, 0.5);

/** Between two values in proportion. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const place = (sorted.length - 1) * share;
  const [below = 0, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}
