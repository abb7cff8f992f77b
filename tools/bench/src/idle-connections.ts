import { fork } from 'node:child_process';
import { once } from 'node:events';
import { residentBytesOf } from './process-cpu.ts';
import { startProduct } from './product.ts';
import { benchPassword, seedStations, stationNumber } from './seed-stations.ts';

/** The bound that 10,000 connections are built to. */
const residentMaxMiB = 250;
const processes = 2;
const settleMs = 5_000;

/**
 * Resident memory of the server with many stations connected that were booted and say nothing, against itself without.
 * @returns a line for every bound that was missed.
 */
export async function benchIdleConnections(connections = 10_000): Promise<string[]> {
  const product = await startProduct((database) => seedStations(database, connections));
  const clients = Array.from({ length: processes }, () =>
    fork(new URL('./idle-stations.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  );
  try {
    const emptyBytes = residentBytesOf(product.serverPid);
    const beganAt = performance.now();
    await Promise.all(
      clients.map(async (client, index) => {
        const numbers = Array.from({ length: connections / processes }, (_, at) =>
          stationNumber(at * processes + index),
        );
        const answered = once(client, 'message') as Promise<[{ connected?: number; failed?: string }]>;
        client.send({ url: `ws://127.0.0.1:${product.port}/ocpp/`, numbers, password: benchPassword });
        const [answer] = await answered;
        if (answer.failed !== undefined) throw new Error(answer.failed);
      }),
    );
    const tookMs = performance.now() - beganAt;
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const { rows } = await product.database.pool.query<{ online: number }>(
      'select count(*)::int as online from stations where online',
    );
    const bytes = residentBytesOf(product.serverPid);
    const online = rows[0]?.online ?? 0;
    if (online !== connections) throw new Error(`${online} of ${connections} stations are online`);
    console.log(
      `idle connections: ${connections.toLocaleString('en')} booted stations, connected at ${Math.round(connections / (tookMs / 1_000))} a second`,
    );
    console.log(`  server without stations  ${mebibytes(emptyBytes)} MiB resident`);
    console.log(
      `  with all of them         ${mebibytes(bytes)} MiB resident, ${((bytes - emptyBytes) / connections / 1_024).toFixed(1)} KiB a station`,
    );
    console.log(`  ratio                    ${(bytes / emptyBytes).toFixed(2)}`);
    return Number(mebibytes(bytes)) < residentMaxMiB
      ? []
      : [`idle connections: ${mebibytes(bytes)} MiB resident, bound ${residentMaxMiB}`];
  } finally {
    for (const client of clients) client.kill();
    await product.stop();
  }
}

function mebibytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0);
}
