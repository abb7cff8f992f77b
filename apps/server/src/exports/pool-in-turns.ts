import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { FairGate } from '../limits/fair-gate.ts';

/**
 * The pool as one export sees it. Each statement waits for a turn of `key`, so that an export of ten million rows does
 * not block one of a hundred. After `signal` no statement starts, and the running one is cancelled.
 */
export function poolInTurns(pool: pg.Pool, turns: FairGate, key: string, signal: AbortSignal): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      signal.throwIfAborted();
      const leave = await turns.enter(key, signal);
      if (leave === null) throw new Error('an export waited too long for its turn');
      let client: pg.PoolClient;
      try {
        client = await pool.connect();
      } catch (error) {
        leave();
        throw error;
      }
      const release = () => {
        signal.removeEventListener('abort', cancel);
        // A late cancellation must not hit the statement of another export.
        client.release(signal.aborted);
        leave();
      };
      const cancel = () => {
        const { processID } = client as { processID?: number };
        pool.query('select pg_cancel_backend($1)', [processID]).catch(() => undefined);
      };
      if (signal.aborted) {
        release();
        throw signal.reason;
      }
      signal.addEventListener('abort', cancel, { once: true });
      return { query: client.query.bind(client), release } as PostgresPoolClient;
    },
    // All exports share the pool.
    end: async () => undefined,
  };
}
