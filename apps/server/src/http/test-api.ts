import { randomBytes, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Envelope } from '@voltdeck/contract/envelope';
import type { Language } from '@voltdeck/contract/languages';
import type { DataScope, Permission } from '@voltdeck/contract/permissions';
import type { AgentId, UserId } from '@voltdeck/units/id';
import { type Instant, instant } from '@voltdeck/units/instant';
import { pino } from 'pino';
import { prepareFirstRun } from '../access/first-run.ts';
import { codesGranting } from '../access/menus/product-menus.ts';
import { hashPassword } from '../access/password.ts';
import { type BuildOptions, type Built, build } from '../build.ts';
import { createInProcessBus } from '../bus/in-process-bus.ts';
import { noChannels, type OpenChannels } from '../channels/open-channels.ts';
import { type Context, createContextForAllLanes } from '../context.ts';
import type { Database } from '../database/database.ts';
import { laneSizes } from '../database/lanes.ts';
import { freshDatabase } from '../database/test-database.ts';
import { ExportThread } from '../exports/export-thread.ts';
import { createLocalFileStore } from '../files/local-file-store.ts';
import type { InvoiceProvider } from '../invoicing/invoice-provider.ts';
import { embeddedInvoicing } from '../invoicing/invoicing-settings.ts';
import { openInvoicing } from '../invoicing/open-invoicing.ts';
import { createSecretBox, secretKeyBytes } from '../secrets/secret-box.ts';

export const adminPassword = 'correct horse battery';
export const userPassword = 'staple-me-gently';

export type Answer<Data = unknown> = {
  status: number;
  headers: Readonly<Record<string, string | string[] | number | undefined>>;
  envelope: Envelope<Data>;
  /** The envelope's data. */
  data: Data;
  text: string;
  bytes: Buffer;
};

export type Ask = {
  token?: string | null;
  language?: Language;
  body?: unknown;
  form?: Record<string, string>;
  /** The Idempotency-Key: a new one per call unless given; null sends none. */
  key?: string | null;
  headers?: Record<string, string>;
};

export type TestApi = Built & {
  context: Context<never>;
  database: Database;
  /** The directory of the context's file store. */
  filesDir: string;
  /** An instant that it stands at, or how far ahead of the machine's it runs. */
  clock: { now: Instant | null; aheadMs: number };
  /** The administrator's token, sent unless another one is given. */
  adminToken: string;
  ask<Data = unknown>(method: string, path: string, ask?: Ask): Promise<Answer<Data>>;
  get<Data = unknown>(path: string, ask?: Ask): Promise<Answer<Data>>;
  post<Data = unknown>(path: string, body?: unknown, ask?: Ask): Promise<Answer<Data>>;
  logIn(userName: string, password: string, ask?: Ask): Promise<Answer<{ token: string }>>;
  /** A signed-in user with a position of their own, an agent's user where one is given. */
  addUser(user: {
    name: string;
    permissions: readonly Permission[];
    scope?: DataScope;
    agentId?: AgentId;
  }): Promise<{ id: UserId; token: string }>;
  addAgent(name: string, parentId?: AgentId): Promise<AgentId>;
};

/** The whole API on a database of its own, called without a network. */
export async function openTestApi({
  channelsOf,
  invoiceProviderOf,
  ...options
}: Partial<BuildOptions> & {
  database?: Database;
  /** The payment channels; none are on without it. */
  channelsOf?(world: { db: Database['db']; now(): Instant }): Promise<OpenChannels>;
  /** The embedded one without it. */
  invoiceProviderOf?(world: { db: Database['db']; now(): Instant }): InvoiceProvider;
} = {}): Promise<TestApi> {
  const database = options.database ?? (await freshDatabase());
  const clock: TestApi['clock'] = { now: null, aheadMs: 0 };
  const now = () => clock.now ?? instant(Date.now() + clock.aheadMs);
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const filesDir = join(tmpdir(), `voltdeck-files-${randomUUID()}`);
  const context = createContextForAllLanes(database, {
    bus: createInProcessBus(),
    files: createLocalFileStore(filesDir),
    exports: new ExportThread({ databaseUrl: database.url, connections: laneSizes.exports }),
    secrets: createSecretBox(randomBytes(secretKeyBytes)),
    invoiceProvider:
      invoiceProviderOf?.({ db: database.db, now }) ?? openInvoicing(embeddedInvoicing, { db: database.db, now, log }),
    channels: channelsOf === undefined ? noChannels : await channelsOf({ db: database.db, now }),
    log,
    now,
  });
  await prepareFirstRun(database.db, { dataDir: '/nowhere', adminPassword });
  const built = await build({ consoleDir: '/nowhere', ...options, context });
  const { app } = built;

  const ask = async <Data>(method: string, path: string, given: Ask = {}): Promise<Answer<Data>> => {
    const token = given.token === undefined ? api.adminToken : given.token;
    const isForm = given.form !== undefined;
    const response = await app.inject({
      method: method as 'GET',
      url: `/api${path}`,
      headers: {
        ...(token === null || token === '' ? {} : { token }),
        ...(given.language === undefined ? {} : { language: given.language }),
        ...(method === 'GET' || given.key === null ? {} : { 'idempotency-key': given.key ?? randomUUID() }),
        ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...given.headers,
      },
      ...(given.body === undefined
        ? {}
        : { payload: typeof given.body === 'string' ? given.body : JSON.stringify(given.body) }),
      ...(isForm ? { payload: new URLSearchParams(given.form).toString() } : {}),
    });
    const isJson =
      String(response.headers['content-type']).startsWith('application/json') &&
      response.headers['content-encoding'] === undefined;
    const envelope = (isJson ? response.json() : null) as Envelope<Data>;
    return {
      status: response.statusCode,
      headers: response.headers,
      envelope,
      data: envelope?.data,
      text: response.body,
      bytes: response.rawPayload,
    };
  };

  const api: TestApi = {
    ...built,
    async close() {
      await built.close();
      await context.exports.close();
      await rm(filesDir, { recursive: true, force: true });
    },
    filesDir,
    context,
    database,
    clock,
    adminToken: '',
    ask,
    get: (path, given) => ask('GET', path, given),
    post: (path, body, given) => ask('POST', path, { ...given, ...(body === undefined ? {} : { body }) }),
    logIn: (userName, password, given) =>
      ask('POST', '/login', { ...given, token: null, form: { userName, password, platForm: '4' } }),
    async addUser({ name, permissions, scope = 'platform', agentId }) {
      const position = await database.db
        .insertInto('positions')
        .values({
          name: `position of ${name}`,
          data_scope: scope,
          menu_codes: codesGranting(permissions),
          agent_id: scope === 'platform' ? null : (agentId ?? null),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const user = await database.db
        .insertInto('users')
        .values({
          user_name: name,
          real_name: name,
          password_hash: await hashPassword(userPassword),
          position_id: position.id,
          agent_id: agentId ?? null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const signedIn = await api.logIn(name, userPassword);
      return { id: user.id, token: signedIn.data.token };
    },
    async addAgent(name, parentId) {
      const agent = await database.db
        .insertInto('agents')
        .values({ name, parent_id: parentId ?? null })
        .returning('id')
        .executeTakeFirstOrThrow();
      return agent.id;
    },
  };
  api.adminToken = (await api.logIn('admin', adminPassword)).data.token;
  return api;
}
