import { type SalePoint, type StatisticsStep, statisticsStepsMax } from '@voltdeck/contract/statistics';
import { firstOfMonth } from '@voltdeck/units/day';
import {
  dayMs,
  hourMs,
  type Instant,
  instant,
  parseShanghaiDate,
  shanghaiDate,
  shanghaiDayStart,
  toIso,
} from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Reach } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { salesRows, type WantedSales } from './read-sales.ts';
import { type FigureRow, sumsOf, toFigures } from './sale-figures.ts';
import type { SalePeriod } from './sale-period.ts';
import { figureColumns } from './sale-tables.ts';

/** Whether a period has more steps than a series may. */
export const isTooLong = (period: SalePeriod, step: StatisticsStep) =>
  stepStarts(period, step, statisticsStepsMax[step] + 1).length > statisticsStepsMax[step];

/** What charges brought, step by step, with a zero where there were none. */
export async function readSeries(
  db: Kysely<Tables>,
  caller: Reach,
  wanted: WantedSales & { step: StatisticsStep },
): Promise<SalePoint[]> {
  const { step, stationId, connectorId, period } = wanted;
  const family = stationId === undefined && connectorId === undefined ? 'site' : 'port';
  const rows = salesRows(caller, wanted, { family, grain: step, key: [], columns: figureColumns });
  const moment = step === 'hour' ? sql`(extract(epoch from r.at) * 1000)::bigint` : sql`r.at::text`;
  const { rows: found } = await sql<FigureRow & { moment: number | string }>`
    select ${moment} as moment, ${sumsOf(figureColumns)} from ${rows} r group by r.at`.execute(db);
  const byMoment = new Map(found.map((row) => [momentOf(row.moment), row]));
  return stepStarts(period, step, statisticsStepsMax[step]).map((start) => ({
    at: toIso(start),
    ...toFigures(byMoment.get(start) ?? nothing),
  }));
}

const nothing = Object.fromEntries(figureColumns.map((column) => [column, 0])) as FigureRow;

const momentOf = (moment: number | string): Instant =>
  typeof moment === 'number' ? instant(moment) : (parseShanghaiDate(moment) as Instant);

/** The beginnings of the steps that a period touches, `max` at most. */
export function stepStarts({ from, until }: SalePeriod, step: StatisticsStep, max: number): Instant[] {
  const starts: Instant[] = [];
  for (let start = startOf(from, step); start < until && starts.length < max; start = next(start, step)) {
    starts.push(start);
  }
  return starts;
}

function startOf(at: Instant, step: StatisticsStep): Instant {
  if (step === 'hour') return instant(at - (at % hourMs));
  if (step === 'day') return shanghaiDayStart(at);
  return parseShanghaiDate(firstOfMonth(shanghaiDate(at))) as Instant;
}

function next(start: Instant, step: StatisticsStep): Instant {
  if (step === 'hour') return instant(start + hourMs);
  if (step === 'day') return instant(start + dayMs);
  return startOf(instant(start + 32 * dayMs), 'month');
}
