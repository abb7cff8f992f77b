import { type Feedback, listFeedbacks } from '@voltdeck/contract/feedbacks';
import type { FeedbackId, FileId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { privateFileUrl } from '../../files/file-url.ts';
import { containing } from '../../http/list-page.ts';
import { listSource } from '../../http/list-source.ts';
import { shownName } from '../../http/shown-name.ts';
import { findsPersonal } from '../../personal/sees-personal.ts';

function columnsOf<O>(query: SelectQueryBuilder<Tables, 'feedbacks', O>, { language }: Pick<Caller, 'language'>) {
  return query
    .leftJoin('customers', 'customers.id', 'feedbacks.customer_id')
    .leftJoin('agents', 'agents.id', 'feedbacks.agent_id')
    .leftJoin('users', 'users.id', 'feedbacks.handled_by')
    .select([
      'feedbacks.id',
      'feedbacks.kind',
      'feedbacks.state',
      'feedbacks.description',
      'feedbacks.phone',
      'feedbacks.customer_id as customerId',
      'customers.nickname',
      'feedbacks.agent_id as agentId',
      'agents.name as agentName',
      'feedbacks.station_id as stationId',
      'feedbacks.station_number as stationNumber',
      'feedbacks.annotation',
      'feedbacks.reply',
      shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('handledByName'),
      'feedbacks.handled_at as handledAt',
      'feedbacks.created_at as createdAt',
      sql<FileId[]>`array(select files.id::float8
                            from unnest(feedbacks.picture_keys) with ordinality as listed (key, place)
                            join files on files.key = listed.key
                           order by listed.place)`.as('pictureIds'),
    ]);
}

type Row = { pictureIds: FileId[]; handledAt: Instant | null; createdAt: Instant };

function toFeedback<Found extends Row>({ pictureIds, handledAt, createdAt, ...row }: Found) {
  return {
    ...row,
    pictureUrls: pictureIds.map(privateFileUrl),
    handledAt: isoOrNull(handledAt),
    createdAt: toIso(createdAt),
  };
}

export async function findFeedback(db: Kysely<Tables>, caller: Caller, id: FeedbackId): Promise<Feedback | null> {
  const row = await columnsOf(scoped(db.selectFrom('feedbacks'), caller, 'feedbacks.agent_id'), caller)
    .where('feedbacks.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toFeedback(row);
}

export const feedbackList = listSource({
  route: listFeedbacks,
  filtered(db, caller, filter) {
    const { kind, state, phone, stationNumber, agentId } = filter;
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    let feedbacks = scoped(db.selectFrom('feedbacks'), caller, 'feedbacks.agent_id');
    if (kind !== undefined) feedbacks = feedbacks.where('feedbacks.kind', 'in', kind);
    if (state !== undefined) feedbacks = feedbacks.where('feedbacks.state', 'in', state);
    if (phone !== undefined) feedbacks = feedbacks.where(findsPersonal(caller, 'feedbacks.phone', phone));
    if (stationNumber !== undefined) {
      feedbacks = feedbacks.where('feedbacks.station_number', 'ilike', containing(stationNumber));
    }
    if (agentId !== undefined) feedbacks = feedbacks.where('feedbacks.agent_id', '=', agentId);
    if (from !== null) feedbacks = feedbacks.where('feedbacks.created_at', '>=', from);
    if (to !== null) feedbacks = feedbacks.where('feedbacks.created_at', '<=', to);
    return feedbacks;
  },
  id: sql`feedbacks.id`,
  sorts: { createdAt: sql`feedbacks.created_at` },
  rows: (db, read) => columnsOf(db.selectFrom('feedbacks'), read),
  toItem: toFeedback,
});
