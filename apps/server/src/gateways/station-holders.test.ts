import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StationId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Floor, openFloor } from '../charging/test-charging-floor.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import type { StationChange } from '../journal/stations.ts';
import { forgetConnections, forgetLostHolders, holdLostMs } from './forget-connections.ts';
import { attachOcppGateway, type OcppGateway } from './ocpp-socket.ts';
import { knock } from './test-knock.ts';

const waiting = { timeout: 30_000 };

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
});
afterAll(() => floor.close());

async function openNode(node: string): Promise<{ url: string; close(): Promise<void> }> {
  const server: Server = createServer();
  const gateway: OcppGateway = attachOcppGateway(server, floor.context, floor.journal, { node });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ocpp/`,
    async close() {
      await gateway.close();
      server.close();
    },
  };
}

async function rowOf(id: StationId) {
  const { rows } = await database.pool.query<{ online: boolean; holder: string | null; states: string[] }>(
    `select online, holder, (select array_agg(state order by number) from connectors where station_id = s.id) as states
       from stations s where id = $1`,
    [id],
  );
  return rows[0];
}

const free = (socket: { send(text: string): void }) => {
  for (const connectorId of [1, 2]) {
    socket.send(
      JSON.stringify([
        2,
        `s${connectorId}`,
        'StatusNotification',
        { connectorId, errorCode: 'NoError', status: 'Available' },
      ]),
    );
  }
};

describe('a station that moves from one node to another', () => {
  test('a station that moves to another node stays online when its old socket closes, and goes offline with its new one', async () => {
    const [first, second] = [await openNode('first'), await openNode('second')];
    const { id } = await floor.addStation('MOVES-1');
    const old = await knock(`${first.url}MOVES-1`);
    free(old.socket);
    await expect.poll(() => rowOf(id), waiting).toEqual({ online: true, holder: 'first', states: ['free', 'free'] });
    const fresh = await knock(`${second.url}MOVES-1`);
    await expect.poll(async () => (await rowOf(id))?.holder, waiting).toBe('second');
    const closed = new Promise((resolve) => old.socket.once('close', resolve));
    old.socket.close();
    await closed;
    await first.close();
    await floor.journal.drained();
    expect(await rowOf(id)).toEqual({ online: true, holder: 'second', states: ['free', 'free'] });
    fresh.socket.close();
    const gone = { online: false, holder: 'second', states: ['offline', 'offline'] };
    await expect.poll(() => rowOf(id), waiting).toEqual(gone);
    await second.close();
  });
});

describe('what holders say of a station', () => {
  let number = 1_000_000;
  async function say(
    ...words: readonly (Pick<StationChange, 'online'> & { by: number; atMs: number })[]
  ): Promise<{ online: boolean; holder: string | null } | undefined> {
    number += 10;
    const { id } = await floor.addStation(`HELD-${number}`);
    const start = floor.context.now();
    for (const { online, by, atMs } of words) {
      const holder = { node: `node ${by}`, number: number + by };
      floor.journal.add({
        stationChange: { stationId: id, holder, online, at: instant(start + atMs), remoteAddress: null },
      });
      await floor.journal.drained();
    }
    const row = await rowOf(id);
    return row === undefined ? undefined : { online: row.online, holder: row.holder };
  }

  test('holders of a station count by who came last, not by whose clock is ahead', async () => {
    const behind = await say({ by: 1, online: true, atMs: 5_000 }, { by: 2, online: true, atMs: 0 });
    expect(behind).toEqual({ online: true, holder: 'node 2' });
    const late = await say(
      { by: 2, online: true, atMs: 0 },
      { by: 1, online: true, atMs: 1_000 },
      { by: 1, online: false, atMs: 2_000 },
    );
    expect(late).toEqual({ online: true, holder: 'node 2' });
  });

  test('a holder’s word that its station is gone is its last, in whichever order it becomes durable', async () => {
    const inverted = await say({ by: 1, online: false, atMs: 10 }, { by: 1, online: true, atMs: 0 });
    expect(inverted).toEqual({ online: false, holder: 'node 1' });
    const again = await say({ by: 1, online: false, atMs: 10 }, { by: 2, online: true, atMs: 20 });
    expect(again).toEqual({ online: true, holder: 'node 2' });
  });
});

describe('a node that starts', () => {
  async function held(holder: string, seenAgoMs = 0): Promise<StationId> {
    const { id } = await floor.addStation(`START-${holder}-${seenAgoMs}`);
    await database.db
      .updateTable('stations')
      .set({ online: true, holder, last_seen_at: instant(floor.context.now() - seenAgoMs) })
      .where('id', '=', id)
      .execute();
    await database.db.updateTable('connectors').set({ state: 'free' }).where('station_id', '=', id).execute();
    return id;
  }

  test('a starting node forgets the connections of its last run and none of another node', async () => {
    const [mine, theirs] = [await held('mine'), await held('theirs')];
    await forgetConnections(floor.context, 'mine');
    expect(await rowOf(mine)).toMatchObject({ online: false, states: ['offline', 'offline'] });
    expect(await rowOf(theirs)).toMatchObject({ online: true, states: ['free', 'free'] });
  });

  test('a starting node marks stations offline whose node has been silent for a quarter of an hour', async () => {
    const [lost, kept] = [await held('lost', holdLostMs + minuteMs), await held('kept', holdLostMs - minuteMs)];
    await forgetLostHolders(floor.context);
    expect(await rowOf(lost)).toMatchObject({ online: false, holder: null });
    expect(await rowOf(kept)).toMatchObject({ online: true, holder: 'kept' });
    const { holder_number: number } = await database.db
      .selectFrom('stations')
      .select('holder_number')
      .where('id', '=', lost)
      .executeTakeFirstOrThrow();
    const holder = { node: 'lost', number };
    floor.journal.add({
      stationChange: { stationId: lost, holder, online: true, at: floor.context.now(), remoteAddress: null },
    });
    await floor.journal.drained();
    expect(await rowOf(lost)).toMatchObject({ online: true, holder: 'lost' });
  });
});
