import { dayKindOf, isCalendarKnown } from '@voltdeck/charging/forecast/china-days';
import { forecastDay, historyDays } from '@voltdeck/charging/forecast/forecast-day';
import type { ForecastAnswer, ForecastFigures } from '@voltdeck/contract/statistics';
import { addDays } from '@voltdeck/units/day';
import { wattHours } from '@voltdeck/units/energy';
import { dayMs, type Instant, instant, shanghaiDate, shanghaiDayStart } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Reach } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { type SalesFilter, salesRows } from './read-sales.ts';

const columns = ['orders', 'energy_wh', 'amount_fen', 'discount_fen'] as const;
const hoursOfDay = Array.from({ length: 24 }, (_, hour) => hour);

/** Energy and what was due for it, by day and hour; days before the first charge are missing. */
type Known = { energyWh: Map<string, number[]>; receivableFen: Map<string, number[]>; firstOn: string | null };

/** What is expected of tomorrow, and how yesterday was expected and went. Nothing that moves money reads it. */
export async function readForecast(
  db: Kysely<Tables>,
  caller: Reach,
  filter: SalesFilter,
  at: Instant,
): Promise<ForecastAnswer> {
  const today = shanghaiDate(at);
  const [yesterday, tomorrow] = [addDays(today, -1), addDays(today, 1)];
  const known = await readKnown(db, caller, filter, at);
  const [energyWh, receivableFen] = [dayOf(known.energyWh, yesterday), dayOf(known.receivableFen, yesterday)];
  const actual = { energyWh: wattHours(sumOf(energyWh)), receivableFen: fen(sumOf(receivableFen)) };
  const said = forecastOf(yesterday, known);
  return {
    firstOn: known.firstOn,
    tomorrow: { ...kindOf(tomorrow), forecast: forecastOf(tomorrow, known) },
    yesterday: {
      ...kindOf(yesterday),
      forecast: said,
      actual: {
        ...actual,
        hours: hoursOfDay.map((hour) => ({
          hour,
          powerW: energyWh[hour] ?? 0,
          receivableFen: fen(receivableFen[hour] ?? 0),
        })),
      },
      energyErrorE4: said === null ? null : errorE4(said.energyWh.expected, actual.energyWh),
      receivableErrorE4: said === null ? null : errorE4(said.receivableFen.expected, actual.receivableFen),
    },
  };
}

async function readKnown(db: Kysely<Tables>, caller: Reach, filter: SalesFilter, at: Instant): Promise<Known> {
  const until = shanghaiDayStart(at);
  const from = instant(until - (historyDays + 1) * dayMs);
  const wanted = { ...filter, period: { from, until }, at };
  const rows = salesRows(caller, wanted, { family: 'site', grain: 'hour', key: [], columns });
  const { rows: found } = await sql<{ day: string; hour: number; orders: number; energy_wh: number; due_fen: number }>`
    select (h.at at time zone 'Asia/Shanghai')::date::text as day,
           extract(hour from h.at at time zone 'Asia/Shanghai')::int as hour, h.orders, h.energy_wh, h.due_fen
      from (select r.at, sum(r.orders)::bigint as orders, sum(r.energy_wh)::bigint as energy_wh,
                   sum(r.amount_fen - r.discount_fen)::bigint as due_fen
              from ${rows} r group by r.at) h
     order by h.at`.execute(db);
  const firstOn = found.find(({ orders }) => orders > 0)?.day ?? null;
  const known: Known = { energyWh: new Map(), receivableFen: new Map(), firstOn };
  if (firstOn === null) return known;
  for (let day = firstOn; day < shanghaiDate(at); day = addDays(day, 1)) {
    known.energyWh.set(day, noHours());
    known.receivableFen.set(day, noHours());
  }
  for (const { day, hour, energy_wh, due_fen } of found) {
    dayOf(known.energyWh, day)[hour] = energy_wh;
    dayOf(known.receivableFen, day)[hour] = due_fen;
  }
  return known;
}

const noHours = () => hoursOfDay.map(() => 0);
const dayOf = (days: ReadonlyMap<string, number[]>, day: string) => days.get(day) ?? noHours();
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const kindOf = (day: string) => ({ day, dayKind: dayKindOf(day), isCalendarKnown: isCalendarKnown(day) });
const errorE4 = (said: number, actual: number) =>
  actual === 0 ? null : Math.round(((said - actual) / actual) * 10_000);

function forecastOf(day: string, known: Known): ForecastFigures | null {
  const energy = forecastDay(day, known.energyWh);
  const due = forecastDay(day, known.receivableFen);
  if (energy === null || due === null) return null;
  return {
    energyWh: estimateOf(energy.day, wattHours),
    receivableFen: estimateOf(due.day, fen),
    hours: hoursOfDay.map((hour) => ({
      hour,
      // An hour's energy in Wh is its mean power in W.
      powerW: energy.hours[hour] as (typeof energy.hours)[number],
      receivableFen: estimateOf(due.hours[hour] as (typeof due.hours)[number], fen),
    })),
  };
}

type Bounds<Value> = { expected: Value; low: Value; high: Value };
const estimateOf = <Value>({ expected, low, high }: Bounds<number>, unit: (value: number) => Value): Bounds<Value> => ({
  expected: unit(expected),
  low: unit(low),
  high: unit(high),
});
