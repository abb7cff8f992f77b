import * as z from 'zod/mini';
import { errorStatuses } from './errors.ts';
import { filter, idField, idParameter, instantField, shown } from './fields.ts';
import { columnsOf, exportFormats, type ListName, listNames, listRoute } from './list.ts';
import { route } from './route.ts';

export const taskKinds = ['export'] as const;
export const taskStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
export type TaskState = (typeof taskStates)[number];

/** What can be exported in the background: every list. */
export const exportLists = listNames;
export type ExportList = ListName;

/** More rows than this are exported in the background (screen catalogue, "What every list screen does"). */
export const backgroundExportRows = 5_000;

export const task = z.object({
  id: idField<'task'>(),
  kind: z.enum(taskKinds),
  list: z.enum(exportLists),
  state: z.enum(taskStates),
  /** Rows written so far, and the expected number (an estimate past the bounded count); null while unknown. */
  doneCount: z.int(),
  totalCount: z.nullable(z.int()),
  errorCode: z.nullable(z.enum(Object.keys(errorStatuses) as [string, ...string[]])),
  file: z.nullable(z.object({ name: z.string(), sizeBytes: z.int() })),
  userId: idField<'user'>(),
  userName: shown.name('userId'),
  createdAt: instantField,
  startedAt: z.nullable(instantField),
  endedAt: z.nullable(instantField),
});
export type Task = z.output<typeof task>;

export const listTasks = listRoute({
  name: 'listTasks',
  path: '/tasks',
  summary: 'Background tasks: the caller’s own, or all of them for administrators',
  permission: 'task.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: { state: filter.choice(taskStates), list: filter.choice(exportLists) },
  item: task,
  columns: columnsOf<Task>()({
    list: { kind: 'choice', title: 'tasks.list', words: 'task-list' },
    state: { kind: 'choice', title: 'tasks.state', words: 'task-state' },
    doneCount: { kind: 'count', title: 'tasks.progress' },
    file: { kind: 'bytes', title: 'tasks.size', of: ({ file }) => file?.sizeBytes ?? null },
    used: {
      kind: 'durationMs',
      title: 'tasks.used',
      of: ({ startedAt, endedAt }) =>
        startedAt === null || endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt),
    },
    createdAt: { kind: 'instant', title: 'tasks.createdAt' },
    startedAt: { kind: 'instant', title: 'tasks.startedAt' },
    endedAt: { kind: 'instant', title: 'tasks.endedAt' },
    userName: { kind: 'text', title: 'tasks.by' },
  }),
});

export const getTask = route({
  method: 'GET',
  path: '/tasks/{id}',
  summary: 'One task',
  permission: 'signed-in',
  params: z.object({ id: idParameter<'task'>() }),
  answer: task,
  errors: [],
});

/** The permission is that of the list's export; `query` is the list's query as in its address. */
export const startExport = route({
  method: 'POST',
  path: '/tasks/exports',
  summary: 'Export a filtered list in the background',
  permission: 'signed-in',
  body: z.object({
    list: z.enum(exportLists),
    format: z._default(z.enum(exportFormats), 'xlsx'),
    query: z.record(z.string().check(z.maxLength(64)), z.string().check(z.maxLength(500))),
  }),
  answer: task,
  errors: ['task.too_many'],
});

export const cancelTask = route({
  method: 'POST',
  path: '/tasks/{id}/cancellations',
  summary: 'Stop a waiting or running task',
  permission: 'signed-in',
  params: z.object({ id: idParameter<'task'>() }),
  answer: task,
  errors: ['task.not_running'],
});

export const getTaskFile = route({
  method: 'GET',
  path: '/tasks/{id}/file',
  summary: 'The file of a finished task',
  permission: 'signed-in',
  params: z.object({ id: idParameter<'task'>() }),
  answer: z.unknown(),
  answerKind: 'file',
  errors: ['task.no_file'],
});
