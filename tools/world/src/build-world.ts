import { join } from 'node:path';
import { createLocalFileStore } from '@voltdeck/server/files/local-file-store';
import type { Instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import { buildPeople } from './customers.ts';
import { makeDemoPassword, stationPasswords } from './demo-secrets.ts';
import { buildNetwork } from './network.ts';
import { demoUsers } from './people.ts';
import { readMark, type WorldMark } from './world-mark.ts';
import { writeContent } from './write-content.ts';
import { isEmpty, writeNetwork } from './write-network.ts';

export const defaultSeed = 'first light';
const buildLock = 0x776f726c;

export type WorldBuilt =
  | { kind: 'made'; mark: WorldMark }
  /** This database already has a demo network. */
  | { kind: 'there'; mark: WorldMark }
  /** It has data of its own, which must not be mixed with a demo. */
  | { kind: 'in-use' };

/** Creates the demo network in an empty database, without its history, in one transaction. */
export async function buildWorld(
  pool: pg.Pool,
  options: { seed: string; now: Instant; dataDir: string },
): Promise<WorldBuilt> {
  const { seed, now, dataDir } = options;
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    // On a busy machine its largest statements take longer than the server's may.
    await client.query('set local statement_timeout = 0');
    // Nodes that start together create one network.
    await client.query('select pg_advisory_xact_lock($1)', [buildLock]);
    const known = await readMark(client);
    const built: WorldBuilt =
      known !== null
        ? { kind: 'there', mark: known }
        : (await isEmpty(client))
          ? { kind: 'made', mark: await make(client, seed, now, dataDir) }
          : { kind: 'in-use' };
    await client.query('commit');
    broken = false;
    return built;
  } finally {
    client.release(broken);
  }
}

async function make(client: pg.ClientBase, seed: string, now: Instant, dataDir: string): Promise<WorldMark> {
  const network = buildNetwork(seed, now);
  const stationPassword = await stationPasswords(dataDir);
  // Before the commit: users without a known password would be worse than a file without users.
  const userPassword = await makeDemoPassword(dataDir, demoUsers('', ''));
  const people = buildPeople(network);
  const mark = await writeNetwork(client, network, people, { stationPassword, userPassword });
  await writeContent(client, createLocalFileStore(join(dataDir, 'files')), network, people);
  return mark;
}
