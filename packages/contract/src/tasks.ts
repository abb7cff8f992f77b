import { bulkCommandKinds } from '@voltdeck/charging/station-command';
import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, shown } from './fields.ts';
import { columnsOf, exportFormats, type ListName, listNames, listRoute } from './list.ts';
import type { Permission } from './permissions.ts';
import { route } from './route.ts';

export const taskKinds = [
  'export',
  'station-import',
  'station-commands',
  'rehearsal',
  'label-sheet',
  'station-identities',
] as const;
export type TaskKind = (typeof taskKinds)[number];

/** Who may have the file of a task. An export has the permission of its list. */
export const taskPermissions: Readonly<Record<Exclude<TaskKind, 'export'>, Permission>> = {
  'station-commands': 'station.command',
  rehearsal: 'tariff.rehearse',
  'station-import': 'station.create',
  'label-sheet': 'connector.read',
  'station-identities': 'station.create',
};

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
  /** What an export writes; null for other kinds. */
  list: z.nullable(z.enum(exportLists)),
  /** What many stations are asked for; null for other kinds. */
  command: z.nullable(z.enum(bulkCommandKinds)),
  /** What it is about, beside its kind: a file's name, a rule's. */
  subject: z.string(),
  state: z.enum(taskStates),
  /** Rows written so far, and the expected number (an estimate past the bounded count); null while unknown. */
  doneCount: z.int(),
  totalCount: z.nullable(z.int()),
  /** An `ErrorCode`. As a text: every list tells of tasks, and none needs the table of all codes for it. */
  errorCode: z.nullable(z.string()),
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
  filters: { state: filter.choice(taskStates), kind: filter.choice(taskKinds), list: filter.choice(exportLists) },
  item: task,
  columns: columnsOf<Task>()({
    kind: { kind: 'choice', title: 'tasks.kind', words: 'task-kind' },
    list: { kind: 'choice', title: 'tasks.list', words: 'task-list' },
    subject: { kind: 'text', title: 'tasks.subject' },
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

export const taskRowStates = [
  'waiting',
  'sent',
  'done',
  'refused',
  'offline',
  'timed-out',
  /** Asked before a restart, and the answer was lost. */
  'unknown',
  'skipped',
] as const;
export type TaskRowState = (typeof taskRowStates)[number];

/** One record of a task: a line of an import, a station that a command is for. */
export const taskRow = z.object({
  id: idField<'task_row'>(),
  taskId: idField<'task'>(),
  /** From 1 in the order of the task. */
  line: z.int(),
  label: z.string(),
  recordId: z.nullable(z.int()),
  state: z.enum(taskRowStates),
  /** The faults of a line, the answer of a station: in the shape of the task's kind. */
  detail: shown.fields(z.unknown()),
  at: z.nullable(instantField),
});
export type TaskRow = z.output<typeof taskRow>;

export const listTaskRows = listRoute({
  name: 'listTaskRows',
  path: '/task-rows',
  summary:
    'The records of background tasks, each with its state: those of the caller’s own tasks, or all for administrators',
  permission: 'signed-in',
  sorts: ['line'],
  first: 'line',
  filters: { taskId: filter.id('task'), state: filter.choice(taskRowStates) },
  item: taskRow,
  columns: columnsOf<TaskRow>()({
    line: { kind: 'count', title: 'tasks.line' },
    label: { kind: 'number', title: 'tasks.record' },
    state: { kind: 'choice', title: 'tasks.rowState', words: 'task-row-state' },
    at: { kind: 'instant', title: 'tasks.at' },
  }),
});

export const taskDetail = z.extend(task, {
  /** In the shape of the task's kind; null before its end and for kinds without one. */
  result: shown.fields(z.unknown()),
  /** How many of its records are in which state; empty for kinds without records. */
  rowCounts: z.partialRecord(z.enum(taskRowStates), z.int()),
});
export type TaskDetail = z.output<typeof taskDetail>;

export const getTask = route({
  method: 'GET',
  path: '/tasks/{id}',
  summary: 'One task',
  permission: 'signed-in',
  params: z.object({ id: idParameter<'task'>() }),
  answer: taskDetail,
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
  errors: ['task.no_file', 'task.file_of_others'],
});
