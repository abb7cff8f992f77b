import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { takeSums } from './keep-sales.ts';
import {
  addingTo,
  bucketColumn,
  orderColumns,
  type SaleTableName,
  saleTableNames,
  saleTables,
  shareColumns,
  sumsFor,
  withStation,
} from './sale-tables.ts';

/**
 * Compares every kept sum of a day (in China) with its orders, as they are at one moment, and returns how many differ.
 * Null where another node has the sums.
 */
export function countDifferences(db: Kysely<Tables>, day: string): Promise<number | null> {
  return db.transaction().execute((trx) => compareDay(trx, day, comparing));
}

/** The same, and makes those that differ what the orders say. It never stops a charge, and readers see one step. */
export function mendDay(trx: Trx, day: string): Promise<number | null> {
  return compareDay(trx, day, mending);
}

async function compareDay(trx: Trx, day: string, statement: (day: string) => string): Promise<number | null> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error(`${day} is no day`);
  if (!(await takeSums(trx))) return null;
  const { rows } = await sql<{ differing: number }>`${sql.raw(statement(day))}`.execute(trx);
  return rows[0]?.differing ?? 0;
}

const dims = ['hour_at', 'site_id', 'agent_id', 'station_id', 'connector_id', 'start_mode', 'payment_type'] as const;

const daily = saleTableNames.filter((table) => saleTables[table].bucket !== 'month');
/** Months are moved by what their days are moved by. */
const monthly: Readonly<Partial<Record<SaleTableName, SaleTableName>>> = {
  sale_port_days: 'sale_port_months',
  sale_site_days: 'sale_site_months',
  sale_share_days: 'sale_share_months',
};

/**
 * One statement, so that orders, changes that wait and kept sums are of one moment. What the sums must hold is what the
 * orders say less what waits.
 */
const differences = (day: string) => {
  const begin = `timestamptz '${day} 00:00+08'`;
  const end = `${begin} + interval '1 day'`;
  const zeros = (columns: readonly string[]) => columns.map((column) => `0::bigint as ${column}`).join(', ');
  const shares = ['share_fen', ...shareColumns];
  return `
  with changes as materialized (
    select ${dims.join(', ')}, null::text as party, null::bigint as party_id, ${orderColumns.join(', ')}, ${zeros(shares)}
      from order_sales where ended_at >= ${begin} and ended_at < ${end}
    union all
    select date_trunc('hour', o.ended_at, 'UTC'), ${dims.slice(1).join(', ')}, s.party, s.party_id,
           ${orderColumns.map(() => '0').join(', ')}, ${shares.map((column) => `s.${column}`).join(', ')}
      from orders o join order_sale_shares s on s.order_id = o.id
     where is_sale(o) and o.ended_at >= ${begin} and o.ended_at < ${end}
    union all
    select ${dims.join(', ')}, party, party_id, ${[...orderColumns, ...shares].map((column) => `-${column}`).join(', ')}
      from sale_changes where hour_at >= ${begin} and hour_at < ${end}
  ), placed as materialized (${withStation('changes')}),
  ${daily.map((table) => `of_${table} as materialized (${differenceOf(table, { day, begin, end })})`).join(',\n  ')}`;
};

function differenceOf(table: SaleTableName, { day, begin, end }: { day: string; begin: string; end: string }): string {
  const { key, sums } = saleTables[table];
  const bucket = bucketColumn(table);
  const names = [bucket, ...key].join(', ');
  const inDay = bucket === 'hour_at' ? `hour_at >= ${begin} and hour_at < ${end}` : `day = date '${day}'`;
  return `
    select ${names}, ${sums.map((column) => `sum(${column})::bigint as ${column}`).join(', ')} from (
      ${sumsFor(table, 'placed')}
      union all
      select ${names}, ${sums.map((column) => `-${column}`).join(', ')} from ${table} where ${inDay}) both_sides
     group by ${names} having ${sums.map((column) => `sum(${column}) <> 0`).join(' or ')}`;
}

const counted = `select (${daily.map((table) => `(select count(*) from of_${table})`).join(' + ')})::int as differing`;

const comparing = (day: string) => `${differences(day)}\n${counted}`;

const mending = (day: string) => {
  const mended = daily.flatMap((table) => {
    const month = monthly[table];
    const into = [`in_${table} as (${addingTo(table, rowsOf(table))})`];
    return month === undefined ? into : [...into, `in_${month} as (${addingTo(month, monthOf(table))})`];
  });
  return `${differences(day)},\n${mended.join(',\n')}\n${counted}`;
};

function rowsOf(table: SaleTableName): string {
  const { key, sums } = saleTables[table];
  return `select ${[bucketColumn(table), ...key, ...sums].join(', ')} from of_${table}`;
}

function monthOf(table: SaleTableName): string {
  const { key, sums } = saleTables[table];
  return `select date_trunc('month', day)::date, ${[...key, ...sums].join(', ')} from of_${table}`;
}
