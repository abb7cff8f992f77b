import type { ApiError } from '@voltdeck/contract/errors';
import { ok, type Result } from '@voltdeck/units/result';
import { publishTask, type TaskMoved } from '../bus/publish-task.ts';
import type { Context } from '../context.ts';
import type { Work } from '../database/transact.ts';
import type { Transact } from '../http/bind.ts';

/** What a route answers that starts a task, and the task; null where nothing started. */
export type Started<Answer> = { answer: Answer; task: TaskMoved | null };

/** Commits the work that starts a task, and then announces the task to the consoles of its user. */
export async function announceTask<Answer>(
  context: Pick<Context, 'bus'>,
  transact: Transact,
  work: Work<Started<Answer>>,
): Promise<Result<Answer, ApiError>> {
  const committed = await transact(work, { answerOf: ({ answer }) => answer });
  if (!committed.ok) return committed;
  const { answer, task } = committed.value;
  if (task !== null) publishTask(context, task);
  return ok(answer);
}
