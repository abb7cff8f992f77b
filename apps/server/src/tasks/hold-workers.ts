import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import { sql } from 'kysely';
import type { Context } from '../context.ts';

/** Advisory locks of workers are told from others by this and from each other by the hash of the workers' name. */
const workersLock = 0x776f726b;

/**
 * Events for a runner, by which its workers hold a lock for as long as the connection lives over which they hear of new
 * jobs: other nodes see by it who is alive.
 */
export function holdWorkers({ log }: Pick<Context, 'log'>): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:listen:success', ({ client, workerPool }) => {
    // The runner says LISTEN after this event, and a connection takes one query at a time.
    client.once('drain', () => {
      // Shared: a connection that broke may hold it for some time yet, and nobody waits for it.
      client.query('select pg_advisory_lock_shared($1::integer, hashtext($2))', [workersLock, workerPool.id]).catch(
        // Its jobs may then be taken up by another node while they run, which jobs bear.
        (error: unknown) => log.warn({ error: String(error) }, 'the workers are not seen by other nodes'),
      );
    });
  });
  return events;
}

/** Gives back the jobs of workers that are gone: those of a process that was killed, on whichever node. */
export async function freeJobsOfGoneWorkers({ database }: Pick<Context, 'database'>): Promise<void> {
  await sql`select graphile_worker.force_unlock_workers(array_agg(distinct jobs.locked_by))
              from graphile_worker.jobs
             where jobs.locked_by is not null
               and not exists (select 1 from pg_locks
                                where locktype = 'advisory' and objsubid = 2 and classid = ${workersLock}::integer::oid
                                  and objid = hashtext(jobs.locked_by)::oid
                                  and pg_locks.database = (select oid from pg_database
                                                            where datname = current_database()))`.execute(database.db);
}
