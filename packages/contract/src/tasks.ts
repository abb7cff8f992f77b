import * as z from 'zod/mini';
import { errorStatuses } from './errors.ts';
import { filter, idField, idParameter, instantField, listAnswer, listFields } from './fields.ts';
import { route } from './route.ts';

export const taskKinds = ['export'] as const;
export const taskStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
export type TaskState = (typeof taskStates)[number];

/** What can be exported in the background: the lists, by the name of their route in the contract. */
export const exportLists = ['listOrders', 'listAuditEntries', 'listInteractionLogs'] as const;
export type ExportList = (typeof exportLists)[number];

/** More rows than this are exported in the background (screen catalogue, "What every list screen does"). */
export const backgroundExportRows = 5_000;

export const task = z.object({
  id: idField<'task'>(),
  kind: z.enum(taskKinds),
  list: z.enum(exportLists),
  state: z.enum(taskStates),
  /** Rows written so far, and how many there will be (an estimate past the bounded count); null while unknown. */
  doneCount: z.int(),
  totalCount: z.nullable(z.int()),
  errorCode: z.nullable(z.enum(Object.keys(errorStatuses) as [string, ...string[]])),
  file: z.nullable(z.object({ name: z.string(), sizeBytes: z.int() })),
  userId: idField<'user'>(),
  userName: z.string(),
  createdAt: instantField,
  startedAt: z.nullable(instantField),
  endedAt: z.nullable(instantField),
});
export type Task = z.output<typeof task>;

export const listTasks = route({
  method: 'GET',
  path: '/tasks',
  summary: 'Long work: the caller’s own, everybody’s for administrators',
  permission: 'task.read',
  query: z.object({ ...listFields(['createdAt']), state: filter.choice(taskStates), list: filter.choice(exportLists) }),
  answer: listAnswer(task),
  errors: ['list.too_deep'],
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

/** The permission is that of the list's own export; `query` is the list's query as it stands in its address. */
export const startExport = route({
  method: 'POST',
  path: '/tasks/exports',
  summary: 'Export a filtered list in the background',
  permission: 'signed-in',
  body: z.object({
    list: z.enum(exportLists),
    query: z.record(z.string().check(z.maxLength(64)), z.string().check(z.maxLength(500))),
  }),
  answer: task,
  errors: ['task.too_many'],
  idempotency: 'accepted',
});

export const cancelTask = route({
  method: 'POST',
  path: '/tasks/{id}/cancellations',
  summary: 'Stop a task that waits or runs',
  permission: 'signed-in',
  params: z.object({ id: idParameter<'task'>() }),
  answer: task,
  errors: ['task.not_running'],
});

export const getTaskFile = route({
  method: 'GET',
  path: '/tasks/{id}/file',
  summary: 'What a finished task has made',
  permission: 'signed-in',
  params: z.object({ id: idParameter<'task'>() }),
  answer: z.unknown(),
  answerKind: 'file',
  errors: ['task.no_file'],
});
