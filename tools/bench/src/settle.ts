import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Database } from '@voltdeck/server/database/database';
import { cpuSecondsOf } from './process-cpu.ts';
import { openBenchDatabase, startProduct } from './product.ts';
import { benchPassword, cardNumber, seedStations, stationNumber } from './seed-stations.ts';
import type { SettleOrder } from './settle-load.ts';

const runMs = 8_000;
const warmUpMs = 2_000;
const bareClients = 8;

/**
 * Whole charges (start with hold, reading, stop with bill and postings) per CPU-second of all processes, compared with
 * the minimum for money on the same database: insert a row, change two balances, commit; from this process by bare pg.
 * @returns nothing: it has no bound.
 */
export async function benchSettle(stations = 100): Promise<string[]> {
  const bare = await benchBare();
  const ours = await benchProduct(stations);
  console.log(`settled orders, ${stations} stations that charge over and over`);
  console.log(`  bare money transaction by pg, all processes  ${Math.round(bare).toLocaleString('en')} a CPU-second`);
  console.log(`  whole charges, all processes                 ${Math.round(ours).toLocaleString('en')} a CPU-second`);
  console.log(`  ratio                                        ${(ours / bare).toFixed(3)}`);
  return [];
}

async function benchBare(): Promise<number> {
  const bench = await openBenchDatabase();
  try {
    const { pool } = bench.database;
    await pool.query(
      'create table bare_orders (id bigint generated always as identity primary key, wallet int, amount bigint)',
    );
    await pool.query('create table bare_balances (id int primary key, balance bigint not null)');
    await pool.query('insert into bare_balances select n, 0 from generate_series(1, 1000) n');
    await runBare(bench.database, warmUpMs);
    const pids = [process.pid, bench.postgresPid];
    const before = cpuSecondsOf(pids);
    const count = await runBare(bench.database, runMs);
    return count / (cpuSecondsOf(pids) - before);
  } finally {
    await bench.close();
  }
}

async function runBare({ pool }: Database, forMs: number): Promise<number> {
  const until = Date.now() + forMs;
  let wallet = 0;
  const counts = await Promise.all(
    Array.from({ length: bareClients }, async () => {
      const client = await pool.connect();
      let count = 0;
      for (; Date.now() < until; count += 1) {
        wallet = (wallet % 500) + 1;
        await client.query('begin');
        await client.query('insert into bare_orders (wallet, amount) values ($1, 100)', [wallet]);
        await client.query('update bare_balances set balance = balance - 100 where id = $1', [wallet]);
        await client.query('update bare_balances set balance = balance + 100 where id = $1', [wallet + 500]);
        await client.query('commit');
      }
      client.release();
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Whole charges per CPU-second of server and database, whose books are proven afterwards. */
export async function benchProduct(stations: number, seed = (_: Database) => Promise.resolve()): Promise<number> {
  const product = await startProduct(async (database) => {
    await seedStations(database, stations);
    await seed(database);
  });
  const load = fork(new URL('./settle-load.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  try {
    const list = Array.from({ length: stations }, (_, index) => ({
      number: stationNumber(index),
      card: cardNumber(index),
    }));
    await tell(load, {
      kind: 'connect',
      url: `ws://127.0.0.1:${product.port}/ocpp/`,
      password: benchPassword,
      stations: list,
    });
    await tell(load, { kind: 'run', forMs: warmUpMs });
    const pids = [product.serverPid, product.postgresPid];
    const before = cpuSecondsOf(pids);
    const settled = await tell(load, { kind: 'run', forMs: runMs });
    const cpu = cpuSecondsOf(pids) - before;
    await prove(product.database);
    return settled / cpu;
  } finally {
    load.kill();
    await product.stop();
  }
}

/** A fast settlement with wrong books does not count. */
async function prove({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ sum: number; unsettled: number }>(
    `select (select sum(balance_fen) from ledger_accounts)::bigint as sum,
            (select count(*) from orders where state <> 'completed' or abnormal)::int as unsettled`,
  );
  if (rows[0]?.sum !== 0 || rows[0]?.unsettled !== 0)
    throw new Error(`the books are wrong: ${JSON.stringify(rows[0])}`);
}

async function tell(load: ChildProcess, order: SettleOrder): Promise<number> {
  const answered = once(load, 'message') as Promise<[{ settled?: number; failed?: string }]>;
  load.send(order);
  const [answer] = await answered;
  if (answer.settled === undefined) throw new Error(answer.failed);
  return answer.settled;
}
