import {
  listStatements,
  type Statement,
  statementDaysByDefault,
  statementDaysMax,
} from '@voltdeck/contract/statements';
import { type DayPeriod, daysOf } from '@voltdeck/units/day-period';
import type { Instant } from '@voltdeck/units/instant';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Reach } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { type FilterOf, listSource } from '../http/list-source.ts';
import { flowColumns } from './keep-sums.ts';

/** What a statement is asked about. */
export type Wanted = Pick<FilterOf<typeof listStatements>, 'by' | 'unit' | 'agentId' | 'siteId'> & DayPeriod;

const summed = sql.raw(flowColumns.map((column) => `sum(${column})::bigint as ${column}`).join(', '));
const zeros = sql.raw(flowColumns.map((column) => `0::bigint as ${column}`).join(', '));
const listed = sql.raw(flowColumns.join(', '));

/** Rows `s` of the kept sums, or of what they do not hold yet, that the caller may see and that are wanted. */
function within(caller: Reach, { agentId, siteId, fromOn, toOn }: Wanted): RawBuilder<boolean> {
  const parts = [sql`s.day >= ${fromOn}::date and s.day <= ${toOn}::date`];
  if (caller.agents !== 'all') parts.push(sql`s.agent_id = any(${[...caller.agents]}::bigint[])`);
  if (agentId !== undefined) parts.push(sql`s.agent_id = ${agentId}`);
  if (siteId !== undefined) parts.push(sql`s.site_id = ${siteId}`);
  return sql<boolean>`${sql.join(parts, sql` and `)}`;
}

/** Whether the party of a share `s` is the caller's to see: themselves and whoever is below. */
function seesParty(caller: Reach): RawBuilder<boolean> {
  if (caller.agents === 'all') return sql`true`;
  const agents = sql`any(${[...caller.agents]}::bigint[])`;
  return sql`case s.party when 'agent' then s.party_id = ${agents}
                          else s.party_id in (select id from dividers where agent_id = ${agents}) end`;
}

/** What a caller of agents' people is not shown line by line, only what it took together. */
const forPlatform = ({ agents }: Reach, expression: string) => sql.raw(agents === 'all' ? expression : 'null::bigint');

/** The lines of a statement, from the sums of flows and of shares. */
function figures(caller: Reach, { by, siteId }: Pick<Wanted, 'by' | 'siteId'>): RawBuilder<unknown> {
  const isWhole = caller.agents === 'all';
  const shares = 'agent_shares + divider_shares';
  const net = isWhole ? `received_fen - refunded_fen - channel_fee_fen - commission_fen - (${shares})` : 'agent_shares';
  const above = isWhole ? 'null::bigint' : `received_fen - refunded_fen - (${shares})`;
  return sql`
    orders, energy_wh as "energyWh", electricity_fen as "electricityFen", service_fen as "serviceFen",
    ${forPlatform(caller, 'coupon_fen')} as "couponFen",
    electricity_fen + service_fen - coupon_fen as "receivableFen", received_fen as "receivedFen",
    refunded_fen as "refundsFen", ${forPlatform(caller, 'channel_fee_fen')} as "channelFeeFen",
    ${forPlatform(caller, 'commission_fen')} as "commissionFen", ${sql.raw(above)} as "aboveFen",
    agent_shares as "agentSharesFen", divider_shares as "dividerSharesFen",
    forgiven_fen + written_off_fen as "adjustmentsFen",
    ${sql.raw(by === 'site' || siteId !== undefined ? 'null::bigint' : 'payouts')} as "payoutsFen", ${sql.raw(net)} as "netFen"`;
}

/**
 * Statements as a table of rows of the list: the kept sums and the transfers that they do not hold yet, of one moment.
 * An agent's row has the payouts to it and to its dividers, a site's none.
 */
export function statementRows(caller: Reach, wanted: Wanted): RawBuilder<Statement> {
  const { by = 'platform', unit = 'day' } = wanted;
  const where = within(caller, wanted);
  const sees = seesParty(caller);
  const period = unit === 'month' ? sql`date_trunc('month', s.day)::date` : sql`s.day`;
  const site = by === 'site' ? sql`s.site_id` : sql`null::bigint`;
  const agent = by === 'agent' ? sql`s.agent_id` : sql`null::bigint`;
  const ofSites = by === 'site' ? sql`where s.site_id is not null` : sql``;
  const noShares = sql`0::bigint as agent_shares, 0::bigint as divider_shares, 0::bigint as payouts`;
  const ofParty = sql`case s.party when 'agent' then shared_fen else 0 end,
                      case s.party when 'divider' then shared_fen else 0 end, paid_out_fen`;
  return sql<Statement>`(
    select g.period || '/' || coalesce(g.site, 0) || '/' || coalesce(g.agent, 0) as id, ${unit}::text as unit,
           g.period as day, g.site as "siteId", sites.name as "siteName", g.agent as "agentId",
           agents.name as "agentName", ${figures(caller, wanted)}
      from (
        select ${period} as period, ${site} as site, ${agent} as agent, ${summed},
               sum(agent_shares)::bigint as agent_shares, sum(divider_shares)::bigint as divider_shares,
               sum(payouts)::bigint as payouts
          from (
            select day, site_id, agent_id, ${listed}, ${noShares} from statement_days s where ${where}
            union all
            select day, site_id, agent_id, ${listed}, ${noShares} from statement_tail() s where ${where}
            union all
            select day, site_id, agent_id, ${zeros}, ${ofParty} from statement_shares s where ${where} and ${sees}
            union all
            select day, site_id, agent_id, ${zeros}, ${ofParty} from statement_share_tail() s where ${where} and ${sees}
          ) s ${ofSites}
         group by 1, 2, 3) g
      left join sites on sites.id = g.site
      left join agents on agents.id = g.agent)`;
}

const column = (name: keyof Statement) => sql`${sql.ref(`s.${name}`)}`;

export const statementList = listSource({
  route: listStatements,
  filtered: (db, caller, filter, at) => db.selectFrom(statementRows(caller, wantedOf(filter, at)).as<'s'>('s')),
  id: column('id'),
  sorts: { day: column('day'), receivedFen: column('receivedFen'), netFen: column('netFen') },
  sums: {
    orders: column('orders'),
    energyWh: column('energyWh'),
    electricityFen: column('electricityFen'),
    serviceFen: column('serviceFen'),
    couponFen: column('couponFen'),
    receivableFen: column('receivableFen'),
    receivedFen: column('receivedFen'),
    refundsFen: column('refundsFen'),
    channelFeeFen: column('channelFeeFen'),
    commissionFen: column('commissionFen'),
    aboveFen: column('aboveFen'),
    agentSharesFen: column('agentSharesFen'),
    dividerSharesFen: column('dividerSharesFen'),
    netFen: column('netFen'),
    adjustmentsFen: column('adjustmentsFen'),
    payoutsFen: column('payoutsFen'),
  },
  daysMax: ({ unit = 'day' }) => statementDaysMax[unit],
  shown: (filtered) => filtered.selectAll('s'),
  toItem: (row) => row,
});

function wantedOf(filter: FilterOf<typeof listStatements>, at: Instant): Wanted {
  return { ...filter, ...daysOf(filter, at, statementDaysByDefault) };
}

/** All rows of a statement, in the order of their period and name. */
export async function readStatements(db: Kysely<Tables>, caller: Reach, wanted: Wanted): Promise<Statement[]> {
  const { rows } = await sql<Statement>`
    select s.* from ${statementRows(caller, wanted)} s
     order by s.day, s."siteName" collate "zh-x-icu", s."agentName" collate "zh-x-icu", s.id`.execute(db);
  return rows;
}
