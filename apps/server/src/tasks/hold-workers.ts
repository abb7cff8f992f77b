import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import { sql } from 'kysely';
import type { Context } from '../context.ts';

/** The class of the workers' advisory locks; the hash of a worker's name is the other half. */
export const workersLock = 0x776f726b;

/**
 * Events for a runner whose workers hold a lock on the connection that listens for new jobs, so that other nodes see
 * which workers are alive. Adds the names of the runner's workers to `own`.
 */
export function holdWorkers({ log }: Pick<Context, 'log'>, own: Set<string>): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => own.add(workerPool.id));
  events.on('pool:listen:success', ({ client, workerPool }) => {
    // The runner sends LISTEN after this event, and a connection takes one query at a time.
    client.once('drain', () => {
      // Shared, because a broken connection may hold it for some time, and nobody should wait for it.
      client.query('select pg_advisory_lock_shared($1::integer, hashtext($2))', [workersLock, workerPool.id]).catch(
        // Another node may then take over its running jobs: a task's earlier attempt ends when the next one begins.
        (error: unknown) => log.warn({ error: String(error) }, 'the workers are not seen by other nodes'),
      );
    });
  });
  return events;
}

/**
 * Releases the jobs of dead workers: those of a process that was killed, on any node. The `own` workers of this process
 * live, even while the connection with their lock is lost and opened again.
 */
export async function releaseJobsOfDeadWorkers(
  { database }: Pick<Context, 'database'>,
  own: ReadonlySet<string>,
): Promise<void> {
  await sql`select graphile_worker.force_unlock_workers(array_agg(distinct jobs.locked_by))
              from graphile_worker.jobs
             where jobs.locked_by <> all(${[...own]}::text[])
               and not exists (select 1 from pg_locks
                                where locktype = 'advisory' and objsubid = 2 and classid = ${workersLock}::integer::oid
                                  and objid = hashtext(jobs.locked_by)::oid
                                  and pg_locks.database = (select oid from pg_database
                                                            where datname = current_database()))`.execute(database.db);
}
