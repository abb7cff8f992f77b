import { sql } from 'kysely';
import { giveToWorkers, unfinishedStates } from '../background/start-task.ts';
import type { Context } from '../context.ts';
import { kindOf } from './queries.ts';

/** Limit of orphaned tasks per look: three a user. */
const resumedMax = 10_000;

/**
 * Gives the workers every unfinished task without a worker: those of a killed process, and those interrupted by a lost
 * database. A task with too many attempts is ended by its next one.
 */
export async function takeUpTasks({ database, log }: Pick<Context, 'database' | 'log'>): Promise<void> {
  const tasks = await database.db
    .selectFrom('tasks')
    .select(['id', 'kind', 'user_id'])
    .where('state', 'in', unfinishedStates)
    .where(
      sql<boolean>`not exists (select 1 from graphile_worker.jobs
                                where jobs.key = 'task-' || tasks.id
                                  and (jobs.locked_at is not null or jobs.attempts < jobs.max_attempts))`,
    )
    .orderBy('created_at')
    .limit(resumedMax)
    .execute();
  for (const { id, kind, user_id: userId } of tasks) {
    await database.db.transaction().execute((trx) => giveToWorkers(trx, { id, kind: kindOf(kind), userId }));
  }
  if (tasks.length > 0) log.info({ tasks: tasks.length }, 'resuming unfinished tasks');
}
