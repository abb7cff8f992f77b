import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { unfinishedStates } from './queries.ts';
import { giveToWorkers } from './task-detail.ts';

/** More than this wait for nobody: three a user. */
const takenUpMax = 10_000;

/**
 * Gives the workers every unfinished task that none of them has: what a killed process was at, and what broke off when
 * the database was away. A task that was begun too often is ended by its next attempt.
 */
export async function takeUpTasks({ database, log }: Pick<Context, 'database' | 'log'>): Promise<void> {
  const tasks = await database.db
    .selectFrom('tasks')
    .select(['id', 'user_id'])
    .where('state', 'in', unfinishedStates)
    .where(
      sql<boolean>`not exists (select 1 from graphile_worker.jobs
                                where jobs.key = 'task-' || tasks.id
                                  and (jobs.locked_at is not null or jobs.attempts < jobs.max_attempts))`,
    )
    .orderBy('created_at')
    .limit(takenUpMax)
    .execute();
  for (const { id, user_id } of tasks) {
    await database.db.transaction().execute((trx) => giveToWorkers(trx, id, user_id));
  }
  if (tasks.length > 0) log.info({ tasks: tasks.length }, 'unfinished tasks are taken up again');
}
