import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { PileOrder } from './pile-load.ts';
import { cpuSecondsOf } from './process-cpu.ts';
import { startProduct } from './product.ts';
import { benchPassword, cardNumber, seedStations, stationNumber } from './seed-stations.ts';
import type { LoadOrder, LoadReport } from './station-load.ts';

/** The bound that this path is built for; the goal is 20,000. */
const perCpuSecondMin = 15_000;
const readingsOfFramesMin = 0.95;
const runMs = 8_000;
const warmUpMs = 3_000;

type Figures = { perCpuSecond: number; perSecond: number; p50Ms: number; p95Ms: number };

/**
 * Durable MeterValues per CPU-second of all serving processes, including PostgreSQL's, with the interaction log on;
 * compared with a bare `ws` + JSON.parse + reply that stores nothing, in the same run.
 * @returns a line for every bound that was missed.
 */
export async function benchIngest(connections = 400): Promise<string[]> {
  const bare = await benchBare(connections);
  const ours = await benchProduct(connections);
  const piles = await benchPiles(connections);
  console.log(`ingest, ${connections} stations with one MeterValues outstanding each (3 sampled values, ~330 bytes)`);
  console.log(`  bare ws + JSON.parse + reply  ${show(bare)}`);
  console.log(`  durable, all processes        ${show(ours)}`);
  console.log(`  ratio                         ${(ours.perCpuSecond / bare.perCpuSecond).toFixed(3)}`);
  console.log(`the same by YKC: one live data outstanding each (0x13, 68 bytes), a heartbeat to every eight`);
  console.log(`  durable, all processes        ${show(piles)}`);
  console.log(`  ratio to MeterValues          ${(piles.perCpuSecond / ours.perCpuSecond).toFixed(3)}`);
  const misses: string[] = [];
  if (ours.perCpuSecond < perCpuSecondMin) {
    misses.push(`ingest: ${Math.round(ours.perCpuSecond)} readings a CPU-second, bound ${perCpuSecondMin}`);
  }
  if (piles.perCpuSecond < ours.perCpuSecond) {
    misses.push('ingest: live data of YKC costs more than MeterValues of OCPP');
  }
  return misses;
}

async function benchBare(connections: number): Promise<Figures> {
  const server = fork(new URL('./bare-server.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [{ port }] = (await once(server, 'message')) as [{ port: number }];
  const figures = await load(`ws://127.0.0.1:${port}/ocpp/`, connections, [server.pid ?? 0]);
  server.kill();
  return figures;
}

async function benchProduct(connections: number): Promise<Figures> {
  const product = await startProduct((database) => seedStations(database, connections));
  try {
    const before = await countReadings(product.database.pool);
    const figures = await load(`ws://127.0.0.1:${product.port}/ocpp/`, connections, [
      product.serverPid,
      product.postgresPid,
    ]);
    const stored = (await countReadings(product.database.pool)) - before;
    if (stored < figures.messages) throw new Error(`answered ${figures.messages} readings but stored ${stored}`);
    return figures;
  } finally {
    await product.stop();
  }
}

async function benchPiles(connections: number): Promise<Figures> {
  const product = await startProduct((database) => seedStations(database, connections, 'ykc'));
  try {
    const process = fork(new URL('./pile-load.ts', import.meta.url), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const piles = Array.from({ length: connections }, (_, index) => ({
      number: stationNumber(index, 'ykc'),
      card: cardNumber(index),
    }));
    const order: PileOrder = { kind: 'connect', port: product.ykcPort, piles };
    const figures = await run(process, order, [product.serverPid, product.postgresPid]);
    const { rows } = await product.database.pool.query<{ frames: number; readings: number }>(
      `select (select count(*)::int from interaction_logs where action = '0x13') as frames,
              (select count(*)::int from readings) as readings`,
    );
    const { frames, readings } = rows[0] ?? { frames: 0, readings: 0 };
    if (frames < figures.messages) throw new Error(`sent ${figures.messages} live data but stored ${frames}`);
    // Two readings of one pile within the same millisecond count as one.
    if (readings < frames * readingsOfFramesMin) throw new Error(`${frames} live data gave ${readings} readings only`);
    return figures;
  } finally {
    await product.stop();
  }
}

async function countReadings(pool: { query(sql: string): Promise<{ rows: { count: number }[] }> }): Promise<number> {
  const { rows } = await pool.query('select count(*)::int as count from readings');
  return rows[0]?.count ?? 0;
}

async function load(
  url: string,
  connections: number,
  pids: readonly number[],
): Promise<Figures & { messages: number }> {
  const stations = fork(new URL('./station-load.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const list = Array.from({ length: connections }, (_, index) => ({
    number: stationNumber(index),
    password: benchPassword,
    card: cardNumber(index),
  }));
  return run(stations, { kind: 'connect', url, stations: list }, pids);
}

async function run(
  stations: ChildProcess,
  connect: LoadOrder | PileOrder,
  pids: readonly number[],
): Promise<Figures & { messages: number }> {
  await tell(stations, connect);
  const warm = await tell(stations, { kind: 'run', forMs: warmUpMs });
  const cpuBefore = cpuSecondsOf(pids);
  const ran = await tell(stations, { kind: 'run', forMs: runMs });
  const cpu = cpuSecondsOf(pids) - cpuBefore;
  if (ran.kind !== 'ran' || warm.kind !== 'ran') throw new Error(JSON.stringify(ran));
  stations.send({ kind: 'end' } satisfies LoadOrder);
  await once(stations, 'exit');
  const sorted = ran.latenciesMs.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return {
    messages: ran.messages,
    perCpuSecond: ran.messages / cpu,
    perSecond: (ran.messages / runMs) * 1_000,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
  };
}

async function tell(stations: ChildProcess, order: LoadOrder | PileOrder): Promise<LoadReport> {
  const answered = once(stations, 'message') as Promise<[LoadReport]>;
  stations.send(order);
  const [report] = await answered;
  if (report.kind === 'failed') throw new Error(report.because);
  return report;
}

function show({ perCpuSecond, perSecond, p50Ms, p95Ms }: Figures): string {
  return `${Math.round(perCpuSecond).toLocaleString('en')} a CPU-second, ${Math.round(perSecond).toLocaleString('en')} a second, p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms`;
}
