import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { instant } from '@voltdeck/units/instant';
import { type Administrator, administratorName, prepareFirstRun } from './access/first-run.ts';
import { announcementText } from './announcement.ts';
import { type BuildOptions, build, readTls } from './build.ts';
import { createInProcessBus } from './bus/in-process-bus.ts';
import { watchOrders } from './charging/watch-orders.ts';
import { type Context, createContext } from './context.ts';
import { closeDatabases, type Database, openDatabases } from './database/database.ts';
import { startEmbeddedPostgres } from './database/embedded-postgres.ts';
import { connectionsAllowed, fitLanes, laneSizes } from './database/lanes.ts';
import { migrate } from './database/migrate.ts';
import { describeFault, type Environment, readEnvironment, wrongSettingExitCode } from './environment.ts';
import { ExportThread } from './exports/export-thread.ts';
import { createLocalFileStore } from './files/local-file-store.ts';
import { forgetConnections, watchHolders } from './gateways/forget-connections.ts';
import { openNodeName } from './gateways/open-node-name.ts';
import { makeTimePartitions } from './jobs/keep-time.ts';
import { tellOfPartitions } from './jobs/partitions.ts';
import { startJobs } from './jobs/run-jobs.ts';
import { StationJournal } from './journal/station-journal.ts';
import { openLog } from './open-log.ts';
import { openSecretKey } from './secrets/open-secret-key.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import { unreadableSecrets } from './settings/queries.ts';
import { createSmsSender } from './sms/create-sms-sender.ts';
import { startFaultOf } from './start-fault.ts';
import { attachStations, listenForStations } from './station-entrances.ts';
import { watchTariffs } from './stations/tariffs/watch-tariffs.ts';

/** What must be undone at the end, the newest first. */
const endings: { name: string; end(): unknown }[] = [];
/** A part that does not end by itself in this time is left to the end of the process. */
const endLimitMs = 20_000;
/** Two signals within this time are one that came by two ways. */
const sameSignalMs = 500;

async function main(): Promise<void> {
  const read = readEnvironment(process.env);
  if (!read.ok) {
    for (const fault of read.error) console.error(describeFault(fault));
    process.exitCode = wrongSettingExitCode;
    return;
  }
  const settings = read.value;
  const { log, begin: beginLog } = openLog();
  const tls = await readTls(settings.tls).catch((error: Error) => {
    console.error(`TLS_CERT, TLS_KEY or TLS_CLIENT_CA cannot be used: ${error.message}`);
    return undefined;
  });
  if (tls === undefined) {
    process.exitCode = wrongSettingExitCode;
    return;
  }
  endOnSignals();
  try {
    await start(settings, tls ?? null, log, beginLog);
  } catch (error) {
    const fault = startFaultOf(error, settings);
    if (fault === null) log.fatal({ err: error }, 'the server could not start');
    else console.error(fault.line);
    await endAll();
    process.exitCode = fault?.exitCode ?? 1;
  }
}

async function start(
  settings: Environment,
  tls: (BuildOptions['tls'] & {}) | null,
  log: Context['log'],
  beginLog: () => void,
): Promise<void> {
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  let url = settings.databaseUrl;
  if (url === null) {
    const postgres = await startEmbeddedPostgres({ dataDir: settings.dataDir, log });
    endings.push({ name: 'database', end: () => postgres.stop() });
    url = postgres.url;
  }
  await migrate(url);
  const allowed = await connectionsAllowed(url);
  const sizes = fitLanes(allowed);
  if (sizes !== laneSizes) log.warn({ allowed, sizes }, 'the database allows fewer connections than the server likes');
  const databases = openDatabases(url, sizes, { log });
  endings.push({ name: 'connections', end: () => closeDatabases(databases) });
  const exports = new ExportThread({ databaseUrl: url, connections: sizes.exports, log });
  endings.push({ name: 'exports', end: () => exports.close() });
  const database = databases.console;
  const administrator = await prepareFirstRun(database.db, settings);
  const ahead = await makeTimePartitions(database.db, instant(Date.now()));
  // A start says first where it listens, or why it does not.
  if (ahead.left.length > 0) tellOfPartitions({ log }, 'partitions made ahead', ahead);

  const context = createContext('console', databases, {
    bus: createInProcessBus(),
    files: createLocalFileStore(join(settings.dataDir, 'files')),
    exports,
    secrets: await openSecrets(settings.dataDir, database, log),
    log,
    now: () => instant(Date.now()),
  });
  const stations = context.on('stations');
  const money = context.on('money');
  const node = await openNodeName(settings.dataDir);
  await forgetConnections(stations, node);
  const journal = new StationJournal(stations.database.pool, log, { audience: context.bus });
  endings.push({ name: 'journal', end: () => journal.close() });
  const gatewayParts = { settings, context: stations, journal, node };
  const listening = await listenForStations(gatewayParts);
  for (const [name, gateway] of listening) endings.push({ name, end: () => gateway.close() });
  const ykcPort = listening.get('ykc')?.port ?? null;
  const { app, server, close } = await build({
    context,
    tls,
    metricsToken: settings.metricsToken,
    ykcPort,
    sms: createSmsSender(settings.sms, log),
  });
  endings.push({ name: 'http', end: close });
  for (const [name, gateway] of attachStations(server, gatewayParts))
    endings.push({ name, end: () => gateway.close() });
  endings.push({ name: 'holders', end: watchHolders(stations) });
  const stopWatching = watchOrders(money);
  endings.push({ name: 'orders', end: stopWatching });
  endings.push({ name: 'tariffs', end: watchTariffs(context) });
  await app.listen({ host: settings.host, port: settings.port });
  const address = addressOf(settings, server.address() as AddressInfo);
  const password = whereIsThePassword(administrator);
  console.log(announcementText({ url: address, ykcPort, userName: administratorName, password }));
  beginLog();
  const jobs = await startJobs(url, context, { connections: sizes.jobs });
  endings.push({ name: 'jobs', end: () => jobs.stop() });
  await startDemo(settings, context, { address, ykcPort }, log);
}

/** A lost key is reported at the start, with what it has cost, and not when a secret is needed. */
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
  log: Context['log'],
): Promise<void> {
  if (settings.demo === 'never') return;
  // Named by a variable: the server works without that workspace, and does not depend on it.
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
  endings.push({ name: 'demo', end: () => playing.stop() });
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

let ending: Promise<void> | null = null;

function endAll(): Promise<void> {
  ending ??= (async () => {
    for (const { name, end } of endings.reverse()) {
      const limit = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        console.error(`${name} did not end within ${endLimitMs / 1_000} s`);
        limit.resolve();
      }, endLimitMs);
      try {
        await Promise.race([end(), limit.promise]);
      } catch (error) {
        console.error(`${name} did not end cleanly: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        clearTimeout(timer);
      }
    }
  })();
  return ending;
}

function endOnSignals(): void {
  let askedAtMs: number | null = null;
  const onSignal = () => {
    // A second Ctrl-C does not wait. npm passes on the first one, which the terminal has sent here already.
    if (askedAtMs !== null && performance.now() - askedAtMs > sameSignalMs) process.exit(130);
    askedAtMs ??= performance.now();
    void endAll().then(() => process.exit(0));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

await main();
