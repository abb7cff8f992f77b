import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Protocol } from '@voltdeck/charging/states';
import { cardAccount } from '@voltdeck/ledger/account';
import { rechargeTransfer } from '@voltdeck/ledger/recharge';
import type { EnergyTariff } from '@voltdeck/tariffs/tariff';
import { watts } from '@voltdeck/units/energy';
import type { CardId, ConnectorId, SiteId, StationId, TariffId } from '@voltdeck/units/id';
import { type Instant, instant } from '@voltdeck/units/instant';
import { fen, priceE5 } from '@voltdeck/units/money';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { createInProcessBus } from '../bus/in-process-bus.ts';
import { noChannels } from '../channels/open-channels.ts';
import { type Context, createContextForAllLanes, type World } from '../context.ts';
import type { Database } from '../database/database.ts';
import { laneSizes } from '../database/lanes.ts';
import { ExportThread } from '../exports/export-thread.ts';
import { createLocalFileStore } from '../files/local-file-store.ts';
import { attachOcppGateway, type OcppGateway, type OcppOptions } from '../gateways/ocpp-socket.ts';
import { createEmbeddedProvider } from '../invoicing/embedded/embedded-provider.ts';
import { type JournalOptions, StationJournal } from '../journal/station-journal.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { soundTransfer } from '../orders/hold-money.ts';
import { createSecretBox, secretKeyBytes } from '../secrets/secret-box.ts';
import { hashStationPassword } from '../stations/station-password.ts';

export const testPassword = 'correct-horse-16b';

/** Valley to 07:00, flat to 10:00, peak to 15:00, sharp to 17:00, flat to the end: every period once. */
export const testTariff: EnergyTariff = {
  kind: 'energy',
  prices: {
    sharp: { electricity: priceE5(120_000), service: priceE5(60_000) },
    peak: { electricity: priceE5(100_000), service: priceE5(50_000) },
    flat: { electricity: priceE5(70_000), service: priceE5(40_000) },
    valley: { electricity: priceE5(30_000), service: priceE5(30_000) },
  },
  slots: [
    { start: '00:00', end: '07:00', period: 'valley' },
    { start: '07:00', end: '08:00', period: 'flat' },
    { start: '08:00', end: '15:00', period: 'peak' },
    { start: '15:00', end: '17:00', period: 'sharp' },
    { start: '17:00', end: '24:00', period: 'flat' },
  ],
};

export type Floor = {
  context: Context<'stations'>;
  gateway: OcppGateway;
  journal: StationJournal;
  url: string;
  server: Server;
  siteId: SiteId;
  tariffId: TariffId;
  clock: { now: Instant | null };
  addStation(
    number: string,
    options?: { ports?: number; tariff?: boolean; protocol?: Protocol },
  ): Promise<{ id: StationId; connectorIds: ConnectorId[] }>;
  addCard(number: string, balanceFen: number): Promise<CardId>;
  balanceOf(key: string): Promise<number>;
  proof(): Promise<{ sumFen: number; mismatches: number }>;
  close(): Promise<void>;
};

/** A site, a billing rule and the OCPP gateway on a real socket, over the given database. */
export async function openFloor(
  database: Database,
  contextOf: (world: World) => Context<'stations'> = (world) => createContextForAllLanes(database, world),
  options: { journal?: JournalOptions; ocpp?: OcppOptions } = {},
): Promise<Floor> {
  const clock: Floor['clock'] = { now: null };
  const context = contextOf({
    bus: createInProcessBus(),
    files: createLocalFileStore('/nowhere'),
    exports: new ExportThread({ databaseUrl: database.url, connections: laneSizes.exports }),
    secrets: createSecretBox(randomBytes(secretKeyBytes)),
    channels: noChannels,
    invoiceProvider: createEmbeddedProvider({ db: database.db, now: () => instant(Date.now()) }),
    log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
    now: () => clock.now ?? instant(Date.now()),
  });
  const journal = new StationJournal(context.database.pool, context.log, options.journal);
  const server = createServer();
  const gateway = attachOcppGateway(server, context, journal, options.ocpp);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { id: siteId } = await database.db
    .insertInto('sites')
    .values({ name: 'Lakeside', region_code: '330106', address: '1 Lake Road', longitude: 120.1, latitude: 30.2 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: tariffId } = await database.db
    .insertInto('tariffs')
    .values({ name: 'Day', kind: 'energy', detail: JSON.stringify(testTariff) })
    .returning('id')
    .executeTakeFirstOrThrow();
  let recharges = 0;
  return {
    context,
    gateway,
    journal,
    server,
    url: `ws://127.0.0.1:${port}/ocpp/`,
    siteId,
    tariffId,
    clock,
    async addStation(number, { ports = 2, tariff = true, protocol = 'ocpp1.6' } = {}) {
      const station = await database.db
        .insertInto('stations')
        .values({
          number,
          name: number,
          type: 'fast',
          equipment_type: 'four-wheel',
          protocol,
          site_id: siteId,
          password_hash: hashStationPassword(testPassword),
          max_power_w: watts(120_000),
          card_tariff_id: tariff ? tariffId : null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const connectors = await database.db
        .insertInto('connectors')
        .values(
          Array.from({ length: ports }, (_, index) => ({
            station_id: station.id,
            number: index + 1,
            name: `${index + 1}`,
          })),
        )
        .returning('id')
        .execute();
      return { id: station.id, connectorIds: connectors.map(({ id }) => id) };
    },
    async addCard(number, balanceFen) {
      const card = await database.db
        .insertInto('cards')
        .values({ number, physical_number: number })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (balanceFen > 0) {
        recharges += 1;
        const transfer = rechargeTransfer({
          id: recharges,
          channel: 'back-office',
          wallet: cardAccount(card.id),
          amountFen: fen(balanceFen),
        });
        await database.db.transaction().execute((trx) => postTransfer(trx, soundTransfer(transfer), context.now()));
      }
      return card.id;
    },
    async balanceOf(key) {
      const row = await database.db
        .selectFrom('ledger_accounts')
        .select('balance_fen')
        .where('key', '=', key)
        .executeTakeFirst();
      return row?.balance_fen ?? 0;
    },
    async proof() {
      const { rows } = await database.pool.query<{ sum_fen: number; mismatches: number }>(
        `select coalesce(sum(a.balance_fen), 0)::bigint as sum_fen,
                count(*) filter (where a.balance_fen <> coalesce(p.sum, 0))::int as mismatches
           from ledger_accounts a
           left join (select account, sum(change) from (
                        select from_account_id as account, -amount_fen as change from ledger_postings
                        union all select to_account_id, amount_fen from ledger_postings) moves
                      group by account) p on p.account = a.id`,
      );
      return { sumFen: rows[0]?.sum_fen ?? 0, mismatches: rows[0]?.mismatches ?? 0 };
    },
    async close() {
      await gateway.close();
      await journal.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A scripted station. */
export type TestStation = {
  /** Sends a call and resolves with the payload of its result. Throws on a CALLERROR. */
  call(action: string, payload: unknown, options?: { id?: string }): Promise<Record<string, unknown>>;
  /** Our calls to it, as [action, payload]; answered with `{ status: 'Accepted' }`. */
  asked: [string, unknown][];
  socket: WebSocket;
  end(): Promise<void>;
};

export async function connectStation(
  floor: Pick<Floor, 'url'>,
  number: string,
  password = testPassword,
): Promise<TestStation> {
  const socket = new WebSocket(floor.url + number, 'ocpp1.6', {
    headers: { authorization: `Basic ${Buffer.from(`${number}:${password}`).toString('base64')}` },
  });
  const waiting = new Map<
    string,
    { resolve: (payload: Record<string, unknown>) => void; reject: (error: Error) => void }
  >();
  const asked: [string, unknown][] = [];
  let calls = 0;
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as [number, string, ...unknown[]];
    if (frame[0] === 2) {
      asked.push([String(frame[2]), frame[3]]);
      socket.send(JSON.stringify([3, frame[1], { status: 'Accepted' }]));
    } else if (frame[0] === 3) waiting.get(frame[1])?.resolve(frame[2] as Record<string, unknown>);
    else waiting.get(frame[1])?.reject(new Error(`${frame[2]}: ${frame[3]}`));
  });
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the connection ended'));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return {
    asked,
    socket,
    async call(action, payload, options = {}) {
      calls += 1;
      const id = options.id ?? `${number}-${calls}`;
      const result = new Promise<Record<string, unknown>>((resolve, reject) => waiting.set(id, { resolve, reject }));
      socket.send(JSON.stringify([2, id, action, payload]));
      return result;
    },
    async end() {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.close();
      await closed;
    },
  };
}
