import type { AnswerOf } from '@voltdeck/contract/route';
import { type getSiteRanking, type RankedSite, rankedShown, type SiteRanking } from '@voltdeck/contract/statistics';
import type { SiteId } from '@voltdeck/units/id';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Reach } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { portsWhere } from './port-use.ts';
import { cutBusyRows, salesRows, type WantedSales } from './read-sales.ts';
import { type FigureRow, shareE4, sumsOf, toFigures } from './sale-figures.ts';
import { overUntil } from './sale-period.ts';
import { figureColumns } from './sale-tables.ts';

const rankedBy: Readonly<Record<SiteRanking, RawBuilder<unknown>>> = {
  receivable: sql`coalesce(g.amount_fen - g.discount_fen, 0)`,
  energy: sql`coalesce(g.energy_wh, 0)`,
  orders: sql`coalesce(g.orders, 0)`,
  utilisation: sql`coalesce((coalesce(g.busy_s, 0) + coalesce(c.busy_s, 0))::float8 / nullif(p.ports, 0), 0)`,
};

const listed = sql.raw(figureColumns.map((column) => `coalesce(g.${column}, 0)::bigint as ${column}`).join(', '));

/** The sites that brought most and least, those with gun ports and no charge among them. */
export async function rankSites(
  db: Kysely<Tables>,
  caller: Reach,
  wanted: WantedSales & { by: SiteRanking },
): Promise<AnswerOf<typeof getSiteRanking>> {
  const { by, period, at } = wanted;
  const rows = salesRows(caller, wanted, { family: 'site', grain: 'period', key: ['site_id'], columns: figureColumns });
  const { rows: found } = await sql<
    FigureRow & {
      id: SiteId;
      name: string | null;
      ports: number;
      used_s: number;
      sites: number;
      best: number;
      last: number;
    }
  >`
    with ranked as (
      select coalesce(g.site_id, p.site_id) as id, coalesce(p.ports, 0) as ports, ${listed},
             (coalesce(g.busy_s, 0) + coalesce(c.busy_s, 0))::bigint as used_s,
             count(*) over ()::int as sites,
             row_number() over (order by ${rankedBy[by]} desc, coalesce(g.site_id, p.site_id))::int as best,
             row_number() over (order by ${rankedBy[by]}, coalesce(g.site_id, p.site_id) desc)::int as last
        from (select r.site_id, ${sumsOf(figureColumns)} from ${rows} r group by r.site_id having sum(r.orders) <> 0) g
        full join (
          select stations.site_id, count(*)::int as ports from connectors
            join stations on stations.id = connectors.station_id
           where ${portsWhere(caller, wanted)} group by stations.site_id) p on p.site_id = g.site_id
        left join ${cutBusyRows(caller, wanted, 'site_id')} c on c.site_id = coalesce(g.site_id, p.site_id))
    select ranked.*, sites.name from ranked left join sites on sites.id = ranked.id
     where best <= ${rankedShown} or last <= ${rankedShown} order by best`.execute(db);
  const overS = (overUntil(period, at) - period.from) / 1_000;
  const toSite = (row: (typeof found)[number]): RankedSite => ({
    siteId: row.id,
    siteName: row.name ?? '',
    ports: row.ports,
    utilisationE4: shareE4(row.used_s, row.ports * overS),
    ...toFigures(row),
  });
  const top = found.filter(({ best }) => best <= rankedShown);
  const bottom = found.filter(({ best }) => best > rankedShown).toSorted((a, b) => a.last - b.last);
  return { sites: found[0]?.sites ?? 0, top: top.map(toSite), bottom: bottom.map(toSite) };
}
