import type { DividedPlace, PlacedTerms } from '@voltdeck/ledger/divider-room';
import type { AgentId, DividerId, SiteId, StationId } from '@voltdeck/units/id';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import type { DividerTermId } from './term-queries.ts';

export type HolderTerms = PlacedTerms & { id: DividerTermId };
export type Span = { fromMs: number; toMs: number | null };

/** Terms of one holder's dividers are added one at a time, so that what they come to stays true until the commit. */
export async function lockHolder(trx: Trx, holder: AgentId | null): Promise<void> {
  const name = `divider terms ${holder ?? 'platform'}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

/** The terms of a holder's dividers that matter at a place within a span of time, in the order of their agreement. */
export async function findHolderTerms(
  db: Kysely<Tables>,
  holder: AgentId | null,
  place: DividedPlace,
  { fromMs, toMs }: Span,
): Promise<HolderTerms[]> {
  const isEverywhere = sql`t.site_id is null and t.station_id is null`;
  const matters =
    place.kind === 'everywhere'
      ? sql`true`
      : place.kind === 'site'
        ? sql`(${isEverywhere}) or t.site_id = ${place.siteId} or s.site_id = ${place.siteId}`
        : sql`(${isEverywhere}) or t.site_id = ${place.siteId} or t.station_id = ${place.stationId}`;
  const { rows } = await sql<{
    id: DividerTermId;
    divider_id: DividerId;
    site_id: SiteId | null;
    station_id: StationId | null;
    station_site_id: SiteId | null;
    electricity_e4: number;
    service_e4: number;
    occupancy_e4: number;
    from_ms: number;
    to_ms: number | null;
  }>`
    select t.id, t.divider_id, t.site_id, t.station_id, s.site_id as station_site_id, t.electricity_e4, t.service_e4,
           t.occupancy_e4, (extract(epoch from t.from_at) * 1000)::bigint as from_ms,
           (extract(epoch from t.to_at) * 1000)::bigint as to_ms
      from divider_terms t left join stations s on s.id = t.station_id
     where ${holder === null ? sql`t.agent_id is null` : sql`t.agent_id = ${holder}`}
       and (t.to_at is null or t.to_at > to_timestamp(${fromMs} / 1000.0))
       ${toMs === null ? sql`` : sql`and t.from_at < to_timestamp(${toMs} / 1000.0)`}
       and (${matters})
     order by t.id`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    dividerId: row.divider_id,
    agentId: holder,
    rateE4: { electricity: row.electricity_e4, service: row.service_e4, occupancy: row.occupancy_e4 },
    fromMs: Number(row.from_ms),
    toMs: row.to_ms === null ? null : Number(row.to_ms),
    siteId: row.site_id,
    stationId: row.station_id,
    stationSiteId: row.station_site_id,
  }));
}
