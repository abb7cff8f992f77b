import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { applyDuePrices } from '@voltdeck/server/jobs/apply-due-prices';
import { StationJournal } from '@voltdeck/server/journal/station-journal';
import { proveLedger } from '@voltdeck/server/ledger/prove-ledger';
import { createSecretBox, secretKeyBytes } from '@voltdeck/server/secrets/secret-box';
import { runTask } from '@voltdeck/server/tasks/run-task';
import { instant } from '@voltdeck/units/instant';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startDemo } from './demo.ts';
import { historyDays } from './network.ts';
import { nightTariff, taxiTariff } from './tariffs.ts';
import { readMark, writeMark } from './world-mark.ts';

let dataDir = '';
let context: Context<never>;
let server: Server;
let gateway: OcppGateway;
let ykc: YkcGateway;
let journal: StationJournal;
let address = '';

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'voltdeck-world-'));
  const database = await freshDatabase({ connectionsMax: 10 });
  await prepareFirstRun(database.db, { dataDir, adminPassword: 'a chosen password' });
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
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await gateway.close();
  await ykc.close();
  await journal.close();
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await rm(dataDir, { recursive: true, force: true });
});

/** The names of what the demo's people have done. */
async function workDone(): Promise<string[]> {
  const row = await context.database.db
    .selectFrom('configs')
    .select('value')
    .where('key', '=', 'demo.work')
    .executeTakeFirst();
  return row === undefined ? [] : (JSON.parse(row.value) as string[]).sort();
}

const daysLeft = async () => (await readMark(context.database.pool))?.daysLeft ?? null;

describe('the demo', () => {
  test('the demo does not exist when it is turned off', async () => {
    expect(await startDemo({ context, address, ykcPort: ykc.port, mode: 'never', dataDir })).toBeNull();
    expect(await daysLeft()).toBeNull();
  });

  test('the demo leaves a database with data of its own alone, even with DEMO=1', async () => {
    const database = await freshDatabase();
    await database.db.insertInto('customers').values({ phone: '13900000000', nickname: 'Somebody' }).execute();
    const elsewhere = { ...context, database };
    expect(await startDemo({ context: elsewhere, address, ykcPort: ykc.port, mode: 'always', dataDir })).toBeNull();
    expect(await readMark(database.pool)).toBeNull();
  });

  test('the demo connects the whole network while its history is written, and resumes after a restart', async () => {
    const first = await startDemo({ context, address, ykcPort: ykc.port, mode: 'when-empty', dataDir });
    await vi.waitFor(() => expect(gateway.connected() + ykc.connected()).toBeGreaterThan(250), {
      timeout: 60_000,
      interval: 200,
    });
    await vi.waitFor(() => expect(ykc.connected()).toBeGreaterThan(40), { timeout: 60_000, interval: 200 });
    await vi.waitFor(async () => expect(await daysLeft()).toBeLessThan(historyDays + 1), {
      timeout: 90_000,
      interval: 200,
    });
    // The others wait for charges of the past.
    await vi.waitFor(
      async () => expect(await workDone()).toEqual(['clear-caches', 'price-change-next-month', 'price-change-now']),
      {
        timeout: 60_000,
        interval: 200,
      },
    );
    await applyDuePrices(context);
    const changes = await context.database.db
      .selectFrom('price_changes')
      .innerJoin('tariffs', 'tariffs.id', 'price_changes.rule_id')
      .select(['tariffs.name as rule', 'price_changes.state'])
      .orderBy('price_changes.effective_at')
      .execute();
    expect(changes).toEqual([
      { rule: taxiTariff, state: 'applied' },
      { rule: nightTariff, state: 'waiting' },
    ]);
    const task = await context.database.db.selectFrom('tasks').select(['id', 'kind']).executeTakeFirstOrThrow();
    expect(task.kind).toBe('station-commands');
    await runTask(context, task.id, new AbortController().signal);
    const { rows: answers } = await context.database.pool.query<{ state: string }>(
      'select distinct state from task_rows order by state',
    );
    expect(answers.map(({ state }) => state)).toEqual(
      expect.arrayContaining(['done', 'offline', 'refused', 'skipped']),
    );
    await first?.stop();
    expect(gateway.connected() + ykc.connected()).toBe(0);
    const left = await daysLeft();
    expect(left).toBeGreaterThan(0);
    expect(await proveLedger(context.database.db)).toMatchObject({ sumFen: 0, mismatches: 0 });

    const second = await startDemo({ context, address, ykcPort: ykc.port, mode: 'when-empty', dataDir });
    await vi.waitFor(async () => expect(await daysLeft()).toBeLessThan(left ?? 0), { timeout: 90_000, interval: 200 });
    await second?.stop();
    expect(await proveLedger(context.database.db)).toMatchObject({ sumFen: 0, mismatches: 0 });
    expect(await workDone()).toHaveLength(3);
  }, 240_000);

  test('the demo rehearses a rule when its history is whole, and does nothing twice', async () => {
    const mark = await readMark(context.database.pool);
    if (mark === null) throw new Error('there is no demo network');
    const client = await context.database.pool.connect();
    await writeMark(client, { ...mark, daysLeft: 0 });
    client.release();
    for (let run = 1; run <= 2; run += 1) {
      const demo = await startDemo({ context, address, ykcPort: ykc.port, mode: 'when-empty', dataDir });
      await vi.waitFor(async () => expect(await workDone()).toContain('rehearsal'), { timeout: 60_000, interval: 200 });
      await demo?.stop();
    }
    const tasks = await context.database.db.selectFrom('tasks').select(['kind', 'subject']).orderBy('id').execute();
    const rehearsals = tasks.filter(({ kind }) => kind === 'rehearsal');
    expect(rehearsals).toHaveLength(1);
    expect(rehearsals[0]?.subject).toContain(nightTariff);
    const done = await workDone();
    expect(new Set(done).size).toBe(done.length);
  }, 180_000);
});
