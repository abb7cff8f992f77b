import type { AnswerOf } from '@voltdeck/contract/route';
import { type getPortUse, rankedShown, type UsedPort } from '@voltdeck/contract/statistics';
import { wattHours } from '@voltdeck/units/energy';
import type { ConnectorId, StationId } from '@voltdeck/units/id';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Reach } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { cutBusyRows, type SalesFilter, salesRows, sitesWithin, type WantedSales } from './read-sales.ts';
import { shareE4 } from './sale-figures.ts';
import { overUntil } from './sale-period.ts';

const bandsCount = 10;

/** The gun ports of `stations` that a filter means now, within the caller's scope. */
export function portsWhere(caller: Reach, filter: SalesFilter): RawBuilder<boolean> {
  const parts: RawBuilder<unknown>[] = [];
  if (caller.agents !== 'all') parts.push(sql`stations.agent_id = any(${[...caller.agents]}::bigint[])`);
  if (filter.agentId !== undefined) parts.push(sql`stations.agent_id = ${filter.agentId}`);
  if (filter.siteId !== undefined) parts.push(sql`stations.site_id = ${filter.siteId}`);
  if (filter.stationId !== undefined) parts.push(sql`stations.id = ${filter.stationId}`);
  if (filter.equipmentType !== undefined) parts.push(sql`stations.equipment_type = ${filter.equipmentType}`);
  if (filter.regionCode !== undefined) {
    parts.push(sql`stations.site_id in ${sitesWithin(filter.regionCode)}`);
  }
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(parts, sql` and `)}`;
}

type Used = {
  id: ConnectorId;
  orders: number;
  energy_wh: number;
  busy_s: number;
  best: number;
  last: number;
  ports: number;
  all_busy_s: number;
} & Record<`band_${number}`, number>;

/** How much of the part of a period that is over the gun ports charged that there are now. */
export async function readPortUse(
  db: Kysely<Tables>,
  caller: Reach,
  wanted: WantedSales,
): Promise<AnswerOf<typeof getPortUse>> {
  const overS = Math.max(1, Math.round((overUntil(wanted.period, wanted.at) - wanted.period.from) / 1_000));
  const rows = salesRows(caller, wanted, {
    family: 'port',
    grain: 'period',
    key: ['connector_id'],
    columns: ['orders', 'energy_wh', 'busy_s'],
  });
  const band = (from: number) =>
    sql`count(*) filter (where least(${sql.lit(bandsCount - 1)}, u.busy_s * ${sql.lit(bandsCount)} / ${sql.lit(overS)}) = ${sql.lit(from)}) over ()::int
        as ${sql.ref(`band_${from}`)}`;
  const { rows: found } = await sql<
    Used & Omit<UsedPort, 'durationS' | 'utilisationE4' | 'energyWh'> & { stationId: StationId }
  >`
    with used as (
      select connectors.id, coalesce(g.orders, 0)::bigint as orders, coalesce(g.energy_wh, 0)::bigint as energy_wh,
             coalesce(g.busy_s, 0)::bigint as busy_s
        from connectors
        join stations on stations.id = connectors.station_id
        left join (
          select r.connector_id, sum(r.orders) as orders, sum(r.energy_wh) as energy_wh, sum(r.busy_s) as busy_s
            from (
              select connector_id, orders, energy_wh, busy_s from ${rows} kept
              union all
              select connector_id, 0, 0, busy_s from ${cutBusyRows(caller, wanted, 'connector_id')} cut) r
           group by r.connector_id) g on g.connector_id = connectors.id
       where ${portsWhere(caller, wanted)}
    ), ranked as (
      select u.*, count(*) over ()::int as ports, sum(u.busy_s) over ()::bigint as all_busy_s,
             row_number() over (order by u.busy_s desc, u.id)::int as best,
             row_number() over (order by u.busy_s, u.id desc)::int as last,
             ${sql.join(Array.from({ length: bandsCount }, (_, from) => band(from)))}
        from used u
    )
    select ranked.*, ranked.id as "connectorId", connectors.number, connectors.name, stations.id as "stationId",
           stations.number as "stationNumber", stations.name as "stationName", sites.name as "siteName"
      from ranked
      join connectors on connectors.id = ranked.id
      join stations on stations.id = connectors.station_id
      join sites on sites.id = stations.site_id
     where best <= ${rankedShown} or last <= ${rankedShown} order by best`.execute(db);
  const [first] = found;
  const toPort = (row: (typeof found)[number]): UsedPort => ({
    connectorId: row.connectorId,
    number: row.number,
    name: row.name,
    stationId: row.stationId,
    stationNumber: row.stationNumber,
    stationName: row.stationName,
    siteName: row.siteName,
    orders: row.orders,
    energyWh: wattHours(row.energy_wh),
    durationS: row.busy_s,
    utilisationE4: shareE4(row.busy_s, overS),
  });
  return {
    ports: first?.ports ?? 0,
    utilisationE4: shareE4(first?.all_busy_s ?? 0, (first?.ports ?? 0) * overS),
    bands: Array.from({ length: bandsCount }, (_, from) => first?.[`band_${from}`] ?? 0),
    top: found.filter(({ best }) => best <= rankedShown).map(toPort),
    bottom: found
      .filter(({ best }) => best > rankedShown)
      .toSorted((a, b) => a.last - b.last)
      .map(toPort),
  };
}
