import { addDays, weekdayOf } from '@voltdeck/units/day';
import { randomFrom } from '@voltdeck/units/random';
import { describe, expect, test } from 'vitest';
import { dayKindOf, isCalendarKnown } from './china-days.ts';
import { daysUntilForecast, forecastDay, forecastMethod, historyDays } from './forecast-day.ts';
import { publicHolidays } from './public-holidays.ts';

/** More energy by day than by night, a third more at the weekend and half as much again on holidays. */
const shape = (day: string, hour: number) =>
  (hour >= 8 && hour < 22 ? 40_000 : 8_000) *
  (dayKindOf(day) === 'holiday' ? 1.5 : dayKindOf(day) === 'ordinary' && weekdayOf(day) >= 6 ? 1.33 : 1);

/** `days` days up to the one before yesterday of `day`, with a level by how many days ago it is. */
function historyBefore(day: string, level: (daysAgo: number) => number, { days = 90, noise = 0, seed = 1 } = {}) {
  const random = randomFrom(seed);
  const history = new Map<string, number[]>();
  for (let ago = forecastMethod.daysAhead; ago < forecastMethod.daysAhead + days; ago++) {
    const past = addDays(day, -ago);
    const strayed = () => 1 + (noise * (random(2_001) - 1_000)) / 1_000;
    history.set(
      past,
      Array.from({ length: 24 }, (_, hour) => Math.round(shape(past, hour) * level(ago) * strayed())),
    );
  }
  return history;
}

const tuesday = '2026-08-25';
const wholeDay = (day: string) => Array.from({ length: 24 }, (_, hour) => shape(day, hour)).reduce((a, b) => a + b, 0);

describe('the forecast of a day', () => {
  test('of a steady site is what its weekday always brings, with a band of no width', () => {
    for (const day of [tuesday, '2026-08-29', '2026-08-30']) {
      const forecast = forecastDay(
        day,
        historyBefore(day, () => 1),
      );
      expect(forecast?.hours.map(({ expected }) => expected)).toEqual(
        Array.from({ length: 24 }, (_, hour) => Math.round(shape(day, hour))),
      );
      expect(forecast?.day).toMatchObject({ expected: Math.round(wholeDay(day)) });
      expect(forecast?.day.high).toBe(forecast?.day.low);
    }
  });

  test('follows a trend: ten per cent more each month is missed by less than three per cent', () => {
    for (const monthly of [0.9, 1.1]) {
      const level = (ago: number) => monthly ** (-ago / 30);
      const said = forecastDay(tuesday, historyBefore(tuesday, level))?.day.expected ?? 0;
      expect(Math.abs(said / wholeDay(tuesday) - 1)).toBeLessThan(0.03);
    }
  });

  test('is held within half and double of the weeks before, whatever the last days were', () => {
    const burst = forecastDay(
      tuesday,
      historyBefore(tuesday, (ago) => (ago < 16 ? 50 : 1)),
    );
    // Six of eight like days are of the old level.
    expect(burst?.day.expected).toBe(Math.round(2 * wholeDay(tuesday)));
    const closed = forecastDay(
      tuesday,
      historyBefore(tuesday, (ago) => (ago < 16 ? 0 : 1)),
    );
    expect(closed?.day.expected).toBe(Math.round(0.5 * wholeDay(tuesday)));
  });

  test('covers about four of five days with its band, over two months of noise and growth', () => {
    let [within, hours] = [0, 0];
    for (let at = 0; at < 60; at++) {
      const day = addDays('2026-07-01', at);
      const level = (ago: number) => 1.05 ** (-ago / 30);
      const forecast = forecastDay(day, historyBefore(day, level, { noise: 0.3, seed: at }));
      const random = randomFrom(10_000 + at);
      forecast?.hours.forEach(({ low, high }, hour) => {
        const actual = shape(day, hour) * (1 + (0.3 * (random(2_001) - 1_000)) / 1_000);
        hours++;
        if (low <= actual && actual <= high) within++;
      });
    }
    expect(hours).toBe(60 * 24);
    expect(within / hours).toBeGreaterThan(0.7);
    expect(within / hours).toBeLessThan(0.95);
  });

  test('reads nothing of the day itself nor of the day on which somebody looks', () => {
    const history = historyBefore(tuesday, () => 1, { noise: 0.2 });
    const before = forecastDay(tuesday, history);
    for (const ahead of [0, 1])
      history.set(
        addDays(tuesday, -ahead),
        Array.from({ length: 24 }, () => 9_999_999),
      );
    expect(forecastDay(tuesday, history)).toEqual(before);
    expect(before).not.toBeNull();
  });

  test('reads no further back than its history', () => {
    const whole = historyBefore(tuesday, () => 1, { noise: 0.2, days: 200 });
    const short = new Map([...whole].filter(([day]) => day >= addDays(tuesday, -historyDays)));
    expect(forecastDay(tuesday, short)).toEqual(forecastDay(tuesday, whole));
  });

  test('one freak day moves neither the hours nor the level by much', () => {
    const history = historyBefore(tuesday, () => 1);
    history.set(
      addDays(tuesday, -7),
      Array.from({ length: 24 }, () => 0),
    );
    const { expected = 0 } = forecastDay(tuesday, history)?.day ?? {};
    expect(Math.abs(expected / wholeDay(tuesday) - 1)).toBeLessThan(0.08);
  });

  test('is not made from less than five weeks, and never below zero', () => {
    expect(forecastDay(tuesday, new Map())).toBeNull();
    // The first known day lies `days` and one more before the one that is forecast, which is tomorrow.
    for (const [days, isSaid] of [
      [daysUntilForecast - 1, false],
      [daysUntilForecast, true],
    ] as const) {
      const history = historyBefore(tuesday, () => 1, { days });
      expect(forecastDay(tuesday, history) !== null, `${days}`).toBe(isSaid);
    }
    const wild = forecastDay(
      tuesday,
      historyBefore(tuesday, () => 1, { noise: 1 }),
    );
    expect(Math.min(...(wild?.hours ?? []).map(({ low }) => low))).toBeGreaterThanOrEqual(0);
  });
});

describe('holidays', () => {
  test('a holiday is forecast from holidays and Sundays, and a worked Saturday from weekdays', () => {
    const holiday = forecastDay(
      '2026-10-06',
      historyBefore('2026-10-06', () => 1),
    );
    // 25 to 27 September and 1 to 4 October are holidays among the last eight weeks, beside seven Sundays.
    expect(holiday?.day.expected).toBeGreaterThan(wholeDay('2026-08-30') * 0.99);
    const worked = forecastDay(
      '2026-10-10',
      historyBefore('2026-10-10', () => 1),
    );
    expect(worked?.day.expected).toBe(wholeDay(tuesday));
  });

  test('a holiday in the past spoils neither its weekday nor the level', () => {
    const after = '2026-10-14';
    expect(
      forecastDay(
        after,
        historyBefore(after, () => 1),
      )?.day.expected,
    ).toBe(wholeDay(after));
  });

  test('the table names each year’s days as announced: weekends are worked, and no day twice', () => {
    for (const [year, holidays] of Object.entries(publicHolidays)) {
      for (const { from, to, worked } of holidays) {
        expect(from <= to).toBe(true);
        expect([from, to, ...worked].every((day) => day.startsWith(year))).toBe(true);
        expect(worked.every((day) => weekdayOf(day) >= 6 && dayKindOf(day) === 'worked')).toBe(true);
      }
    }
    expect(dayKindOf('2026-02-23')).toBe('holiday');
    expect(dayKindOf('2026-02-24')).toBe('ordinary');
    expect([isCalendarKnown('2026-12-31'), isCalendarKnown('2027-01-01')]).toEqual([true, false]);
  });
});
