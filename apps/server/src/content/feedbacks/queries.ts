import type { Feedback, listFeedbacks } from '@voltdeck/contract/content';
import type { QueryOf } from '@voltdeck/contract/route';
import type { FeedbackId, FileId } from '@voltdeck/units/id';
import { type Instant, parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { containing, countUpTo, type Span, sortOf } from '../../http/list-page.ts';
import { privateFileUrl } from '../files/queries.ts';

function columnsOf<O>(query: SelectQueryBuilder<Tables, 'feedbacks', O>) {
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
      'users.real_name as handledByName',
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
    handledAt: handledAt === null ? null : toIso(handledAt),
    createdAt: toIso(createdAt),
  };
}

export async function findFeedback(db: Kysely<Tables>, caller: Caller, id: FeedbackId): Promise<Feedback | null> {
  const row = await columnsOf(scoped(db.selectFrom('feedbacks'), caller, 'feedbacks.agent_id'))
    .where('feedbacks.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toFeedback(row);
}

export async function listFeedbackPage(
  db: Kysely<Tables>,
  caller: Caller,
  filter: QueryOf<typeof listFeedbacks>,
  span: Span,
) {
  const { kind, state, phone, stationNumber, agentId } = filter;
  const from = filter.from === undefined ? null : parseIso(filter.from);
  const to = filter.to === undefined ? null : parseIso(filter.to);
  let filtered = scoped(db.selectFrom('feedbacks'), caller, 'feedbacks.agent_id');
  if (kind !== undefined) filtered = filtered.where('feedbacks.kind', 'in', kind);
  if (state !== undefined) filtered = filtered.where('feedbacks.state', 'in', state);
  if (phone !== undefined) filtered = filtered.where('feedbacks.phone', 'like', containing(phone));
  if (stationNumber !== undefined) {
    filtered = filtered.where('feedbacks.station_number', 'ilike', containing(stationNumber));
  }
  if (agentId !== undefined) filtered = filtered.where('feedbacks.agent_id', '=', agentId);
  if (from !== null) filtered = filtered.where('feedbacks.created_at', '>=', from);
  if (to !== null) filtered = filtered.where('feedbacks.created_at', '<', to);
  const { direction } = sortOf(filter.sort ?? '-createdAt');
  const [rows, total] = await Promise.all([
    columnsOf(filtered)
      .orderBy('feedbacks.created_at', direction)
      .orderBy('feedbacks.id', direction)
      .limit(span.limit)
      .offset(span.offset)
      .execute(),
    countUpTo(db, filtered),
  ]);
  return { items: rows.map(toFeedback), ...total };
}
