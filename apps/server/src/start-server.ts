import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Instant, instant } from '@voltdeck/units/instant';
import { type Administrator, administratorName, prepareFirstRun } from './access/first-run.ts';
import type { Announcement } from './announcement.ts';
import { type BuildOptions, build } from './build.ts';
import { createInProcessBus } from './bus/in-process-bus.ts';
import { openChannels } from './channels/open-channels.ts';
import { watchOrders } from './charging/watch-orders.ts';
import { type Context, createContext } from './context.ts';
import { closeDatabases, type Database, openDatabases } from './database/database.ts';
import { startEmbeddedPostgres } from './database/embedded-postgres.ts';
import { connectionsAllowed, fitLanes, laneSizes } from './database/lanes.ts';
import { migrate } from './database/migrate.ts';
import type { Endings } from './endings.ts';
import type { Environment } from './environment.ts';
import { ExportThread } from './exports/export-thread.ts';
import { createLocalFileStore } from './files/local-file-store.ts';
import { forgetConnections, watchHolders } from './gateways/forget-connections.ts';
import { openNodeName } from './gateways/open-node-name.ts';
import { deliverToPartners } from './interop/deliver/deliver-to-partners.ts';
import { followRoaming } from './interop/roaming/follow-roaming.ts';
import { openInvoicing } from './invoicing/open-invoicing.ts';
import { makeTimePartitions } from './jobs/keep-time.ts';
import { logPartitionWork } from './jobs/partitions.ts';
import { startJobs } from './jobs/run-jobs.ts';
import { StationJournal } from './journal/station-journal.ts';
import { createSmtpSender } from './mail/smtp-sender.ts';
import { openSecretKey } from './secrets/open-secret-key.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import { mapTilesOf } from './settings/map-tiles.ts';
import { unreadableSecrets } from './settings/queries.ts';
import { createSmsSender } from './sms/create-sms-sender.ts';
import { attachStations, listenForStations } from './station-entrances.ts';
import { watchTariffs } from './stations/tariffs/watch-tariffs.ts';

type Starting = {
  tls: (BuildOptions['tls'] & {}) | null;
  log: Context['log'];
  /** Collects what must be closed, also when the start fails half-way. */
  endings: Endings;
  /** Called once requests are answered; jobs begin after it. */
  onListening(announcement: Announcement): void;
  /** The clock; this machine's when omitted. */
  now?: () => Instant;
};

/**
 * Starts a whole server in this process.
 * Begins no more parts once `endings` has begun.
 * @throws Error when it cannot start; `endings` closes what was opened.
 */
export async function startServer(settings: Environment, starting: Starting): Promise<void> {
  const { tls, log, endings, onListening, now = () => instant(Date.now()) } = starting;
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  let url = settings.databaseUrl;
  if (url === null) {
    const postgres = await startEmbeddedPostgres({ dataDir: settings.dataDir, log });
    endings.add('database', () => postgres.stop());
    url = postgres.url;
  }
  await migrate(url);
  const allowed = await connectionsAllowed(url);
  const sizes = fitLanes(allowed);
  if (sizes !== laneSizes) log.warn({ allowed, sizes }, 'the database allows fewer connections than the server likes');
  const databases = openDatabases(url, sizes, { log });
  endings.add('connections', () => closeDatabases(databases));
  const exports = new ExportThread({ databaseUrl: url, connections: sizes.exports, log });
  endings.add('exports', () => exports.close());
  const database = databases.console;
  const administrator = await prepareFirstRun(database.db, settings);
  const ahead = await makeTimePartitions(database.db, now());
  // Listening comes first, so that a port in use is reported before anything else.
  if (ahead.left.length > 0) logPartitionWork({ log }, 'partitions made ahead', ahead);

  const context = createContext('console', databases, {
    bus: createInProcessBus(),
    files: createLocalFileStore(join(settings.dataDir, 'files')),
    exports,
    secrets: await openSecrets(settings.dataDir, database, log),
    invoiceProvider: openInvoicing(settings.invoicing, { db: database.db, now, log, mail: settings.mail }),
    mail: settings.mail === null ? null : createSmtpSender(settings.mail),
    channels: await openChannels(settings.channels, { db: databases.money.db, log, dataDir: settings.dataDir, now }),
    log,
    now,
  });
  const stations = context.on('stations');
  const money = context.on('money');
  const node = await openNodeName(settings.dataDir);
  await forgetConnections(stations, node);
  const journal = new StationJournal(stations.database.pool, log, { audience: context.bus });
  endings.add('journal', () => journal.close());
  const gatewayParts = { settings, context: stations, journal, node };
  const listening = await listenForStations(gatewayParts);
  for (const [name, gateway] of listening) endings.add(name, () => gateway.close());
  const ykcPort = listening.get('ykc')?.port ?? null;
  if (settings.map.provider !== 'embedded' && mapTilesOf(settings.map, 'zh-CN') === null) {
    log.warn({ provider: settings.map.provider }, 'MAP_KEY is not set: maps are the built-in one');
  }
  const { app, server, close } = await build({
    context,
    tls,
    metricsToken: settings.metricsToken,
    ykcPort,
    sms: createSmsSender(settings.sms, log),
    map: settings.map,
  });
  endings.add('http', close);
  for (const [name, gateway] of attachStations(server, gatewayParts)) endings.add(name, () => gateway.close());
  endings.add('holders', watchHolders(stations));
  const stopWatching = watchOrders(money);
  endings.add('orders', stopWatching);
  endings.add('tariffs', watchTariffs(context));
  endings.add('partners', deliverToPartners(context.on('console')));
  endings.add('roaming', followRoaming(context.on('console')));
  await app.listen({ host: settings.host, port: settings.port });
  const address = addressOf(settings, server.address() as AddressInfo);
  const password = whereIsThePassword(administrator);
  onListening({ url: address, ykcPort, userName: administratorName, password });
  if (settings.channels.on.includes('embedded')) {
    log.warn('the embedded payment channel is on: its payments are play money. PAYMENT_PROVIDER chooses other ones');
  }
  if (endings.signal.aborted) return;
  const jobs = await startJobs(url, context, { connections: sizes.jobs });
  endings.add('jobs', () => jobs.stop());
  if (endings.signal.aborted) return;
  await startDemo(settings, context, { address, ykcPort }, { log, endings });
}

/** Reports a lost key at the start, with the secrets it affects, instead of when one is needed. */
async function openSecrets(dataDir: string, { db }: Database, log: Context['log']): Promise<SecretBox> {
  const { box, path } = await openSecretKey(dataDir);
  const lost = await unreadableSecrets(db, box);
  if (lost.length > 0) {
    log.error({ parameters: lost }, `${path} does not open these secrets: put its backup back or enter them again`);
  }
  return box;
}

/** The demo network plays its stations against this server over real sockets. */
async function startDemo(
  settings: Environment,
  context: Context,
  listening: { address: string; ykcPort: number | null },
  { log, endings }: Pick<Starting, 'log' | 'endings'>,
): Promise<void> {
  if (settings.demo === 'never') return;
  // The name is a variable because the server works without that workspace and does not depend on it.
  const world = '@voltdeck/world/demo';
  type Demo = {
    startDemo(options: {
      context: Context;
      address: string;
      ykcPort: number | null;
      mode: Environment['demo'];
      dataDir: string;
    }): Promise<{ stop(): Promise<void> } | null>;
  };
  const demo = await import(world).then(
    (loaded: Demo) => loaded,
    (error: unknown) => {
      if (!isMissingModule(error)) throw error;
      return null;
    },
  );
  const playing = await demo?.startDemo({
    context,
    ...listening,
    mode: settings.demo,
    dataDir: settings.dataDir,
  });
  if (playing === null || playing === undefined) return;
  log.info('the demo network is live; DEMO=0 starts without it');
  endings.add('demo', () => playing.stop());
}

function isMissingModule(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
}

function addressOf(settings: Environment, { port }: AddressInfo): string {
  const anywhere = ['0.0.0.0', '::'].includes(settings.host);
  const host = anywhere ? 'localhost' : settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  return `${settings.tls === null ? 'http' : 'https'}://${host}:${port}`;
}

function whereIsThePassword(administrator: Administrator): string {
  if (administrator.kind === 'exists') {
    return administrator.path === null ? 'as chosen before' : `in ${administrator.path}, unless it was changed`;
  }
  return administrator.passwordFrom === 'file' ? `in ${administrator.path}` : 'as set by ADMIN_PASSWORD';
}
