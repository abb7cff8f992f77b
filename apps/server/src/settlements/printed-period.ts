import { printedCorrectionsMax, printedSettledSitesMax, type SettlementPeriod } from '@voltdeck/contract/settlements';
import type { SettlementPeriodId } from '@voltdeck/units/id';
import { type Instant, shanghaiDate } from '@voltdeck/units/instant';
import { type Fen, fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { readPlatformName } from '../database/platform-name.ts';
import type { Tables } from '../database/tables.generated.ts';
import { findPeriod } from './queries.ts';

type ByFee = { electricityFen: Fen; serviceFen: Fen; occupancyFen: Fen; amountFen: Fen };

/** Rates by which orders of the period were shared, in hundredths of a percent, and how many orders had them. */
export type PrintedTerms = { electricityE4: number; serviceE4: number; occupancyE4: number; orders: number };

export type PrintedSite = ByFee & { name: string; orders: number };

/** What orders of an earlier period added or took back in this one, by the day on which it was posted. */
export type PrintedCorrection = {
  orderNumber: string;
  day: string;
  correctsFromOn: string;
  correctsToOn: string;
  amountFen: Fen;
};

/** A settlement period as it is printed. */
export type PrintedPeriod = {
  period: SettlementPeriod;
  /** The platform’s name, which settles with all of them. */
  issuer: string;
  terms: readonly PrintedTerms[];
  sum: ByFee;
  /** Those of the largest shares. */
  sites: readonly PrintedSite[];
  /** The other sites together. */
  others: PrintedSite | null;
  otherSites: number;
  /** In the order in which they were posted. */
  corrections: readonly PrintedCorrection[];
  /** How many more there are, and what they come to. */
  otherCorrections: { count: number; amountFen: Fen };
};

/** Reads a period as it is at one moment; null where it is not the caller's to see. */
export function readPrintedPeriod(
  db: Kysely<Tables>,
  caller: Caller,
  id: SettlementPeriodId,
  at: Instant,
): Promise<PrintedPeriod | null> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const period = await findPeriod(trx, caller, id, at);
      if (period === null) return null;
      const bySite = await sitesOf(trx, id);
      const others = bySite.slice(printedSettledSitesMax);
      const [other] = others;
      return {
        period,
        issuer: await readPlatformName(trx),
        terms: await termsOf(trx, period),
        sum: bySite.reduce<ByFee>(together, nothing),
        sites: bySite.slice(0, printedSettledSitesMax),
        others: other === undefined ? null : others.slice(1).reduce(sitesTogether, other),
        otherSites: others.length,
        ...(await correctionsOf(trx, id)),
      };
    });
}

const nothing: ByFee = { electricityFen: fen(0), serviceFen: fen(0), occupancyFen: fen(0), amountFen: fen(0) };

function together(a: ByFee, b: ByFee): ByFee {
  return {
    electricityFen: fen(a.electricityFen + b.electricityFen),
    serviceFen: fen(a.serviceFen + b.serviceFen),
    occupancyFen: fen(a.occupancyFen + b.occupancyFen),
    amountFen: fen(a.amountFen + b.amountFen),
  };
}

const sitesTogether = (a: PrintedSite, b: PrintedSite): PrintedSite => ({
  ...together(a, b),
  name: a.name,
  orders: a.orders + b.orders,
});

async function sitesOf(db: Kysely<Tables>, id: SettlementPeriodId): Promise<PrintedSite[]> {
  const { rows } = await sql<PrintedSite>`
    select sites.name, s.* from (
      select site_id, count(distinct order_id)::int as orders, sum(electricity_fen)::bigint as "electricityFen",
             sum(service_fen)::bigint as "serviceFen", sum(occupancy_fen)::bigint as "occupancyFen",
             sum(amount_fen)::bigint as "amountFen"
        from order_shares where period_id = ${id} group by site_id) s
      join sites on sites.id = s.site_id
     order by s."amountFen" desc, sites.id`.execute(db);
  return rows;
}

/** The party's own rates in the plans of the period's orders: an agent's is of every fee alike. */
async function termsOf(db: Kysely<Tables>, { id, agentId, dividerId }: SettlementPeriod): Promise<PrintedTerms[]> {
  const own =
    agentId === null
      ? sql`
        select (d -> 'rateE4' ->> 'electricity')::int as electricity, (d -> 'rateE4' ->> 'service')::int as service,
               (d -> 'rateE4' ->> 'occupancy')::int as occupancy
          from jsonb_array_elements((o.share_plan -> 'dividers') || coalesce((
                 select jsonb_agg(each) from jsonb_array_elements(o.share_plan -> 'agents') a,
                                             jsonb_array_elements(a -> 'dividers') each), '[]')) d
         where (d ->> 'id')::bigint = ${dividerId}`
      : sql`
        select (a ->> 'rateE4')::int as electricity, (a ->> 'rateE4')::int as service, (a ->> 'rateE4')::int as occupancy
          from jsonb_array_elements(o.share_plan -> 'agents') a where (a ->> 'id')::bigint = ${agentId}`;
  const { rows } = await sql<PrintedTerms>`
    select own.electricity as "electricityE4", own.service as "serviceE4", own.occupancy as "occupancyE4",
           count(*)::int as orders
      from (select distinct order_id from order_shares where period_id = ${id}) s
      join orders o on o.id = s.order_id
      cross join lateral (${own}) own
     group by 1, 2, 3 order by 4 desc, 1, 2, 3`.execute(db);
  return rows;
}

/** Only what was posted after the first time can belong to an order of an earlier period. */
async function correctionsOf(
  db: Kysely<Tables>,
  id: SettlementPeriodId,
): Promise<Pick<PrintedPeriod, 'corrections' | 'otherCorrections'>> {
  const { rows } = await sql<Omit<PrintedCorrection, 'day'> & { at: Instant; count: number; sumFen: Fen }>`
    select o.number as "orderNumber", s.created_at as at, earlier.from_on::text as "correctsFromOn",
           earlier.to_on::text as "correctsToOn", s.amount_fen as "amountFen",
           (count(*) over ())::int as count, (sum(s.amount_fen) over ())::bigint as "sumFen"
      from order_shares s
      join orders o on o.id = s.order_id
      cross join lateral (
        select p.id, p.from_on, p.to_on
          from order_shares f join settlement_periods p on p.id = f.period_id
         where f.order_id = s.order_id and f.agent_id is not distinct from s.agent_id
           and f.divider_id is not distinct from s.divider_id and f.number < s.number
         order by f.number limit 1) earlier
     where s.period_id = ${id} and s.number > 1 and earlier.id <> s.period_id
     order by s.id limit ${printedCorrectionsMax}`.execute(db);
  const printedFen = rows.reduce((total, { amountFen }) => total + amountFen, 0);
  return {
    corrections: rows.map(({ at, count: _, sumFen: __, ...row }) => ({ ...row, day: shanghaiDate(at) })),
    otherCorrections: {
      count: (rows[0]?.count ?? 0) - rows.length,
      amountFen: fen((rows[0]?.sumFen ?? 0) - printedFen),
    },
  };
}
