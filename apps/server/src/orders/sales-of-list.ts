import { liveOrderStates } from '@voltdeck/charging/states';
import type { Instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
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

/**
 * The sums of sales that a filter by the time of the end matches; null where it asks for anything that they do not keep
 * apart, or for no completed orders.
 */
export function salesOfList(caller: Caller, filter: OrderFilter, at: Instant): KeptTotals | null {
  const { time, from = always.from, to = always.to, state, ...kept } = filter;
  const { siteId, stationId, agentId, regionCode, equipmentType, ...others } = kept;
  if (time !== 'ended' || Object.values(others).some((wanted) => wanted !== undefined)) return null;
  if (caller.customerId !== null || state?.includes('completed') === false) return null;
  const period = periodOf({ from, to }, at, 0);
  return {
    others: beside,
    async read(db: Kysely<Tables>) {
      const wanted = { siteId, stationId, agentId, regionCode, equipmentType, period, at };
      const family = stationId === undefined ? 'site' : 'port';
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

/** Orders that are no sales, by the indexes of either. */
const beside = sql<boolean>`(orders.state in (${sql.join(liveOrderStates.map((state) => sql.lit(state)))})
  or (orders.ended_at is not null and (orders.state = 'cancelled' or orders.start_mode = 'test')))`;
