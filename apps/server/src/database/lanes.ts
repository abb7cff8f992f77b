import pg from 'pg';

/**
 * The users of the database. Each lane has connections of its own, so that stations, money and people do not starve
 * each other: `stations` stores messages and admits stations, `money` decides and settles charges and moves money,
 * `search` finds records while people type, `console` answers all other calls of people and scripts.
 */
export const lanes = ['stations', 'money', 'search', 'console'] as const;
export type Lane = (typeof lanes)[number];

/**
 * Connections of one process; `jobs` are those of the queue's workers, `exports` those of the thread that writes lists
 * as files.
 */
export type LaneSizes = Readonly<Record<Lane | 'jobs' | 'exports', number>>;

/** Connections that one search uses at the same time. */
export const searchConnections = 2;
const searchesAtOnce = 2;

/** The defaults: 49 of the 100 connections that PostgreSQL allows by default. */
export const laneSizes: LaneSizes = {
  stations: 12,
  money: 12,
  search: searchesAtOnce * searchConnections,
  console: 11,
  jobs: 7,
  exports: 3,
};

/**
 * Statement timeouts. People can narrow their filter; a message or a payment is worth the wait. A search says which
 * kinds of records it has not searched to the end.
 */
export const statementTimeoutsMs: Readonly<Record<Lane, number>> = {
  stations: 30_000,
  money: 30_000,
  search: 1_000,
  console: 15_000,
};

/** Connections beyond one, so that a transaction can proceed while another waits for its lock. */
const laneSizeMin = 2;

/** PostgreSQL allows fewer connections than the lanes' minimum. */
export class TooFewConnections extends Error {
  constructor(connectionsAllowed: number) {
    const connectionsMin = Object.keys(laneSizes).length * laneSizeMin;
    super(`the database allows ${connectionsAllowed} connections; the server needs at least ${connectionsMin}`);
  }
}

/**
 * The lanes' sizes where the database allows `connectionsAllowed` connections: the defaults, or all reduced in
 * proportion.
 * @throws TooFewConnections
 */
export function fitLanes(connectionsAllowed: number, wished: LaneSizes = laneSizes): LaneSizes {
  const names = Object.keys(wished) as (keyof LaneSizes)[];
  const sum = names.reduce((total, name) => total + wished[name], 0);
  if (sum <= connectionsAllowed) return wished;
  const free = connectionsAllowed - names.length * laneSizeMin;
  if (free < 0) throw new TooFewConnections(connectionsAllowed);
  const share = free / (sum - names.length * laneSizeMin);
  const sizeOf = (name: keyof LaneSizes) => laneSizeMin + Math.floor((wished[name] - laneSizeMin) * share);
  return {
    stations: sizeOf('stations'),
    money: sizeOf('money'),
    search: sizeOf('search'),
    console: sizeOf('console'),
    jobs: sizeOf('jobs'),
    exports: sizeOf('exports'),
  };
}

/**
 * How many connections the database allows this user: the lowest limit of the server (without its reserve), the
 * database and the role (PostgreSQL documentation, 19.3.1, CREATE DATABASE and CREATE ROLE).
 */
export async function connectionsAllowed(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url, application_name: 'voltdeck start' });
  await client.connect();
  try {
    const { rows } = await client.query<{ allowed: number }>(`
      select least(
               current_setting('max_connections')::int
                 - current_setting('superuser_reserved_connections')::int
                 - coalesce(current_setting('reserved_connections', true)::int, 0),
               nullif(datconnlimit, -1),
               nullif(rolconnlimit, -1)) as allowed
        from pg_database, pg_roles
       where datname = current_database() and rolname = current_user`);
    return rows[0]?.allowed ?? 0;
  } finally {
    await client.end();
  }
}
