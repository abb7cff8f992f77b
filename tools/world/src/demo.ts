import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { Context } from '@voltdeck/server/context';
import { hashStationPassword, verifyStationPassword } from '@voltdeck/server/stations/station-password';
import { buildWorld, defaultSeed } from './build-world.ts';
import { buildPeople } from './customers.ts';
import { demoUsersPath, stationPasswords } from './demo-secrets.ts';
import { startLiveNetwork } from './live-network.ts';
import { buildNetwork, type Network, type Station } from './network.ts';
import { doOfficeWork } from './office-work.ts';
import { runHistory } from './run-history.ts';
import { readMark } from './world-mark.ts';

export type DemoOptions = {
  context: Context;
  /** The server's address, such as http://127.0.0.1:8080. */
  address: string;
  /** The server's port for YKC stations; null if it has none, and the demo's stay offline. */
  ykcPort: number | null;
  /** `always` is DEMO=1, `when-empty` is the default. */
  mode: 'when-empty' | 'always' | 'never';
  /** Where the demo's secrets are kept. */
  dataDir: string;
};

/**
 * Creates the demo network in an empty database and plays it: the stations are live at once, and ninety days of history
 * are written in the background, newest first. Does nothing on a database with data of its own and then resolves to
 * null.
 */
export async function startDemo(options: DemoOptions): Promise<{ stop(): Promise<void> } | null> {
  const { context, mode, dataDir } = options;
  const { log, database } = context;
  if (mode === 'never') return null;
  const startedAt = performance.now();
  const built = await buildWorld(database.pool, { seed: defaultSeed, now: context.now(), dataDir });
  if (built.kind === 'in-use') {
    if (mode === 'always') log.warn('demo: this database has data of its own, so no demo network was made in it');
    return null;
  }
  const network = buildNetwork(built.mark.seed, built.mark.now);
  if (built.kind === 'made') {
    const { sites, stations, connectors } = network;
    log.info(
      `demo: a network of ${sites.length} sites, ${stations.length} stations and ${connectors.length} gun ports was made ` +
        `in ${Math.round(performance.now() - startedAt)} ms; its orders follow`,
    );
    log.info(`demo: further users to sign in as are in ${demoUsersPath(dataDir)}`);
  }
  const stationPassword = await stationPasswords(dataDir);
  const stations = await openStations(context, network, stationPassword);
  const url = stationUrl(options.address);
  const live =
    url === null
      ? null
      : await startLiveNetwork({
          context,
          url,
          ykcUrl: ykcUrl(options),
          seed: network.seed,
          stations,
          people: buildPeople(network),
          stationPassword,
        });
  if (live === null) log.warn('demo: its stations speak without TLS only; none is connected');
  const work = doOfficeWork({ context, network });
  const mark = await readMark(database.pool);
  const history = mark === null || mark.daysLeft === 0 ? null : runHistory(context);
  return {
    async stop() {
      await Promise.all([live?.stop(), history?.stop(), work.stop()]);
    },
  };
}

/** The demo's stations run in this process, so they use the loopback whatever the server's public address is. */
function stationUrl(address: string): string | null {
  const { protocol, hostname, port } = new URL(address);
  if (protocol !== 'http:') return null;
  return `ws://${hostname}:${port === '' ? '80' : port}/ocpp`;
}

function ykcUrl({ address, ykcPort }: DemoOptions): string | null {
  return ykcPort === null ? null : `tcp://${new URL(address).hostname}:${ykcPort}`;
}

/**
 * The stations that are still registered. If the database has moved to another folder without the key, they get
 * passwords from the new one. Their registration determines their protocol.
 */
async function openStations(
  { database }: Context,
  network: Network,
  stationPassword: (number: string) => string,
): Promise<Station[]> {
  const numbers = network.stations.map((station) => station.number);
  const rows = await database.db
    .selectFrom('stations')
    .select(['id', 'number', 'protocol', 'password_hash'])
    .where('number', 'in', numbers)
    .execute();
  const registered = new Map(rows.map((row) => [row.number, row]));
  const open: Station[] = [];
  for (const station of network.stations) {
    const row = registered.get(station.number);
    if (row === undefined) continue;
    open.push({ ...station, protocol: row.protocol });
    if (!protocolTraits[row.protocol].hasPassword) continue;
    const password = stationPassword(station.number);
    if (row.password_hash !== null && verifyStationPassword(password, row.password_hash)) continue;
    await database.db
      .updateTable('stations')
      .set({ password_hash: hashStationPassword(password) })
      .where('id', '=', row.id)
      .execute();
  }
  return open;
}
