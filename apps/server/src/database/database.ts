import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { InstantParameters } from './instant-parameters.ts';
import { type Lane, type LaneSizes, lanes, statementTimeoutsMs } from './lanes.ts';
import { createPool, type PoolLog, type PoolOptions } from './pool.ts';
import type { Tables } from './tables.generated.ts';

/** The server's database: typed queries, the underlying pool for COPY and LISTEN, and closing. */
export interface Database<L extends Lane = Lane> {
  /** The lane of these connections; null where one pool serves every lane, as in tools and tests. */
  readonly lane: L | null;
  readonly url: string;
  readonly db: Kysely<Tables>;
  readonly pool: pg.Pool;
  /** Waits for running queries and closes every connection. */
  close(): Promise<void>;
}

/** The server's connections, one pool per lane, so that a busy lane delays no other. */
export type Databases = { readonly [L in Lane]: Database<L> };

/** Opens a pool on `url`; connections are made on demand, so the first query reports a database that is away. */
export function openDatabase(url: string, options: PoolOptions = {}): Database<never> {
  return open<never>(null, url, options);
}

/** How the connections of a lane differ from others. */
export function laneOptions(lane: Lane): PoolOptions {
  return {
    statementTimeoutMs: statementTimeoutsMs[lane],
    yieldsCores: lane === 'console' || lane === 'search',
    plansOnce: lane === 'search',
  };
}

/** Opens a separate pool for every lane. */
export function openDatabases(url: string, sizes: LaneSizes, options: { log?: PoolLog } = {}): Databases {
  const openLane = <L extends Lane>(lane: L): Database<L> =>
    open(lane, url, {
      ...options,
      ...laneOptions(lane),
      connectionsMax: sizes[lane],
      applicationName: `voltdeck ${lane}`,
    });
  return {
    stations: openLane('stations'),
    money: openLane('money'),
    search: openLane('search'),
    console: openLane('console'),
  };
}

/** Waits for running queries in every lane and closes every connection. */
export async function closeDatabases(databases: Databases): Promise<void> {
  await Promise.all(lanes.map((lane) => databases[lane].close()));
}

function open<L extends Lane>(lane: L | null, url: string, options: PoolOptions): Database<L> {
  const pool = createPool(url, options);
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new InstantParameters()],
  });
  let closed: Promise<void> | null = null;
  return {
    lane,
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
