import type { ScreenSums } from '@voltdeck/contract/big-screen';
import { wattHours } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { type SaleGrain, salesRows } from '../statistics/read-sales.ts';
import { sumsOf } from '../statistics/sale-figures.ts';
import type { SalePeriod } from '../statistics/sale-period.ts';

export const endedColumns = ['orders', 'energy_wh', 'amount_fen', 'discount_fen', 'paid_fen'] as const;
export type EndedRow = Record<(typeof endedColumns)[number], number>;
const nothing: EndedRow = { orders: 0, energy_wh: 0, amount_fen: 0, discount_fen: 0, paid_fen: 0 };

export const addRows = (rows: readonly EndedRow[]): EndedRow =>
  rows.reduce(
    (sum, row) => Object.fromEntries(endedColumns.map((column) => [column, sum[column] + row[column]])) as EndedRow,
    nothing,
  );

export const toSums = (row: EndedRow): ScreenSums => ({
  orders: row.orders,
  energyWh: wattHours(row.energy_wh),
  receivableFen: fen(row.amount_fen - row.discount_fen),
  receivedFen: fen(row.paid_fen),
});

/** What the charges came to that ended in a period and that the caller may see. */
export async function readEnded(
  db: Kysely<Tables>,
  caller: Caller,
  period: SalePeriod,
  at: Instant,
  grain: SaleGrain,
): Promise<EndedRow> {
  const rows = salesRows(caller, { period, at }, { family: 'site', grain, key: [], columns: endedColumns });
  const { rows: found } = await sql<EndedRow>`select ${sumsOf(endedColumns)} from ${rows} r`.execute(db);
  return found[0] ?? nothing;
}
