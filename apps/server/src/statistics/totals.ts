import { statisticsDaysMax } from '@voltdeck/contract/statistics';
import { type BusinessTotal, listTotals, type TotalSubject, totalDaysByDefault } from '@voltdeck/contract/totals';
import type { Instant } from '@voltdeck/units/instant';
import { type RawBuilder, sql } from 'kysely';
import type { Reach } from '../caller/scope.ts';
import { type FilterOf, listSource } from '../http/list-source.ts';
import { portsWhere } from './port-use.ts';
import { cutBusyRows, type SaleFamily, salesRows, type WantedSales } from './read-sales.ts';
import { overUntil, periodOf } from './sale-period.ts';
import { figureColumns, type SaleColumn, shareColumns } from './sale-tables.ts';

const columns = [
  ...figureColumns,
  'gift_fen',
  'forgiven_fen',
  'written_off_fen',
  ...shareColumns,
] as const satisfies SaleColumn[];

/** By what rows are told apart, in the sums and among the gun ports there are now. */
const subjects: Readonly<Record<TotalSubject, { family: SaleFamily; key: string; ofPort: string }>> = {
  agent: { family: 'site', key: 'agent_id', ofPort: 'stations.agent_id' },
  site: { family: 'site', key: 'site_id', ofPort: 'stations.site_id' },
  station: { family: 'port', key: 'station_id', ofPort: 'stations.id' },
  day: { family: 'site', key: 'at', ofPort: 'null::bigint' },
};

const daySeconds = 86_400;

/** What of the shares an agent's people see as theirs: their own and those of their dividers. */
function ownShares(
  caller: Reach,
  wanted: WantedSales,
  key: RawBuilder<unknown>,
  by: TotalSubject,
): RawBuilder<unknown> {
  const agents = sql`any(${caller.agents === 'all' ? [] : [...caller.agents]}::bigint[])`;
  const rows = salesRows(caller, wanted, {
    family: 'share',
    grain: by === 'day' ? 'day' : 'period',
    key: ['station_id', 'site_id', 'agent_id', 'party', 'party_id'],
    columns: ['share_fen'],
  });
  return sql`
    select ${key} as subject,
           sum(r.share_fen) filter (where r.party = 'agent' and r.party_id = ${agents}) as agents,
           sum(r.share_fen) filter (where r.party = 'divider'
             and r.party_id in (select id from dividers where agent_id = ${agents})) as dividers
      from ${rows} r group by 1`;
}

/** Totals as a table of rows of the list: kept sums and what they do not hold yet, of one moment. */
function totalRows(caller: Reach, filter: FilterOf<typeof listTotals>, at: Instant): RawBuilder<BusinessTotal> {
  const { by = 'agent' } = filter;
  const { key: keyName, ofPort, ...subject } = subjects[by];
  const family = filter.stationId === undefined ? subject.family : 'port';
  const wanted: WantedSales = { ...filter, period: periodOf(filter, at, totalDaysByDefault), at };
  const isDaily = by === 'day';
  const sales = salesRows(caller, wanted, {
    family,
    grain: isDaily ? 'day' : 'period',
    key: isDaily ? [] : [keyName],
    columns,
  });
  const plain = sql.raw(columns.join(', '));
  const zeros = sql.raw(columns.map(() => '0').join(', '));
  // A period of many days would take as many looks at the orders: by day, a charge counts where it ended.
  const rows = isDaily
    ? sql`(select at, ${plain}, 0 as cut_s from ${sales} sales)`
    : sql`(
        select ${sql.ref(keyName)}, ${plain}, 0 as cut_s from ${sales} sales
        union all
        select ${sql.ref(keyName)}, ${zeros}, busy_s from ${cutBusyRows(caller, wanted, keyName)} cut)`;
  const key = sql`${sql.ref(`r.${keyName}`)}`;
  const isWhole = caller.agents === 'all';
  // Only what belongs to no agent has no key, and `is not distinct from` would compare each row with every other.
  const isSubject = (other: RawBuilder<unknown>) =>
    by === 'agent' ? sql`coalesce(${other}, 0) = coalesce(g.subject, 0)` : sql`${other} = g.subject`;
  const summed = sql.raw(columns.map((column) => `sum(r.${column})::bigint as ${column}`).join(', '));
  const shares = isWhole
    ? { agents: sql`g.agents_fen`, dividers: sql`g.dividers_fen` }
    : { agents: sql`coalesce(o.agents, 0)::bigint`, dividers: sql`coalesce(o.dividers, 0)::bigint` };
  const own = isWhole ? sql`` : sql`left join (${ownShares(caller, wanted, key, by)}) o on o.subject = g.subject`;
  const overS = sql.lit(Math.max(1, Math.round((overUntil(wanted.period, at) - wanted.period.from) / 1_000)));
  // Of today, what is over; every other day is a whole one.
  const spanS = isDaily
    ? sql`greatest(1, least(${sql.lit(daySeconds)}, extract(epoch from to_timestamp(${at} / 1000.0) - (g.subject::text || 'T00:00:00+08:00')::timestamptz)))`
    : overS;
  const forPlatform = (expression: RawBuilder<unknown>) => (isWhole ? expression : sql`null::bigint`);
  // What moved to another agent since is that agent's business now.
  const isOwn = (table: 'sites' | 'stations') =>
    caller.agents === 'all' ? sql`true` : sql`${sql.ref(`${table}.agent_id`)} = any(${[...caller.agents]}::bigint[])`;
  const joins = {
    agent: sql`left join agents on agents.id = g.subject`,
    site: sql`left join sites on sites.id = g.subject left join agents on agents.id = sites.agent_id and ${isOwn('sites')}`,
    station: sql`
      left join stations on stations.id = g.subject
      left join sites on sites.id = stations.site_id
      left join agents on agents.id = stations.agent_id and ${isOwn('stations')}`,
    day: sql``,
  }[by];
  const name = (table: 'agents' | 'sites' | 'stations', column: string, type = 'text') =>
    hasTable[by].includes(table) ? sql.ref(`${table}.${column}`) : sql`null::${sql.raw(type)}`;
  return sql<BusinessTotal>`(
    select ${by}::text || '/' || coalesce(g.subject::text, '0') as id, ${by}::text as by,
           ${isDaily ? sql`g.subject::text` : sql`null::text`} as day,
           ${by === 'agent' ? sql`g.subject` : name('agents', 'id', 'bigint')} as "agentId",
           ${name('agents', 'name')} as "agentName",
           ${by === 'site' ? sql`g.subject` : name('sites', 'id', 'bigint')} as "siteId",
           ${name('sites', 'name')} as "siteName",
           ${by === 'station' ? sql`g.subject` : sql`null::bigint`} as "stationId",
           ${name('stations', 'number')} as "stationNumber", ${name('stations', 'name')} as "stationName",
           ${by === 'station' ? sql`case when ${isOwn('stations')} then stations.online end` : sql`null::boolean`} as online,
           coalesce(p.ports, 0)::int as ports, g.orders::int as orders, g.energy_wh as "energyWh",
           g.busy_s * 1000 as "durationMs",
           round(g.used_s * 100.0 / nullif(p.ports * ${spanS}, 0), 1)::float8 as "utilisationPercent",
           g.electricity_fen as "electricityFeeFen", g.service_fen as "serviceFeeFen", g.amount_fen as "amountFen",
           g.discount_fen as "discountFen", g.amount_fen - g.discount_fen as "receivableFen",
           g.paid_fen as "receivedFen", g.gift_fen as "giftFen", g.refunded_fen as "refundedFen",
           g.forgiven_fen + g.written_off_fen as "adjustmentsFen", g.paid_fen - g.refunded_fen as "netFen",
           ${shares.agents} as "agentShareFen", ${shares.dividers} as "dividerShareFen",
           g.paid_fen - g.refunded_fen - ${shares.agents} - ${shares.dividers} as "platformShareFen",
           ${forPlatform(sql`g.channel_fee_fen`)} as "channelFeeFen",
           ${forPlatform(sql`g.commission_fen`)} as "commissionFen"
      from (
        select ${key} as subject, ${summed}, sum(r.busy_s + r.cut_s)::bigint as used_s
          from ${rows} r group by 1 having sum(r.orders) <> 0 or sum(r.busy_s + r.cut_s) > 0) g
      ${own}
      left join (
        select ${sql.raw(ofPort)} as subject, count(*) as ports
          from connectors join stations on stations.id = connectors.station_id
         where ${portsWhere(caller, wanted)} group by 1) p
        on ${isDaily ? sql`true` : isSubject(sql`p.subject`)}
      ${joins})`;
}

const hasTable: Readonly<Record<TotalSubject, readonly string[]>> = {
  agent: ['agents'],
  site: ['sites', 'agents'],
  station: ['stations', 'sites', 'agents'],
  day: [],
};

const column = (name: keyof BusinessTotal) => sql`${sql.ref(`s.${name}`)}`;

export const totalList = listSource({
  route: listTotals,
  filtered: (db, caller, filter, at) => db.selectFrom(totalRows(caller, filter, at).as<'s'>('s')),
  id: column('id'),
  sorts: {
    day: column('day'),
    orders: column('orders'),
    energyWh: column('energyWh'),
    receivableFen: column('receivableFen'),
    receivedFen: column('receivedFen'),
    netFen: column('netFen'),
  },
  sometimesAbsent: ['day'],
  sums: {
    orders: column('orders'),
    energyWh: column('energyWh'),
    durationMs: column('durationMs'),
    electricityFeeFen: column('electricityFeeFen'),
    serviceFeeFen: column('serviceFeeFen'),
    discountFen: column('discountFen'),
    receivableFen: column('receivableFen'),
    receivedFen: column('receivedFen'),
    giftFen: column('giftFen'),
    refundedFen: column('refundedFen'),
    adjustmentsFen: column('adjustmentsFen'),
    netFen: column('netFen'),
    agentShareFen: column('agentShareFen'),
    dividerShareFen: column('dividerShareFen'),
    platformShareFen: column('platformShareFen'),
    channelFeeFen: column('channelFeeFen'),
    commissionFen: column('commissionFen'),
  },
  daysMax: () => statisticsDaysMax,
  shown: (filtered) => filtered.selectAll('s'),
  toItem: (row) => row,
});
