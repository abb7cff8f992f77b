import { bulkCommandKinds } from '@voltdeck/charging/station-command';
import {
  exportLists,
  listTaskRows,
  listTasks,
  type Task,
  type TaskDetail,
  type TaskKind,
  type TaskRow,
  taskKinds,
} from '@voltdeck/contract/tasks';
import type { TaskId } from '@voltdeck/units/id';
import { isoOrNull, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { StoredDetail } from '../background/task-details.ts';
import { countTaskRows } from '../background/task-rows.ts';
import type { Caller } from '../caller/caller.ts';
import { ownedBy } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { seesWork } from './sees-work.ts';

function ownTasks(db: Kysely<Tables>, caller: Pick<Caller, 'userId' | 'admin'>) {
  return ownedBy(db.selectFrom('tasks'), caller, 'tasks.user_id');
}

function withNames(query: ReturnType<typeof ownTasks>) {
  return query
    .innerJoin('users', 'users.id', 'tasks.user_id')
    .leftJoin('files', 'files.id', 'tasks.file_id')
    .select([
      'tasks.id',
      'tasks.kind',
      sql<string | null>`tasks.detail->>'list'`.as('list'),
      sql<string | null>`case tasks.kind when 'station-commands' then tasks.detail->'command'->>'kind' end`.as(
        'command',
      ),
      'tasks.subject',
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

type Selected = Awaited<ReturnType<ReturnType<typeof withNames>['execute']>>[number];

function toTask({
  kind,
  list,
  command,
  fileName,
  fileSizeBytes,
  fileKey: _key,
  fileType: _type,
  ...row
}: Selected): Task {
  return {
    ...row,
    kind: kindOf(kind),
    list: list === null ? null : oneOf(exportLists, list),
    command: command === null ? null : oneOf(bulkCommandKinds, command),
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

/** @throws RangeError for a kind that no version of ours has written. */
export const kindOf = (text: string): TaskKind => oneOf(taskKinds, text);

type Owner = Pick<Caller, 'userId' | 'admin'>;

export async function findTask(db: Kysely<Tables>, caller: Owner, id: TaskId): Promise<Task | null> {
  const row = await withNames(ownTasks(db, caller)).where('tasks.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toTask(row);
}

/** A task with what it found out, which is withheld when the caller's rights no longer reach it. */
export async function findTaskDetail(db: Kysely<Tables>, caller: Caller, id: TaskId): Promise<TaskDetail | null> {
  const row = await withNames(ownTasks(db, caller))
    .select(['tasks.result', 'tasks.detail'])
    .where('tasks.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { result, detail, ...rest } = row;
  const task = toTask(rest);
  const isTheirs = seesWork(caller, task.kind, detail as StoredDetail<TaskKind>);
  return { ...task, result: isTheirs ? result : null, rowCounts: await countTaskRows(db, id) };
}

export type TaskFile = {
  key: string;
  name: string;
  contentType: string;
  kind: TaskKind;
  detail: StoredDetail<TaskKind>;
};

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
  const detail = row.detail as StoredDetail<TaskKind>;
  return { key: fileKey, name: fileName, contentType: fileType, kind: kindOf(row.kind), detail };
}

export const taskList = listSource({
  route: listTasks,
  filtered(db, caller, filter) {
    let tasks = ownTasks(db, caller);
    if (filter.state !== undefined) tasks = tasks.where('tasks.state', 'in', filter.state);
    if (filter.kind !== undefined) tasks = tasks.where('tasks.kind', 'in', filter.kind);
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

export const taskRowList = listSource({
  route: listTaskRows,
  filtered(db, caller, filter) {
    const all = db.selectFrom('task_rows').innerJoin('tasks', 'tasks.id', 'task_rows.task_id');
    let rows = ownedBy(all, caller, 'tasks.user_id');
    if (filter.taskId !== undefined) rows = rows.where('task_rows.task_id', '=', filter.taskId);
    if (filter.state !== undefined) rows = rows.where('task_rows.state', 'in', filter.state);
    return rows;
  },
  id: sql`task_rows.id`,
  sorts: { line: sql`task_rows.line` },
  rows: (db) =>
    db
      .selectFrom('task_rows')
      .innerJoin('tasks', 'tasks.id', 'task_rows.task_id')
      .select([
        'tasks.kind',
        sql<StoredDetail<TaskKind>['caller']>`tasks.detail->'caller'`.as('starter'),
        'task_rows.id',
        'task_rows.task_id as taskId',
        'task_rows.line',
        'task_rows.label',
        'task_rows.record_id as recordId',
        'task_rows.state',
        'task_rows.detail',
        'task_rows.at',
      ]),
  toItem: ({ at, state, detail, kind, starter, ...row }, { caller }): TaskRow => ({
    ...row,
    state: state as TaskRow['state'],
    detail: seesWork(caller, kindOf(kind), { caller: starter }) ? detail : null,
    at: isoOrNull(at),
  }),
});
