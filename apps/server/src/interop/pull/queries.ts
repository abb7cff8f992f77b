import type { Language } from '@voltdeck/contract/languages';
import type { PartnerFault } from '@voltdeck/contract/partner-faults';
import {
  listPartnerPulls,
  type listPullChanges,
  type PartnerPull,
  pullChangesMax,
} from '@voltdeck/contract/partner-pulls';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { PartnerPullId } from '@voltdeck/units/id';
import { isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { listSource } from '../../http/list-source.ts';
import { shownName } from '../../http/shown-name.ts';

function pullRows(db: Kysely<Tables>, language: Language) {
  return db
    .selectFrom('partner_pulls')
    .innerJoin('partners', 'partners.id', 'partner_pulls.partner_id')
    .leftJoin('users', 'users.id', 'partner_pulls.user_id')
    .select([
      'partner_pulls.id',
      'partners.id as partnerId',
      'partners.name as partnerName',
      'partner_pulls.kind',
      'partner_pulls.state',
      'partner_pulls.started_at as startedAt',
      'partner_pulls.ended_at as endedAt',
      'partner_pulls.sites',
      'partner_pulls.added',
      'partner_pulls.changed',
      'partner_pulls.missing',
      'partner_pulls.left_out as leftOut',
      'partner_pulls.failure',
    ])
    .select([
      sql<PartnerFault | null>`partner_pulls.fault`.as('fault'),
      shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('userName'),
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof pullRows>['executeTakeFirstOrThrow']>>;

function toPull(row: Row): PartnerPull {
  return { ...row, startedAt: toIso(row.startedAt), endedAt: isoOrNull(row.endedAt) };
}

export async function findPull(
  db: Kysely<Tables>,
  { language }: Pick<Caller, 'language'>,
  id: PartnerPullId,
): Promise<PartnerPull | null> {
  const row = await pullRows(db, language).where('partner_pulls.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toPull(row);
}

/** Null for everybody but the platform's own people: for them partners do not exist. */
export async function findPullChanges(
  db: Kysely<Tables>,
  { agents }: Pick<Caller, 'agents'>,
  id: PartnerPullId,
): Promise<AnswerOf<typeof listPullChanges> | null> {
  if (agents !== 'all') return null;
  const pull = await db.selectFrom('partner_pulls').select('id').where('id', '=', id).executeTakeFirst();
  if (pull === undefined) return null;
  const items = await db
    .selectFrom('partner_pull_changes')
    .select(['change', 'code', 'name'])
    .where('pull_id', '=', id)
    .orderBy('id')
    .limit(pullChangesMax)
    .execute();
  return { items };
}

export const partnerPullList = listSource({
  route: listPartnerPulls,
  platformOnly: true,
  filtered(db, _caller, { partnerId, outcome, pullKind, from, to }) {
    let pulls = db.selectFrom('partner_pulls');
    if (partnerId !== undefined) pulls = pulls.where('partner_pulls.partner_id', '=', partnerId);
    if (outcome !== undefined) pulls = pulls.where('partner_pulls.state', 'in', outcome);
    if (pullKind !== undefined) pulls = pulls.where('partner_pulls.kind', 'in', pullKind);
    const since = from === undefined ? null : parseIso(from);
    const until = to === undefined ? null : parseIso(to);
    if (since !== null) pulls = pulls.where('partner_pulls.started_at', '>=', since);
    if (until !== null) pulls = pulls.where('partner_pulls.started_at', '<=', until);
    return pulls;
  },
  id: sql`partner_pulls.id`,
  sorts: { startedAt: sql`partner_pulls.started_at` },
  rows: (db, { language }) => pullRows(db, language),
  toItem: toPull,
});
