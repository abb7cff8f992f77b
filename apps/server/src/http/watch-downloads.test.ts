import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { User } from '@voltdeck/contract/users';
import type { AgentId, UserId } from '@voltdeck/units/id';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whileLocked } from '../database/test-database.ts';
import { openTestApi, type TestApi } from './test-api.ts';
import { makePlace } from './test-records.ts';

let api: TestApi;
let north: AgentId;
let south: AgentId;
beforeAll(async () => {
  api = await openTestApi();
  north = await api.addAgent('north');
  south = await api.addAgent('south');
  const place = await makePlace(api.database, north, 'north');
  await api.database.pool.query(
    `insert into orders (number, state, payment_state, payment_type, start_mode, billing_type, site_id, station_id,
                         connector_id, connector_number, agent_id, placed_at)
     select 'N' || g, 'completed', 'paid', 'card', 'card', 'energy', $1, $2, $3, 1, $4, now() - g * interval '1 minute'
       from generate_series(1, 10) g`,
    [place.siteId, place.stationId, place.connectorId, north],
  );
  await api.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => api.close());

let users = 0;
const addExporter = () => {
  users += 1;
  return api.addUser({ name: `exporter-${users}`, permissions: ['order.export'], scope: 'agent', agentId: north });
};

/** A running download over the network. */
async function begin(token: string): Promise<IncomingMessage> {
  const { port } = api.server.address() as AddressInfo;
  const [answer] = (await once(
    get(`http://127.0.0.1:${port}/api/orders/export`, { headers: { token } }),
    'response',
  )) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  return answer;
}
const outcomeOf = (download: IncomingMessage) =>
  buffer(download).then(
    () => 'complete',
    () => 'broken off',
  );

const isReading = async () => {
  const { rows } = await api.database.pool.query(
    `select from pg_stat_activity
      where application_name = 'voltdeck exports' and datname = current_database() and state = 'active'`,
  );
  return rows.length > 0;
};

/** Blocks downloads where they read the names of sites. */
const whileHeld = (act: () => Promise<void>) => whileLocked(api.database.pool, 'sites', act);

describe('a download that goes on', () => {
  const isCutOffBy = async (act: (user: { id: UserId; token: string }) => Promise<unknown>) => {
    const user = await addExporter();
    await whileHeld(async () => {
      const outcome = outcomeOf(await begin(user.token));
      await expect.poll(isReading).toBe(true);
      await act(user);
      // Below the statement timeout of 15 s, which would also end the download.
      await expect.poll(isReading, { timeout: 10_000 }).toBe(false);
      expect(await outcome).toBe('broken off');
    });
  };

  test('a download and its statement end when the reader goes away', async () => {
    const { token } = await addExporter();
    await whileHeld(async () => {
      const download = await begin(token);
      await expect.poll(isReading).toBe(true);
      download.destroy();
      await expect.poll(isReading, { timeout: 10_000 }).toBe(false);
    });
  });

  test('a download ends when its user signs out', () =>
    isCutOffBy(({ token }) => api.post('/logout', undefined, { token })));

  test('a download ends when its user is disabled', () =>
    isCutOffBy(({ id }) => api.ask('PUT', `/users/${id}/enabled`, { body: { enabled: false } })));

  test('a download ends when its user loses the permission for it', () =>
    isCutOffBy(async ({ id }) => {
      const { realName, agentId } = (await api.get<User>(`/users/${id}`)).data;
      const changed = await api.ask('PUT', `/users/${id}`, { body: { realName, agentId, positionId: null } });
      expect(changed.status).toBe(200);
    }));

  test('a download ends when its user moves to another agent', () =>
    isCutOffBy(async ({ id }) => {
      await api.database.db.updateTable('users').set({ agent_id: south }).where('id', '=', id).execute();
      // Changes of rights on this node are announced; elsewhere they are found by polling.
      expect((await api.ask('PUT', `/users/${id}/enabled`, { body: { enabled: true } })).status).toBe(200);
    }));

  test('a download is complete when nothing happens to its user', async () => {
    const user = await addExporter();
    let outcome: Promise<string> = Promise.resolve('');
    await whileHeld(async () => {
      outcome = outcomeOf(await begin(user.token));
      await expect.poll(isReading).toBe(true);
      expect((await api.ask('PUT', `/users/${user.id}/enabled`, { body: { enabled: true } })).status).toBe(200);
    });
    expect(await outcome).toBe('complete');
  });
});
