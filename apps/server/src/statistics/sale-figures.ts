import type { SaleFigures } from '@voltdeck/contract/statistics';
import { wattHours } from '@voltdeck/units/energy';
import { fen } from '@voltdeck/units/money';
import { sql } from 'kysely';
import type { figureColumns, SaleColumn } from './sale-tables.ts';

export type FigureRow = Record<(typeof figureColumns)[number], number>;

/** Sums of columns of rows `r`, zero where there are no rows. */
export const sumsOf = (columns: readonly SaleColumn[]) =>
  sql.raw(columns.map((column) => `coalesce(sum(r.${column}), 0)::bigint as ${column}`).join(', '));

export function toFigures(row: FigureRow): SaleFigures {
  return {
    orders: row.orders,
    energyWh: wattHours(row.energy_wh),
    durationS: row.busy_s,
    electricityFeeFen: fen(row.electricity_fen),
    serviceFeeFen: fen(row.service_fen),
    amountFen: fen(row.amount_fen),
    discountFen: fen(row.discount_fen),
    receivableFen: fen(row.amount_fen - row.discount_fen),
    receivedFen: fen(row.paid_fen),
    refundedFen: fen(row.refunded_fen),
  };
}

/** A share in ten-thousandths; zero of nothing. */
export const shareE4 = (part: number, whole: number) => (whole <= 0 ? 0 : Math.round((part / whole) * 10_000));
