import { type IncomeTerm, incomeTermsMax } from '@voltdeck/contract/divider-income';
import { type DividerTerm, listDividerTerms, type TermPlaceKind, type TermState } from '@voltdeck/contract/dividers';
import type { DividerId, Id } from '@voltdeck/units/id';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { shownName } from '../http/shown-name.ts';

export type DividerTermId = Id<'divider_term'>;

function stateAt(at: Instant): RawBuilder<TermState> {
  const now = sql`to_timestamp(${at} / 1000.0)`;
  return sql`(case when divider_terms.from_at > ${now} then 'to_come'
                   when divider_terms.to_at is null or divider_terms.to_at > ${now} then 'in_force' else 'over' end)`;
}

const placeKind = sql<TermPlaceKind>`(case when divider_terms.station_id is not null then 'station'
  when divider_terms.site_id is not null then 'site' else 'everywhere' end)`;

function termsAt(db: Kysely<Tables>, at: Instant) {
  return db
    .selectFrom('divider_terms')
    .innerJoin('dividers', 'dividers.id', 'divider_terms.divider_id')
    .leftJoin('agents', 'agents.id', 'divider_terms.agent_id')
    .leftJoin('stations', 'stations.id', 'divider_terms.station_id')
    .leftJoin('sites', (join) =>
      join.on('sites.id', '=', sql`coalesce(divider_terms.site_id, stations.site_id)` as never),
    )
    .select([
      'divider_terms.id',
      'divider_terms.divider_id as dividerId',
      'dividers.name as dividerName',
      'divider_terms.agent_id as agentId',
      'agents.name as agentName',
      placeKind.as('place'),
      'sites.id as siteId',
      'sites.name as siteName',
      'stations.id as stationId',
      'stations.name as stationName',
      'stations.number as stationNumber',
      'divider_terms.electricity_e4 as electricityE4',
      'divider_terms.service_e4 as serviceE4',
      'divider_terms.occupancy_e4 as occupancyE4',
      stateAt(at).as('state'),
      'divider_terms.from_at as from',
      'divider_terms.to_at as to',
    ]);
}

function termsAsShown(db: Kysely<Tables>, language: Caller['language'], at: Instant) {
  return termsAt(db, at)
    .leftJoin('users as creator', 'creator.id', 'divider_terms.user_id')
    .leftJoin('users as ender', 'ender.id', 'divider_terms.ended_by')
    .select([
      shownName<string | null>(language, 'user', 'creator.real_name', 'creator.real_name_key').as('createdBy'),
      'divider_terms.created_at as createdAt',
      shownName<string | null>(language, 'user', 'ender.real_name', 'ender.real_name_key').as('endedBy'),
      'divider_terms.ended_at as endedAt',
    ]);
}

type Row = {
  electricityE4: number;
  serviceE4: number;
  occupancyE4: number;
  from: Instant;
  to: Instant | null;
  createdAt: Instant;
  endedAt: Instant | null;
};

const toTerm = <Found extends Row>({ electricityE4, serviceE4, occupancyE4, ...row }: Found) => ({
  ...row,
  electricityPercent: electricityE4 / 100,
  servicePercent: serviceE4 / 100,
  occupancyPercent: occupancyE4 / 100,
  from: toIso(row.from),
  to: isoOrNull(row.to),
  createdAt: toIso(row.createdAt),
  endedAt: isoOrNull(row.endedAt),
});

export async function findTerm(
  db: Kysely<Tables>,
  caller: Caller,
  id: DividerTermId,
  at: Instant,
): Promise<DividerTerm | null> {
  const row = await scoped(termsAsShown(db, caller.language, at), caller, 'divider_terms.agent_id')
    .where('divider_terms.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toTerm(row);
}

/** Where a divider shares now and will: terms in force, then those to come, and how many there are beyond the first. */
export async function findTermsOf(
  db: Kysely<Tables>,
  dividerId: DividerId,
  at: Instant,
): Promise<{ terms: IncomeTerm[]; otherTerms: number }> {
  const rows = await termsAt(db, at)
    .select(sql<number>`(count(*) over ())::integer`.as('all'))
    .where('divider_terms.divider_id', '=', dividerId)
    .where(stateAt(at), 'in', ['in_force', 'to_come'])
    .orderBy('divider_terms.from_at')
    .orderBy('divider_terms.id')
    .limit(incomeTermsMax)
    .execute();
  const terms = rows.map(({ id, place, siteName, stationName, electricityE4, serviceE4, occupancyE4, ...row }) => ({
    id,
    place,
    siteName,
    stationName,
    electricityPercent: electricityE4 / 100,
    servicePercent: serviceE4 / 100,
    occupancyPercent: occupancyE4 / 100,
    state: row.state,
    from: toIso(row.from),
    to: isoOrNull(row.to),
  }));
  return { terms, otherTerms: (rows[0]?.all ?? 0) - terms.length };
}

export const dividerTermList = listSource({
  route: listDividerTerms,
  filtered(db, caller, { dividerId, agentId, siteId, stationId, state }, at) {
    let terms = scoped(db.selectFrom('divider_terms'), caller, 'divider_terms.agent_id');
    if (dividerId !== undefined) terms = terms.where('divider_terms.divider_id', '=', dividerId);
    if (agentId !== undefined) terms = terms.where('divider_terms.agent_id', '=', agentId);
    if (siteId !== undefined) {
      const there = db.selectFrom('stations').select('stations.id').where('site_id', '=', siteId);
      terms = terms.where((eb) =>
        eb.or([eb('divider_terms.site_id', '=', siteId), eb('divider_terms.station_id', 'in', there)]),
      );
    }
    if (stationId !== undefined) terms = terms.where('divider_terms.station_id', '=', stationId);
    if (state !== undefined) terms = terms.where(stateAt(at), 'in', state);
    return terms;
  },
  id: sql`divider_terms.id`,
  sorts: { createdAt: sql`divider_terms.created_at` },
  rowsFor: (db, { caller, at }) => termsAsShown(db, caller.language, at),
  toItem: toTerm,
});
