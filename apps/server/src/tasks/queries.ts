import { exportLists, listTasks, type Task, type TaskState, taskKinds } from '@voltdeck/contract/tasks';
import type { TaskId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import type { ExportDetail } from './task-detail.ts';

export const unfinishedStates = ['waiting', 'running'] as const satisfies readonly TaskState[];

/** Tasks belong to the user who started them; administrators see all. */
function ownTasks(db: Kysely<Tables>, caller: Pick<Caller, 'userId' | 'admin'>) {
  const query = db.selectFrom('tasks');
  return caller.admin ? query : query.where('tasks.user_id', '=', caller.userId);
}

function withNames(query: ReturnType<typeof ownTasks>) {
  return query
    .innerJoin('users', 'users.id', 'tasks.user_id')
    .leftJoin('files', 'files.id', 'tasks.file_id')
    .select([
      'tasks.id',
      'tasks.kind',
      sql<string>`tasks.detail->>'list'`.as('list'),
      'tasks.state',
      'tasks.done_count as doneCount',
      'tasks.total_count as totalCount',
      'tasks.error_code as errorCode',
      'files.name as fileName',
      'files.size_bytes as fileSizeBytes',
      'files.key as fileKey',
      'files.content_type as fileType',
      'tasks.user_id as userId',
      'users.user_name as userName',
      'tasks.created_at as createdAt',
      'tasks.started_at as startedAt',
      'tasks.ended_at as endedAt',
    ]);
}

type TaskRow = Awaited<ReturnType<ReturnType<typeof withNames>['execute']>>[number];

function toTask({ kind, list, fileName, fileSizeBytes, fileKey: _key, fileType: _type, ...row }: TaskRow): Task {
  return {
    ...row,
    kind: oneOf(taskKinds, kind),
    list: oneOf(exportLists, list),
    file: fileName === null || fileSizeBytes === null ? null : { name: fileName, sizeBytes: fileSizeBytes },
    createdAt: toIso(row.createdAt),
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
  };
}

/** @throws RangeError for a value that no version of ours has written. */
function oneOf<const Value extends string>(values: readonly Value[], text: string): Value {
  const known = values.find((value) => value === text);
  if (known === undefined) throw new RangeError(`unknown task: ${text}`);
  return known;
}

const isoOrNull = (at: Instant | null) => (at === null ? null : toIso(at));

type Owner = Pick<Caller, 'userId' | 'admin'>;

export async function findTask(db: Kysely<Tables>, caller: Owner, id: TaskId): Promise<Task | null> {
  const row = await withNames(ownTasks(db, caller)).where('tasks.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toTask(row);
}

export type TaskFile = { key: string; name: string; contentType: string; detail: ExportDetail };

/** A task's result; null when there is no such task, `no-file` when it made none or it has expired. */
export async function findTaskFile(
  db: Kysely<Tables>,
  caller: Owner,
  id: TaskId,
): Promise<TaskFile | 'no-file' | null> {
  const row = await withNames(ownTasks(db, caller))
    .select('tasks.detail')
    .where('tasks.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { fileKey, fileName, fileType } = row;
  if (fileKey === null || fileName === null || fileType === null) return 'no-file';
  return { key: fileKey, name: fileName, contentType: fileType, detail: row.detail as ExportDetail };
}

export const taskList = listSource({
  route: listTasks,
  filtered(db, caller, filter) {
    let tasks = ownTasks(db, caller);
    if (filter.state !== undefined) tasks = tasks.where('tasks.state', 'in', filter.state);
    if (filter.list !== undefined) {
      tasks = tasks.where(sql<boolean>`tasks.detail->>'list' = any(${[...filter.list]})`);
    }
    return tasks;
  },
  id: sql`tasks.id`,
  sorts: { createdAt: sql`tasks.created_at` },
  rows: (db) => withNames(db.selectFrom('tasks')),
  toItem: toTask,
});
