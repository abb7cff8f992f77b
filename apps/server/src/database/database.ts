import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { InstantParameters } from './instant-parameters.ts';
import { createPool, type PoolOptions } from './pool.ts';
import type { Tables } from './tables.generated.ts';

/** The database as the server uses it: typed queries, the pool beneath for COPY and LISTEN, and its end. */
export interface Database {
  readonly url: string;
  readonly db: Kysely<Tables>;
  readonly pool: pg.Pool;
  /** Waits for running queries and closes every connection. */
  close(): Promise<void>;
}

/** Opens a pool on `url`; connections are made when first needed, so a database that is away is told by the first query. */
export function openDatabase(url: string, options: PoolOptions = {}): Database {
  const pool = createPool(url, options);
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new InstantParameters()],
  });
  let closed: Promise<void> | null = null;
  return {
    url,
    db,
    pool,
    close() {
      // Kysely ends the pool it was given.
      closed ??= db.destroy();
      return closed;
    },
  };
}
