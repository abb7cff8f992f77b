import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cardAccount } from '@voltdeck/ledger/account';
import { prepareFirstRun } from '@voltdeck/server/access/first-run';
import { createInProcessBus } from '@voltdeck/server/bus/in-process-bus';
import { noChannels } from '@voltdeck/server/channels/open-channels';
import { type Context, createContextForAllLanes } from '@voltdeck/server/context';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { ExportThread } from '@voltdeck/server/exports/export-thread';
import { createLocalFileStore } from '@voltdeck/server/files/local-file-store';
import { attachOcppGateway, type OcppGateway } from '@voltdeck/server/gateways/ocpp-socket';
import { openYkcGateway, type YkcGateway } from '@voltdeck/server/gateways/ykc-socket';
import { createEmbeddedProvider } from '@voltdeck/server/invoicing/embedded/embedded-provider';
import { StationJournal } from '@voltdeck/server/journal/station-journal';
import { proveLedger } from '@voltdeck/server/ledger/prove-ledger';
import { holdMoney } from '@voltdeck/server/orders/hold-money';
import { createSecretBox, secretKeyBytes } from '@voltdeck/server/secrets/secret-box';
import { seeded } from '@voltdeck/simulator/seeded';
import type { OrderId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildWorld } from './build-world.ts';
import { buildPeople } from './customers.ts';
import { stationPasswords } from './demo-secrets.ts';
import { knock } from './knocking-station.ts';
import { startLiveNetwork } from './live-network.ts';
import { buildNetwork } from './network.ts';
import { topUpCards } from './top-up-cards.ts';

const now = instant(Date.now());
const network = buildNetwork('a seed', now);
const people = buildPeople(network);
let dataDir = '';
let context: Context<never>;
let server: Server;
let gateway: OcppGateway;
let ykc: YkcGateway;
let journal: StationJournal;
let url = '';

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'voltdeck-world-'));
  const database = await freshDatabase();
  await prepareFirstRun(database.db, { dataDir, adminPassword: 'a chosen password' });
  await buildWorld(database.pool, { seed: 'a seed', now, dataDir });
  await database.pool.query(
    "select make_partitions('interaction_logs', interval '1 day', now(), now() + interval '2 days')",
  );
  context = createContextForAllLanes(database, {
    bus: createInProcessBus(),
    files: createLocalFileStore(join(dataDir, 'files')),
    exports: new ExportThread({ databaseUrl: database.url, connections: 2 }),
    secrets: createSecretBox(randomBytes(secretKeyBytes)),
    channels: noChannels,
    invoiceProvider: createEmbeddedProvider({ db: database.db, now: () => instant(Date.now()) }),
    log: pino({ level: 'silent' }),
    now: () => instant(Date.now()),
  });
  journal = new StationJournal(database.pool, context.log);
  server = createServer();
  gateway = attachOcppGateway(server, context, journal);
  ykc = await openYkcGateway(context, journal, { host: '127.0.0.1', port: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ocpp`;
});
afterAll(async () => {
  await gateway.close();
  await ykc.close();
  await journal.close();
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await rm(dataDir, { recursive: true, force: true });
});

const count = async (question: string): Promise<number> => {
  const { rows } = await context.database.pool.query<{ count: number }>(`select count(*) as count ${question}`);
  return rows[0]?.count ?? 0;
};

describe('the live network', () => {
  test('the live network connects with its own passwords, charges at once, and leaves settled orders when it stops', async () => {
    const stations = [
      ...network.stations.filter(({ presence }) => presence === 'lively').slice(0, 14),
      ...network.stations.filter(({ presence }) => presence === 'idle').slice(0, 6),
    ];
    const stationPassword = await stationPasswords(dataDir);
    const live = await startLiveNetwork({
      context,
      url,
      ykcUrl: `tcp://127.0.0.1:${ykc.port}`,
      seed: network.seed,
      stations,
      people,
      stationPassword,
    });
    // Some stations of a real network are late, different ones in every run.
    const connected = () => gateway.connected() + ykc.connected();
    await vi.waitFor(() => expect(connected()).toBeGreaterThanOrEqual(17), { timeout: 60_000, interval: 100 });
    const chargesOverYkc = "from orders where state = 'charging' and transaction_key is not null";
    await vi.waitFor(async () => expect(await count(chargesOverYkc)).toBeGreaterThanOrEqual(2), {
      timeout: 60_000,
      interval: 250,
    });
    await vi.waitFor(
      async () => expect(await count("from orders where state = 'charging'")).toBeGreaterThanOrEqual(5),
      {
        timeout: 60_000,
        interval: 250,
      },
    );
    const made = new Map(stations.map(({ number, vendor, model }) => [number, { number, vendor, model }]));
    await vi.waitFor(
      async () => {
        const online = await context.database.db
          .selectFrom('stations')
          .select(['number', 'protocol', 'vendor', 'model'])
          .where('online', '=', true)
          .execute();
        expect(online.length).toBeGreaterThanOrEqual(16);
        // YKC has no messages for the make of a station.
        const told = online.flatMap(({ protocol, ...each }) => (protocol === 'ykc' ? [] : [each]));
        expect(told).toEqual(told.map(({ number }) => made.get(number)));
        expect(told.length).toBeGreaterThan(5);
      },
      { timeout: 30_000, interval: 250 },
    );
    await vi.waitFor(async () => expect(await count("from connectors where state = 'fault'")).toBeGreaterThan(0), {
      timeout: 30_000,
      interval: 250,
    });
    // A station that has just lost its connection cannot report the end of its charge.
    const { rows: lost } = await context.database.pool.query<{ id: number }>(
      'select id from stations where not online',
    );
    await live.stop();
    const untold = `from orders where state = 'charging' and station_id not in (${lost.map(({ id }) => id).join()})`;
    await vi.waitFor(async () => expect(await count(untold)).toBe(0), {
      timeout: 30_000,
      interval: 100,
    });
    expect(await count("from orders where state = 'completed' and not abnormal")).toBeGreaterThanOrEqual(5);
    // The stations' own sums agree with ours.
    const billed = "from orders where state = 'completed' and station_bill is not null";
    expect(await count(billed)).toBeGreaterThanOrEqual(2);
    expect(await count(`${billed} and abnormal`)).toBe(0);
    expect(await proveLedger(context.database.db)).toMatchObject({ sumFen: 0, mismatches: 0 });
  });

  test('the live network recharges empty cards, as the finance desk would', async () => {
    const cards = people.cards.filter(({ isLively }) => isLively);
    const card = cards.at(-1);
    if (card === undefined) throw new Error('there is no live card');
    const ids = [card.id];
    expect(await topUpCards(context, ids, seeded(1))).toBe(0);
    await context.database.db
      .transaction()
      .execute((trx) =>
        holdMoney(
          trx,
          { id: 900_001 as OrderId, wallet: cardAccount(card.id), holdNumber: 1, upToFen: fen(10_000_000) },
          now,
        ),
      );
    expect(await topUpCards(context, ids, seeded(1))).toBe(1);
    expect(await topUpCards(context, ids, seeded(1))).toBe(0);
    const recharge = await context.database.db
      .selectFrom('recharges')
      .innerJoin('users', 'users.id', 'recharges.user_id')
      .select(['users.user_name', 'balance_before_fen'])
      .where('card_id', '=', card.id)
      .orderBy('recharges.id', 'desc')
      .executeTakeFirstOrThrow();
    expect(recharge).toEqual({ user_name: 'finance', balance_before_fen: 0 });
  });

  test('the live network sends unknown stations, which are recorded as such', async () => {
    const knocking = knock(url, seeded(5), { everyMs: 300, firstMs: 10 });
    await vi.waitFor(async () => expect(await count('from unknown_stations')).toBeGreaterThanOrEqual(2), {
      timeout: 30_000,
      interval: 100,
    });
    await knocking.stop();
    expect(await count('from stations')).toBe(300);
  });
});
