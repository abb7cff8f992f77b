import type { AnswerOf } from '@voltdeck/contract/route';
import type { getWeekHours } from '@voltdeck/contract/statistics';
import { weekdayOf } from '@voltdeck/units/day';
import { wattHours } from '@voltdeck/units/energy';
import { shanghaiDate } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Reach } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { salesRows, type WantedSales } from './read-sales.ts';
import { overUntil } from './sale-period.ts';
import { stepStarts } from './sale-series.ts';

const columns = ['orders', 'energy_wh', 'amount_fen', 'discount_fen'] as const;

/** What charges brought by weekday and hour of the day in China. */
export async function readWeekHours(
  db: Kysely<Tables>,
  caller: Reach,
  wanted: WantedSales,
): Promise<AnswerOf<typeof getWeekHours>> {
  const { period, at } = wanted;
  const rows = salesRows(caller, wanted, { family: 'site', grain: 'hour', key: [], columns });
  const { rows: found } = await sql<Record<'weekday' | 'hour' | (typeof columns)[number], number>>`
    select extract(isodow from r.at at time zone 'Asia/Shanghai')::int as weekday,
           extract(hour from r.at at time zone 'Asia/Shanghai')::int as hour, sum(r.orders)::bigint as orders,
           sum(r.energy_wh)::bigint as energy_wh, sum(r.amount_fen)::bigint as amount_fen,
           sum(r.discount_fen)::bigint as discount_fen
      from ${rows} r group by 1, 2 having sum(r.orders) <> 0 order by 1, 2`.execute(db);
  const days = [0, 0, 0, 0, 0, 0, 0];
  for (const start of stepStarts(
    { from: period.from, until: overUntil(period, at) },
    'day',
    Number.POSITIVE_INFINITY,
  )) {
    const weekday = weekdayOf(shanghaiDate(start)) - 1;
    days[weekday] = (days[weekday] ?? 0) + 1;
  }
  return {
    days,
    items: found.map((row) => ({
      weekday: row.weekday,
      hour: row.hour,
      orders: row.orders,
      energyWh: wattHours(row.energy_wh),
      receivableFen: fen(row.amount_fen - row.discount_fen),
    })),
  };
}
