import type { ErrorCode } from '@voltdeck/contract/errors';
import type { Language } from '@voltdeck/contract/languages';
import type { TaskKind } from '@voltdeck/contract/tasks';
import type { TaskId, UserId } from '@voltdeck/units/id';
import type { Context } from '../context.ts';
import type { Trx } from '../database/transact.ts';
import type { KeptBytes } from '../files/file-store.ts';
import type { StoredDetail } from './task-details.ts';

/** Rows done so far, and the expected number. The work counts here; it is written and published once a second. */
export type Progress = { doneCount: number; totalCount: number | null };

/** What finished work leaves. */
export type TaskResult = {
  /** Defaults to the number counted as done. */
  doneCount?: number;
  /** Its shape depends on the kind. */
  result?: unknown;
  file?: { kept: KeptBytes; name: string; contentType: string };
};

export type RunningTask<Kind extends TaskKind = TaskKind> = {
  id: TaskId;
  userId: UserId;
  language: Language;
  detail: StoredDetail<Kind>;
  /** 1 for the first; a restart or a lost database ends an attempt. */
  attempt: number;
  progress: Progress;
  /** Aborted when the task is cancelled, its user disabled or the server closed. The work then throws `reason`. */
  signal: AbortSignal;
  /**
   * Finishes the task in the work's own transaction, so that its effects and its end are committed together.
   * @throws when the task may no longer finish, so that the transaction is rolled back.
   */
  finishIn(trx: Trx, result: TaskResult): Promise<void>;
};

/**
 * Does the work of a task. A result finishes it, `finished` says that `finishIn` was called and
 * committed. An exception ends the attempt: the work must be able to start again at any point.
 */
export type TaskWork<Kind extends TaskKind = TaskKind> = (
  context: Context<'console'>,
  task: RunningTask<Kind>,
) => Promise<TaskResult | { failed: ErrorCode } | 'finished'>;
