import type { EquipmentType, PaymentType, StartMode } from '@voltdeck/charging/states';
import { codesWithin } from '@voltdeck/regions/regions';
import { addDays, firstOfMonth } from '@voltdeck/units/day';
import type { AgentId, ConnectorId, SiteId, StationId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant, shanghaiDate } from '@voltdeck/units/instant';
import { type RawBuilder, sql } from 'kysely';
import type { Reach } from '../caller/scope.ts';
import { cutPeriod, overUntil, type SalePeriod } from './sale-period.ts';
import { type SaleColumn, type SaleTableName, saleTables, shareColumns } from './sale-tables.ts';

/** Which sales are wanted. */
export type SalesFilter = {
  regionCode?: string | undefined;
  agentId?: AgentId | undefined;
  siteId?: SiteId | undefined;
  equipmentType?: EquipmentType | undefined;
  stationId?: StationId | undefined;
  connectorId?: ConnectorId | undefined;
  /** Only the days and months of sites keep these apart. */
  startMode?: readonly StartMode[] | undefined;
  paymentType?: readonly PaymentType[] | undefined;
};

export type WantedSales = SalesFilter & { period: SalePeriod; at: Instant };

/** Sums by what: sites, gun ports, or parties that share. */
export type SaleFamily = 'site' | 'port' | 'share';
/** How long what is read stays apart: `period` gives one figure for all of it. */
export type SaleGrain = 'hour' | 'day' | 'month' | 'period';
/** Shares are kept by the day only. */
type SaleGrouping =
  | { family: Exclude<SaleFamily, 'share'>; grain: SaleGrain }
  | { family: 'share'; grain: Exclude<SaleGrain, 'hour'> };

type KeptTables = { day: SaleTableName; month: SaleTableName };
const hoursOf = { site: 'sale_site_hours', port: 'sale_port_hours' } as const;
const keptOf = {
  site: { day: 'sale_site_days', month: 'sale_site_months' },
  port: { day: 'sale_port_days', month: 'sale_port_months' },
  share: { day: 'sale_share_days', month: 'sale_share_months' },
} as const satisfies Readonly<Record<SaleFamily, KeptTables>>;

const at = (moment: Instant) => sql`to_timestamp(${moment} / 1000.0)`;

/** The ids of the sites in a region of any level, as a subquery. */
export function sitesWithin(regionCode: string): RawBuilder<unknown> {
  const { from, to } = codesWithin(regionCode);
  return sql`(select id from sites where region_code between ${from} and ${to})`;
}

/** Rows `s` of kept sums, changes or orders that the caller may see and that are wanted. */
function isWanted(caller: Reach, filter: SalesFilter, hasKind: boolean): RawBuilder<boolean> {
  const parts: RawBuilder<unknown>[] = [];
  if (caller.agents !== 'all') parts.push(sql`s.agent_id = any(${[...caller.agents]}::bigint[])`);
  if (filter.agentId !== undefined) parts.push(sql`s.agent_id = ${filter.agentId}`);
  if (filter.siteId !== undefined) parts.push(sql`s.site_id = ${filter.siteId}`);
  if (filter.stationId !== undefined) parts.push(sql`s.station_id = ${filter.stationId}`);
  if (filter.connectorId !== undefined) parts.push(sql`s.connector_id = ${filter.connectorId}`);
  if (filter.startMode !== undefined) parts.push(sql`s.start_mode = any(${filter.startMode})`);
  if (filter.paymentType !== undefined) parts.push(sql`s.payment_type = any(${filter.paymentType})`);
  if (filter.regionCode !== undefined) {
    parts.push(sql`s.site_id in ${sitesWithin(filter.regionCode)}`);
  }
  if (filter.equipmentType !== undefined) {
    parts.push(
      hasKind
        ? sql`s.equipment_type = ${filter.equipmentType}`
        : sql`s.station_id in (select id from stations where equipment_type = ${filter.equipmentType})`,
    );
  }
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(parts, sql` and `)}`;
}

/** Changes or orders with what the rows of kept sums have besides: the kind of their station. */
const withKind = (from: RawBuilder<unknown>) =>
  sql`(select c.*, k.type as station_type, k.equipment_type from ${from} c join stations k on k.id = c.station_id) s`;

type Has = (column: SaleColumn) => boolean;

/** What an order adds, but for its shares. */
function ordersWith(columns: readonly SaleColumn[]): RawBuilder<unknown> {
  const isPeriodic = columns.some((column) => /^(sharp|peak|flat|valley)_/.test(column));
  return sql.raw(isPeriodic ? 'order_sales' : 'order_sale_heads');
}

const shareOnly = new Set<SaleColumn>(['share_fen', ...shareColumns]);

/**
 * Sums of sales as a subquery in parentheses: `at` (the hour as an instant, or the day), the columns of `key` and the
 * sums. Kept sums, the changes that they do not hold yet and the orders at the ends of a period that is not of whole
 * days are of one moment, so that the figures are exact at any time.
 */
export function salesRows(
  caller: Reach,
  wanted: WantedSales,
  read: SaleGrouping & { key: readonly string[]; columns: readonly SaleColumn[] },
): RawBuilder<unknown> {
  const { family, grain, key, columns } = read;
  const isHourly = grain === 'hour';
  const { whole, edges } = cutPeriod(wanted.period, wanted.at, isHourly ? 'hour' : 'day');
  const keys = key.map((column) => sql`s.${sql.ref(column)}`);
  const sums = (has: Has) =>
    columns.map((column) => (has(column) ? sql`s.${sql.ref(column)}` : sql`0::bigint as ${sql.ref(column)}`));
  const select = (
    moment: RawBuilder<unknown>,
    from: RawBuilder<unknown>,
    where: RawBuilder<unknown>,
    has: Has = () => true,
  ) => sql`select ${sql.join([sql`${moment} as at`, ...keys, ...sums(has)])} from ${from} where ${where}`;
  const matches = isWanted(caller, wanted, family === 'site');
  const momentOf = (hourAt: RawBuilder<unknown>): RawBuilder<unknown> => {
    if (isHourly) return hourAt;
    const day = sql`(${hourAt} at time zone 'Asia/Shanghai')::date`;
    return grain === 'month' ? sql`date_trunc('month', ${day})::date` : day;
  };
  const parts: RawBuilder<unknown>[] = keptParts(wanted, read, whole).map(({ table, from, until }) => {
    const bucket = saleTables[table].bucket === 'hour' ? sql`s.hour_at` : sql`s.day`;
    const moment = grain === 'month' ? sql`date_trunc('month', ${bucket})::date` : bucket;
    return select(
      moment,
      sql`${sql.table(table)} s`,
      sql`${bucket} >= ${from} and ${bucket} < ${until} and ${matches}`,
    );
  });
  const ofParties = family === 'share' ? sql`s.party in ('agent', 'divider')` : sql`true`;
  parts.push(
    select(
      momentOf(sql`s.hour_at`),
      withKind(sql`sale_changes`),
      sql`s.hour_at >= ${at(whole.from)} and s.hour_at < ${at(whole.until)} and ${ofParties} and ${matches}`,
    ),
  );
  for (const edge of edges) {
    const inEdge = sql`s.ended_at >= ${at(edge.from)} and s.ended_at < ${at(edge.until)} and ${matches}`;
    if (family !== 'share') {
      const isOfOrder = (column: SaleColumn) => !shareOnly.has(column);
      parts.push(select(momentOf(sql`s.hour_at`), withKind(ordersWith(columns)), inEdge, isOfOrder));
    }
    if (columns.some((column) => shareOnly.has(column))) {
      const shares = sql`(
        select date_trunc('hour', o.ended_at, 'UTC') as hour_at, o.ended_at, o.site_id, o.agent_id, o.station_id,
               o.connector_id, o.start_mode, o.payment_type, x.party, x.party_id, x.share_fen, x.agents_fen,
               x.dividers_fen, x.platform_fen, x.channel_fee_fen, x.commission_fen
          from orders o join order_sale_shares x on x.order_id = o.id where is_sale(o))`;
      const isOfShare = (column: SaleColumn) => shareOnly.has(column);
      parts.push(select(momentOf(sql`s.hour_at`), withKind(shares), sql`${inEdge} and ${ofParties}`, isOfShare));
    }
  }
  return sql`(${sql.join(parts, sql` union all `)})`;
}

/** A charge that ran past an end of a period is cut there if it ended by then. The hints say it in hours. */
const overrunMaxMs = dayMs;

/**
 * What the charges that run across an end of a period add to `busy_s` of `salesRows`, by `key`, so that only their time
 * within the period counts: sums book a charge with all its time where it ends. Negative for what began before the
 * period. A charge that ended more than `overrunMaxMs` after an end of the period stays as it is booked there.
 */
export function cutBusyRows(caller: Reach, wanted: WantedSales, key: string): RawBuilder<unknown> {
  const { period } = wanted;
  const over = overUntil(period, wanted.at);
  // Each by its own range of the index, which has all that is looked at here.
  const across = (end: Instant) => sql`
    select o.id from orders o
     where o.ended_at >= ${at(end)} and o.ended_at < ${at(instant(end + overrunMaxMs))}
       and (o.started_at < ${at(end)} or o.started_at is null)`;
  const began = sql`s.ended_at - make_interval(secs => s.busy_s)`;
  const inside = sql`greatest(0, floor(extract(epoch from
    least(s.ended_at, ${at(over)}) - greatest(${began}, ${at(period.from)}))))::bigint`;
  const booked = sql`case when s.ended_at < ${at(period.until)} then s.busy_s else 0 end`;
  return sql`(
    select s.${sql.ref(key)}, sum(${inside} - ${booked})::bigint as busy_s
      from ${withKind(sql`order_sale_heads`)}
     where s.order_id = any(array(${across(period.from)} union ${across(over)})) and ${isWanted(caller, wanted, true)}
     group by 1)`;
}

type KeptPart = { table: SaleTableName; from: RawBuilder<unknown>; until: RawBuilder<unknown> };

/** The kept sums of a period: whole months of it are read as such where days need not stay apart. */
function keptParts(
  wanted: SalesFilter,
  { family, grain, key }: SaleGrouping & { key: readonly string[] },
  whole: SalePeriod,
): KeptPart[] {
  if (whole.from >= whole.until) return [];
  if (grain === 'hour') {
    const table = isForAgentHours(wanted, family, key) ? 'sale_agent_hours' : hoursOf[family];
    return [{ table, from: at(whole.from), until: at(whole.until) }];
  }
  const day = (date: string) => sql`${date}::date`;
  const [fromOn, untilOn] = [shanghaiDate(whole.from), shanghaiDate(whole.until)];
  const { day: days, month: months } = keptOf[family];
  const [firstMonth, lastMonth] = [firstOfMonth(addDays(fromOn, -1), 1), firstOfMonth(untilOn)];
  if (grain === 'day' || firstMonth >= lastMonth) return [{ table: days, from: day(fromOn), until: day(untilOn) }];
  return [
    { table: days, from: day(fromOn), until: day(firstMonth) },
    { table: months, from: day(firstMonth), until: day(lastMonth) },
    { table: days, from: day(lastMonth), until: day(untilOn) },
  ];
}

/** Hours of all sites of agents are one row a kind. */
function isForAgentHours(
  { regionCode, siteId, stationId, connectorId }: SalesFilter,
  family: SaleFamily,
  key: readonly string[],
): boolean {
  return (
    family === 'site' &&
    !key.includes('site_id') &&
    [regionCode, siteId, stationId, connectorId].every((given) => given === undefined)
  );
}
