import {
  type EquipmentType,
  type PaymentType,
  paymentTypes,
  type StartMode,
  type StationType,
  startModes,
} from '@voltdeck/charging/states';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { ComparedWith, getSalesSummary } from '@voltdeck/contract/statistics';
import { periods } from '@voltdeck/tariffs/tariff';
import { wattHours } from '@voltdeck/units/energy';
import { toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Reach } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { salesRows, type WantedSales } from './read-sales.ts';
import { type FigureRow, sumsOf, toFigures } from './sale-figures.ts';
import { overUntil, periodBefore } from './sale-period.ts';
import { bandColumns, figureColumns, periodColumns, type SaleColumn } from './sale-tables.ts';

type Summary = AnswerOf<typeof getSalesSummary>;

const columns = [...figureColumns, 'first_orders', ...bandColumns, ...periodColumns] as const satisfies SaleColumn[];
type Row = FigureRow & Record<(typeof columns)[number], number>;
type Group = {
  payment_type: PaymentType;
  start_mode: StartMode;
  station_type: StationType;
  equipment_type: EquipmentType;
};

/** The payers whose charges are of customers that we do not know one by one. */
const namelessPayers = new Set<PaymentType>(['partner', 'none']);

/** What charges brought in a period, how it splits, and what the period before brought. */
export async function readSummary(
  db: Kysely<Tables>,
  caller: Reach,
  wanted: WantedSales & { comparedWith: ComparedWith },
): Promise<Summary> {
  const { period, at } = wanted;
  const before = periodBefore(period, at, wanted.comparedWith);
  const groups = await readGroups(db, caller, wanted);
  const past = await readFigures(db, caller, { ...wanted, period: before });
  const wholeFrom = await findWholeFrom(db);
  const rows = (by: number) => groups.filter(({ grouping }) => grouping === by);
  const all = sumRows(rows(byStation));
  const ofPayment = rows(byPayment);
  const nameless = ofPayment.filter(({ payment_type: type }) => namelessPayers.has(type));
  const other = nameless.reduce((sum, row) => sum + row.orders - row.first_orders, 0);
  return {
    period: { from: toIso(period.from), to: toIso(period.until), isRunning: overUntil(period, at) < period.until },
    before: { from: toIso(before.from), to: toIso(before.until) },
    now: toFigures(all),
    past: toFigures(past),
    newCustomers: all.first_orders,
    pastNewCustomers: past.first_orders,
    returningOrders: all.orders - all.first_orders - other,
    otherOrders: other,
    periods: periodsOf(all),
    payments: inOrder(ofPayment, paymentTypes, ({ payment_type: type }) => type).map((row) => ({
      paymentType: row.payment_type,
      ...toFigures(row),
    })),
    startModes: inOrder(rows(byStart), startModes, ({ start_mode: mode }) => mode).map((row) => ({
      startMode: row.start_mode,
      ...toFigures(row),
    })),
    stationTypes: rows(byStation)
      .toSorted((a, b) => b.amount_fen - a.amount_fen)
      .map((row) => ({ stationType: row.station_type, equipmentType: row.equipment_type, ...toFigures(row) })),
    bands: bandColumns.map((column) => all[column]),
    kept: { wholeFrom, at: toIso(at) },
  };
}

/** `grouping()` of the sets below: a bit is set for each column that a set leaves out. */
const [byPayment, byStart, byStation] = [0b0111, 0b1011, 0b1100];

async function readGroups(db: Kysely<Tables>, caller: Reach, wanted: WantedSales) {
  const key = ['payment_type', 'start_mode', 'station_type', 'equipment_type'];
  const rows = salesRows(caller, wanted, { family: 'site', grain: 'period', key, columns });
  const { rows: groups } = await sql<Row & Group & { grouping: number }>`
    select r.payment_type, r.start_mode, r.station_type, r.equipment_type,
           grouping(r.payment_type, r.start_mode, r.station_type, r.equipment_type) as grouping, ${sumsOf(columns)}
      from ${rows} r
     group by grouping sets ((r.payment_type), (r.start_mode), (r.station_type, r.equipment_type))
    having sum(r.orders) <> 0`.execute(db);
  return groups;
}

const pastColumns = [...figureColumns, 'first_orders'] as const satisfies SaleColumn[];
type PastRow = FigureRow & { first_orders: number };

/** The figures of a period in one row. Its ends within a day are read by the hour where they can be. */
async function readFigures(db: Kysely<Tables>, caller: Reach, wanted: WantedSales): Promise<PastRow> {
  const rows = salesRows(caller, wanted, { family: 'site', grain: 'period', key: [], columns: pastColumns });
  const { rows: found } = await sql<PastRow>`select ${sumsOf(pastColumns)} from ${rows} r`.execute(db);
  return found[0] as PastRow;
}

const sumRows = (rows: readonly Row[]): Row =>
  Object.fromEntries(columns.map((column) => [column, rows.reduce((sum, row) => sum + row[column], 0)])) as Row;

function periodsOf(all: Row): Summary['periods'] {
  const byPeriod = periods.map((period) => ({
    period,
    energyWh: all[`${period}_wh`],
    electricityFeeFen: all[`${period}_electricity_fen`],
    serviceFeeFen: all[`${period}_service_fen`],
  }));
  const rest = (whole: number, part: 'energyWh' | 'electricityFeeFen' | 'serviceFeeFen') =>
    whole - byPeriod.reduce((sum, row) => sum + row[part], 0);
  const hourly = {
    period: null,
    energyWh: rest(all.energy_wh, 'energyWh'),
    electricityFeeFen: rest(all.electricity_fen, 'electricityFeeFen'),
    serviceFeeFen: rest(all.service_fen, 'serviceFeeFen'),
  };
  return [...byPeriod, hourly].map((row) => ({
    ...row,
    energyWh: wattHours(row.energyWh),
    electricityFeeFen: fen(row.electricityFeeFen),
    serviceFeeFen: fen(row.serviceFeeFen),
  }));
}

function inOrder<Item, Value>(items: readonly Item[], order: readonly Value[], of: (item: Item) => Value): Item[] {
  return items.toSorted((a, b) => order.indexOf(of(a)) - order.indexOf(of(b)));
}

/**
 * The first day from which on the sums are whole while those of an installation with a past are made, or days of them that
 * failed are to be made again; else null.
 */
export async function findWholeFrom(db: Kysely<Tables>): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select (max(next_on) + 1)::text as day from sale_rebuilds where because = 'first' and done_at is null`.execute(db);
  return rows[0]?.day ?? null;
}
