import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './api.ts';
import { type Product, startProduct } from './product.ts';
import { dayTariff } from './two-hour-charge.ts';
import { until } from './until.ts';

type Protocol = 'ocpp1.6' | 'ykc';
type Server = { product: Product; api: Api; stationId: number; password: string | null };
type Exchange = { direction: string; action: string | null; request: string };

const simulator = fileURLToPath(new URL('../../tools/simulator/src/main.ts', import.meta.url));
const card = '00000000D1C0FFEE';
const numbers = { 'ocpp1.6': 'REPLAY-1', ykc: '44030601000001' } as const;

let folder = '';
const products: Product[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voltdeck-replay-'));
});
afterAll(async () => {
  for (const product of products) await product.stop();
  for (const product of products) expect(product.errors).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});

/** A server with one station and one card with money. */
async function freshServer(protocol: Protocol): Promise<Server> {
  const { url } = await freshDatabase();
  const product = await startProduct(url);
  products.push(product);
  const api = await product.signIn();
  const tariffId = await api.createTariff(dayTariff);
  const siteId = await api.createSite('Lakeside');
  const { id, password } = await api.createStation({ number: numbers[protocol], siteId, tariffId, protocol });
  await api.createCard(card, 20_000);
  return { product, api, stationId: id, password: password ?? null };
}

/** `npm run sim` in its own process. */
async function sim(...argv: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [simulator, ...argv]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      output += data.toString();
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

const addressOf = (protocol: Protocol, { product, password }: Server): string[] => [
  '--url',
  protocol === 'ykc' ? `tcp://127.0.0.1:${product.ykcPort}` : product.ocppUrl,
  ...(password === null ? [] : ['--password', password]),
];

async function orderOf(protocol: Protocol, { api }: Server) {
  return until('the order is settled', async () => {
    const [order] = await api.ordersOf({ stationNumber: numbers[protocol] });
    return order?.state === 'completed' ? order : null;
  });
}

describe.each(['ykc', 'ocpp1.6'] as const)('a charge over %s that was recorded at one server', (protocol) => {
  test('a charge recorded at one server is replayed to a fresh one, which sends the same answers and the same bill', async () => {
    const [first, second] = await Promise.all([freshServer(protocol), freshServer(protocol)]);
    const beganAt = new Date(Date.now() - 60_000).toISOString();
    const charged = await sim(
      'charge',
      ...['--protocol', protocol === 'ykc' ? 'ykc' : 'ocpp', '--station', numbers[protocol], '--card', card],
      ...['--connectors', '1', '--minutes', '0.2', '--interval', '2'],
      ...addressOf(protocol, first),
    );
    expect(charged).toMatchObject({ code: 0 });
    const recorded = await orderOf(protocol, first);
    const query = new URLSearchParams({
      stationId: String(first.stationId),
      from: beganAt,
      to: new Date(Date.now() + 60_000).toISOString(),
    });
    const conversation = await until('the whole charge is in the log', async () => {
      const read = await first.api.get<{ exchanges: Exchange[] }>(`/conversations?${query}`);
      const last = protocol === 'ykc' ? '0x3B' : 'StopTransaction';
      return read.exchanges.some(({ action }) => action === last) ? read : null;
    });
    const file = join(folder, `${protocol}.json`);
    await writeFile(file, JSON.stringify(conversation));

    const replayed = await sim('replay', file, '--fast', ...addressOf(protocol, second));
    expect(replayed.output).toContain('every answer as recorded');
    expect(replayed.output).not.toMatch(/^[≠]/m);
    expect(replayed.code).toBe(0);
    const order = await orderOf(protocol, second);
    const told = (each: typeof order) => [each.amountFen, each.energyWh, each.cardNumber];
    expect(told(order)).toEqual(told(recorded));
  }, 300_000);
});
