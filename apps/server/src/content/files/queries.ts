import { type FilePurpose, filePurposes, listFiles, type StoredFile } from '@voltdeck/contract/files';
import type { FileId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { may } from '../../caller/may.ts';
import { scoped } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { fileUrl, privateFileUrl } from '../../files/file-url.ts';
import { containing } from '../../http/list-page.ts';
import { listSource } from '../../http/list-source.ts';
import { shownName } from '../../http/shown-name.ts';

function columnsOf<O>(query: SelectQueryBuilder<Tables, 'files', O>, { language }: Pick<Caller, 'language'>) {
  return query
    .leftJoin('users', 'users.id', 'files.user_id')
    .select([
      'files.id',
      'files.key',
      'files.name',
      'files.description',
      'files.content_type as contentType',
      'files.size_bytes as sizeBytes',
      'files.purpose',
      'files.public as isPublic',
      'files.width_px as widthPx',
      'files.height_px as heightPx',
      shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('userName'),
      'files.created_at as createdAt',
    ]);
}

type Row = {
  id: FileId;
  key: string;
  name: string;
  purpose: string;
  isPublic: boolean;
  createdAt: Instant;
};

function toFile<Found extends Row>({ isPublic, createdAt, purpose, ...row }: Found) {
  const url = isPublic ? fileUrl(row) : privateFileUrl(row.id);
  // Results of tasks share the table and are not shown by these routes.
  return { ...row, purpose: purpose as FilePurpose, url, createdAt: toIso(createdAt) };
}

function uploads(db: Kysely<Tables>, caller: Caller) {
  return scoped(db.selectFrom('files'), caller, 'files.agent_id').where('files.purpose', 'in', filePurposes);
}

/** For the user who has just uploaded it. */
export async function readFile(db: Kysely<Tables>, caller: Caller, id: FileId): Promise<StoredFile> {
  return toFile(await columnsOf(db.selectFrom('files'), caller).where('files.id', '=', id).executeTakeFirstOrThrow());
}

export async function findFile(db: Kysely<Tables>, caller: Caller, id: FileId): Promise<StoredFile | null> {
  const row = await columnsOf(uploads(db, caller), caller).where('files.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toFile(row);
}

export const fileList = listSource({
  route: listFiles,
  filtered(db, caller, filter) {
    let files = uploads(db, caller);
    if (filter.name !== undefined) files = files.where('files.name', 'ilike', containing(filter.name));
    if (filter.purpose !== undefined) files = files.where('files.purpose', 'in', filter.purpose);
    return files;
  },
  id: sql`files.id`,
  sorts: { name: sql`files.name collate "zh-x-icu"`, createdAt: sql`files.created_at` },
  rows: (db, read) => columnsOf(db.selectFrom('files'), read),
  toItem: toFile,
});

/**
 * What a caller may download: the files they may see, the licences of the agents, the bills of the sites, and the
 * pictures of the feedback they may see, so that handlers of feedback need no access to all files.
 */
export async function findContent(db: Kysely<Tables>, caller: Caller, id: FileId) {
  const wanted = db
    .selectFrom('files')
    .select(['files.key', 'files.name', 'files.content_type as contentType'])
    .where('files.id', '=', id)
    .where('files.purpose', 'in', filePurposes);
  if (may(caller, 'file.read')) {
    const file = await scoped(wanted, caller, 'files.agent_id').executeTakeFirst();
    if (file !== undefined) return file;
  }
  if (may(caller, 'agent.read')) {
    const licence = await wanted
      .where((eb) =>
        eb.exists(
          scoped(eb.selectFrom('agents').select('agents.id'), caller, 'agents.id').whereRef(
            'agents.licence_file_id',
            '=',
            'files.id',
          ),
        ),
      )
      .executeTakeFirst();
    if (licence !== undefined) return licence;
  }
  if (may(caller, 'finance.read')) {
    const bill = await wanted
      .where((eb) =>
        eb.exists(
          scoped(eb.selectFrom('grid_bills').select('grid_bills.id'), caller, 'grid_bills.agent_id').whereRef(
            'grid_bills.file_id',
            '=',
            'files.id',
          ),
        ),
      )
      .executeTakeFirst();
    if (bill !== undefined) return bill;
  }
  if (!may(caller, 'feedback.read')) return null;
  return (
    (await wanted
      .where((eb) =>
        eb.exists(
          scoped(eb.selectFrom('feedbacks').select('feedbacks.id'), caller, 'feedbacks.agent_id').where(
            sql<boolean>`feedbacks.picture_keys @> array[files.key]`,
          ),
        ),
      )
      .executeTakeFirst()) ?? null
  );
}
