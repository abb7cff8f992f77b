import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Protocol } from '@voltdeck/charging/states';
import type { IdlePilesOrder } from './idle-piles.ts';
import type { IdleOrder } from './idle-stations.ts';
import { residentBytesOf } from './process-cpu.ts';
import { startProduct } from './product.ts';
import { benchPassword, seedStations, stationNumber } from './seed-stations.ts';

/** The bounds that 10,000 connections are built for, in 10^6 bytes. */
const residentMaxMegabytes = { 'ocpp1.6': 250, ykc: 300 } as const satisfies Record<Protocol, number>;
const processes = 2;
/** Long enough for every pile's second heartbeat. */
const settleMs = 25_000;

/**
 * Resident memory of the server with many idle stations connected, compared with none: OCPP stations, which send
 * nothing, and YKC piles, which send a heartbeat every ten seconds.
 * @returns a line for every bound that was missed.
 */
export async function benchIdleConnections(connections = 10_000): Promise<string[]> {
  return [...(await benchProtocol('ocpp1.6', connections)), ...(await benchProtocol('ykc', connections))];
}

async function benchProtocol(protocol: Protocol, connections: number): Promise<string[]> {
  const product = await startProduct((database) => seedStations(database, connections, protocol));
  const client = protocol === 'ykc' ? './idle-piles.ts' : './idle-stations.ts';
  const clients = Array.from({ length: processes }, () =>
    fork(new URL(client, import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  );
  try {
    const emptyBytes = residentBytesOf(product.serverPid);
    const beganAt = performance.now();
    await Promise.all(
      clients.map(async (client, index) => {
        const numbers = Array.from({ length: connections / processes }, (_, at) =>
          stationNumber(at * processes + index, protocol),
        );
        if (protocol === 'ykc') await connectAll(client, { port: product.ykcPort, numbers });
        else {
          const url = `ws://127.0.0.1:${product.port}/ocpp/`;
          await connectAll(client, { url, numbers, password: benchPassword });
        }
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
      `idle connections, ${protocol}: ${connections.toLocaleString('en')} booted stations, connected at ${Math.round(connections / (tookMs / 1_000))} a second`,
    );
    console.log(`  server without stations  ${megabytes(emptyBytes)} MB resident`);
    console.log(
      `  with all of them         ${megabytes(bytes)} MB resident, ${((bytes - emptyBytes) / connections / 1_000).toFixed(1)} kB a station`,
    );
    console.log(`  ratio                    ${(bytes / emptyBytes).toFixed(2)}`);
    const bound = residentMaxMegabytes[protocol];
    return bytes / 1e6 < bound
      ? []
      : [`idle connections, ${protocol}: ${megabytes(bytes)} MB resident, bound ${bound}`];
  } finally {
    for (const client of clients) client.kill();
    await product.stop();
  }
}

async function connectAll(client: ChildProcess, order: IdleOrder | IdlePilesOrder): Promise<void> {
  const answered = once(client, 'message') as Promise<[{ connected?: number; failed?: string }]>;
  client.send(order);
  const [answer] = await answered;
  if (answer.failed !== undefined) throw new Error(answer.failed);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
