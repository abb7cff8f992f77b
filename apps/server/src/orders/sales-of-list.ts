import { liveOrderStates, type OrderState, paymentTypes, startModes } from '@voltdeck/charging/states';
import type { Instant } from '@voltdeck/units/instant';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { KeptTotals } from '../http/list-source.ts';
import { salesRows } from '../statistics/read-sales.ts';
import { awaitsRebuild } from '../statistics/rebuild-sales.ts';
import { sumsOf } from '../statistics/sale-figures.ts';
import { periodOf } from '../statistics/sale-period.ts';
import type { SaleColumn } from '../statistics/sale-tables.ts';
import type { OrderFilter } from './filter-orders.ts';

const columns = [
  'orders',
  'energy_wh',
  'electricity_fen',
  'service_fen',
  'paid_fen',
  'refunded_fen',
] as const satisfies SaleColumn[];

/** A filter without a beginning or an end. */
const always = { from: '1970-01-01T00:00:00.000Z', to: '9998-01-01T00:00:00.000Z' };

/** Test runs are no sales, so a filter that leaves out only them asks for all sales. */
const startModesOfSales = startModes.filter((mode) => mode !== 'test');

/** What a filter leaves out of `all`; undefined where it leaves out none. */
const narrowing = <Choice>(wanted: readonly Choice[] | undefined, all: readonly Choice[]) =>
  all.every((choice) => wanted?.includes(choice) !== false) ? undefined : wanted;

/**
 * The sums of sales that a filter by the time of the end matches; null where it asks for anything that they do not keep
 * apart, or for no completed orders.
 */
export function salesOfList(caller: Caller, filter: OrderFilter, at: Instant): KeptTotals | null {
  const { time, from = always.from, to = always.to, state, ...kept } = filter;
  const { siteId, stationId, agentId, regionCode, equipmentType, startMode, paymentType, ...others } = kept;
  if (time !== 'ended' || Object.values(others).some((wanted) => wanted !== undefined)) return null;
  if (caller.customerId !== null || state?.includes('completed') === false) return null;
  const period = periodOf({ from, to }, at, 0);
  const family = stationId === undefined ? 'site' : 'port';
  const wanted = {
    ...{ siteId, stationId, agentId, regionCode, equipmentType, period, at },
    startMode: narrowing(startMode, startModesOfSales),
    paymentType: narrowing(paymentType, paymentTypes),
  };
  if (family === 'port' && (wanted.startMode !== undefined || wanted.paymentType !== undefined)) return null;
  return {
    others: besideSales(filter),
    async read(db: Kysely<Tables>) {
      const isByKeptKind = equipmentType !== undefined && family === 'site';
      if (await awaitsRebuild(db, period, isByKeptKind ? ['first', 'station_changed'] : ['first'])) return null;
      const sales = salesRows(caller, wanted, { family, grain: 'period', key: [], columns });
      const { rows } = await sql<Record<(typeof columns)[number], number>>`
        select ${sumsOf(columns)} from ${sales} r`.execute(db);
      const [all] = rows;
      if (all === undefined) return null;
      return {
        total: all.orders,
        sums: {
          energyWh: all.energy_wh,
          amountFen: all.electricity_fen + all.service_fen,
          electricityFeeFen: all.electricity_fen,
          serviceFeeFen: all.service_fen,
          paidFen: all.paid_fen,
          refundedFen: all.refunded_fen,
        },
      };
    },
  };
}

/**
 * Orders that a filter matches and that are no sales, by the indexes of either. These do not have the summed columns:
 * each reading of a running charge would be written to them.
 */
function besideSales({ state, startMode }: OrderFilter): RawBuilder<boolean> {
  const isWanted = (wanted: OrderState) => state?.includes(wanted) !== false;
  const live = liveOrderStates.filter(isWanted);
  const ended = [
    ...(isWanted('cancelled') ? [sql`orders.state = 'cancelled'`] : []),
    ...(startMode?.includes('test') === false ? [] : [sql`orders.start_mode = 'test'`]),
  ];
  const parts = [
    ...(live.length === 0 ? [] : [sql`orders.state in (${sql.join(live.map((one) => sql.lit(one)))})`]),
    ...(ended.length === 0 ? [] : [sql`(orders.ended_at is not null and (${sql.join(ended, sql` or `)}))`]),
  ];
  return parts.length === 0 ? sql`false` : sql`(${sql.join(parts, sql` or `)})`;
}
