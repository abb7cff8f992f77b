import pg from 'pg';
import { alwaysPrepared, FrequentStatements } from './frequent-statements.ts';
import { yieldCores } from './yield-cores.ts';

/** Limits of one process's pool. A slower query belongs in a job with a limit of its own. */
export const poolLimits = {
  connectionsMax: 16,
  connectTimeoutMs: 10_000,
  idleTimeoutMs: 60_000,
  statementTimeoutMs: 30_000,
  /** A transaction idle for this long is a bug that holds locks. */
  idleInTransactionTimeoutMs: 60_000,
} as const;

/** Where lost connections are logged; pino's logger fits. */
export interface PoolLog {
  warn(details: { error: string }, text: string): void;
}

export interface PoolOptions {
  connectionsMax?: number;
  statementTimeoutMs?: number;
  applicationName?: string;
  /** Its queries have a lower priority than those of other pools where the database shares this machine's cores. */
  yieldsCores?: boolean;
  /**
   * Every statement is prepared at its first use and planned once, whatever its parameters: for long texts that run
   * briefly, so that planning is what they cost.
   */
  plansOnce?: boolean;
  log?: PoolLog;
}

/**
 * A pool whose rows carry the project's types: bigint as number (RangeError outside ±2^53), timestamptz as milliseconds
 * since 1970 (finer digits are cut), date and numeric as their text.
 */
export function createPool(url: string, options: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    Client: clientPreparing(new FrequentStatements(options.plansOnce === true ? alwaysPrepared : undefined)),
    ...(options.plansOnce === true && { options: '-c plan_cache_mode=force_generic_plan' }),
    connectionString: url,
    max: options.connectionsMax ?? poolLimits.connectionsMax,
    connectionTimeoutMillis: poolLimits.connectTimeoutMs,
    idleTimeoutMillis: poolLimits.idleTimeoutMs,
    statement_timeout: options.statementTimeoutMs ?? poolLimits.statementTimeoutMs,
    idle_in_transaction_session_timeout: poolLimits.idleInTransactionTimeoutMs,
    application_name: options.applicationName ?? 'voltdeck',
    keepAlive: true,
    types: { getTypeParser },
  });
  // The pool replaces an idle connection that breaks; without a listener the event would end the process.
  pool.on('error', (error) => {
    if (!pool.ending) options.log?.warn({ error: error.message }, 'a database connection broke');
  });
  // A broken connection in use also fails its query; its own event, without a listener, would end the process too.
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (options.yieldsCores === true) pool.on('connect', (client) => void yieldCores(client));
  return pool;
}

type Query = (this: pg.Client, text: unknown, values?: unknown, callback?: unknown) => unknown;

/** Clients that prepare frequent statements; all others are sent as usual. */
function clientPreparing(statements: FrequentStatements): typeof pg.Client {
  const query = pg.Client.prototype.query as unknown as Query;
  const preparing: Query = function (text, values, callback) {
    const name = typeof text === 'string' && Array.isArray(values) ? statements.nameOf(text) : undefined;
    if (name === undefined) return query.call(this, text, values, callback);
    forgetTaken(this as PreparingClient);
    return query.call(this, { name, text, values }, callback);
  };
  /** Frees the plans of statements that have lost their names. */
  const forgetTaken = (client: PreparingClient) => {
    if (client.namesTaken === statements.namesTaken) return;
    client.namesTaken = statements.namesTaken;
    const { parsedStatements } = (client as unknown as { connection: { parsedStatements: Record<string, string> } })
      .connection;
    for (const name of Object.keys(parsedStatements)) {
      // A second `deallocate` of one name would fail, and a transaction with it.
      if (statements.isName(name) || client.freeing.has(name)) continue;
      client.freeing.add(name);
      const freed = query.call(client, `deallocate ${name}`) as Promise<unknown>;
      freed.then(
        () => {
          delete parsedStatements[name];
          client.freeing.delete(name);
        },
        // A connection that has broken fails the statement behind this one too, which says so.
        () => undefined,
      );
    }
  };
  class PreparingClient extends pg.Client {
    /** Up to which of them this connection has freed its plans. */
    namesTaken = 0;
    /** Names whose plans are being freed. */
    readonly freeing = new Set<string>();
  }
  PreparingClient.prototype.query = preparing as unknown as typeof pg.Client.prototype.query;
  return PreparingClient;
}

const { builtins } = pg.types;

const ownParsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, parseBigint],
  [builtins.TIMESTAMPTZ, parseTimestamptz],
  [builtins.DATE, (text) => text],
  [builtins.NUMERIC, (text) => text],
]);

const ownArrayParsers = new Map<number, (text: string) => unknown>([
  [1016, parserOfArray(parseBigint)],
  [1185, parserOfArray(parseTimestamptz)],
]);

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (format !== 'binary') {
    const own = ownParsers.get(oid) ?? ownArrayParsers.get(oid);
    if (own !== undefined) return own;
  }
  return pg.types.getTypeParser(oid, format);
}

function parserOfArray(parseElement: (text: string) => unknown): (text: string) => unknown {
  const parseTexts = pg.types.getTypeParser(1009 as number) as (text: string) => (string | null)[];
  return (text) => parseTexts(text).map((element) => (element === null ? null : parseElement(element)));
}

/** @throws RangeError outside ±2^53, where a number is no longer exact. */
export function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a number exactly`);
  return value;
}

/**
 * PostgreSQL's ISO output ("2026-11-21 07:22:33.123456+00") as milliseconds since 1970.
 * @throws RangeError for infinity, years before 1 and other date styles.
 */
export function parseTimestamptz(text: string): number {
  const parts = /^(\d{4,6}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)(:\d\d)?$/.exec(text);
  const value = parts === null ? Number.NaN : Date.parse(`${parts[1]}T${parts[2]}${parts[3]}${parts[4] ?? ':00'}`);
  if (Number.isNaN(value)) throw new RangeError(`"${text}" is not a point in time that fits milliseconds`);
  return value;
}
