import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { ConsoleEvent } from '@voltdeck/contract/events';
import type { Permission } from '@voltdeck/contract/permissions';
import type { AgentId, ConnectorId, OrderId, TaskId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { codesGranting } from '../access/menus/product-menus.ts';
import { sessionKeptMs } from '../caller/sessions.ts';
import { bufferedBytesMax, streamsPerUserMax } from './open-streams.ts';
import { adminPassword, openTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
let address: string;
beforeEach(async () => {
  api = await openTestApi();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  address = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`;
});
afterEach(() => api.close());

const stationChanged = (id: number): ConsoleEvent => ({
  kind: 'station-changed',
  stationId: id as never,
  online: true,
  at: '2026-11-21T04:00:00.000Z',
});

const orderChanged = (id: number): Extract<ConsoleEvent, { kind: 'order-changed' }> => ({
  kind: 'order-changed',
  orderId: id as OrderId,
  number: `N${id}`,
  state: 'charging',
  connectorId: 1 as ConnectorId,
  energyWh: 12_000,
  amountFen: 1_234,
  electricityFeeFen: 1_000,
  serviceFeeFen: 234,
  powerW: 60_000,
  socPercent: 40,
  at: '2026-11-21T04:00:00.000Z',
});

type Listener = Awaited<ReturnType<typeof listen>>;

/** Opens a stream and collects its events. */
async function listen(token: string) {
  const stop = new AbortController();
  const response = await fetch(`${address}/api/events`, { headers: { token }, signal: stop.signal });
  const events: ConsoleEvent[] = [];
  const done = (async () => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) if (block.startsWith('data: ')) events.push(JSON.parse(block.slice(6)));
    }
  })().catch(() => undefined);
  return { response, events, done, stop: () => stop.abort() };
}

describe('live events', () => {
  test('the platform receives every live event and an agent only its own', async () => {
    const [one, two] = [await api.addAgent('one'), await api.addAgent('two')];
    const userOf = (name: string, agentId: AgentId) =>
      api.addUser({ name, permissions: ['station.read'], scope: 'agent', agentId });
    const ofOne = await listen((await userOf('one', one)).token);
    const ofTwo = await listen((await userOf('two', two)).token);
    const platform = await listen(api.adminToken);
    expect(platform.response.headers.get('content-type')).toContain('text/event-stream');
    api.context.bus.publish({ agentId: one, event: stationChanged(1) });
    api.context.bus.publish({ agentId: two, event: stationChanged(2) });
    api.context.bus.publish({ agentId: null, event: { kind: 'unknown-stations-changed' } });
    await expect.poll(() => platform.events).toHaveLength(3);
    await expect.poll(() => ofOne.events).toEqual([stationChanged(1)]);
    await expect.poll(() => ofTwo.events).toEqual([stationChanged(2)]);
    for (const stream of [ofOne, ofTwo, platform]) stream.stop();
  });

  test('a position receives the live events that its lists show, and none without a menu', async () => {
    const agentId = await api.addAgent('heard');
    const listenAs = async (name: string, permissions: readonly Permission[]) => {
      const { id: userId, token } = await api.addUser({ name, permissions });
      return { ...(await listen(token)), userId };
    };
    const people = {
      nothing: await listenAs('nothing', []),
      orders: await listenAs('orders', ['order.read']),
      ports: await listenAs('ports', ['connector.read']),
      home: await listenAs('home', ['overview.read']),
      adopter: await listenAs('adopter', ['station.create']),
    };
    const order = orderChanged(7);
    const events = [
      order,
      stationChanged(1),
      { kind: 'connector-changed', connectorId: 1, stationId: 1, number: 1, state: 'free', at: order.at },
      { kind: 'unknown-stations-changed' },
    ] as readonly ConsoleEvent[];
    for (const event of events) api.context.bus.publish({ agentId, event });
    const task: ConsoleEvent = {
      kind: 'task-changed',
      taskId: 1 as TaskId,
      state: 'running',
      doneCount: 1,
      totalCount: null,
    };
    // A stream that has received this has received all of the above.
    for (const stream of Object.values(people)) api.context.bus.publish({ userId: stream.userId, event: task });
    const heard = async (stream: Listener) => {
      await expect.poll(() => stream.events.at(-1)?.kind).toBe('task-changed');
      return stream.events.slice(0, -1);
    };
    const { energyWh, amountFen, electricityFeeFen, serviceFeeFen, ...withoutMoney } = order;
    expect([energyWh, amountFen, electricityFeeFen, serviceFeeFen].every((figure) => figure > 0)).toBe(true);
    const [, station, connector, unknown] = events;
    expect(await heard(people.nothing)).toEqual([]);
    expect(await heard(people.orders)).toEqual([order]);
    expect(await heard(people.ports)).toEqual([{ ...withoutMoney, kind: 'port-order-changed' }, station, connector]);
    expect(await heard(people.home)).toEqual([{ kind: 'figures-changed' }, station, connector]);
    expect(await heard(people.adopter)).toEqual([unknown]);
    for (const stream of Object.values(people)) stream.stop();
  });

  test('a permission revoked on another node stops its live events within the lifetime of a cached session', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const user = await api.addUser({ name: 'was allowed', permissions: ['order.read', 'station.create'] });
    const stream = await listen(user.token);
    api.context.bus.publish({ agentId: null, event: orderChanged(1) });
    await expect.poll(() => stream.events).toHaveLength(1);
    await api.database.db
      .updateTable('positions')
      .set({ menu_codes: codesGranting(['station.create']) })
      .where('name', '=', 'position of was allowed')
      .execute();
    api.clock.now = instant(Date.now() + sessionKeptMs);
    vi.advanceTimersByTime(sessionKeptMs);
    vi.useRealTimers();
    await expect
      .poll(() => {
        api.context.bus.publish({ agentId: null, event: orderChanged(2) });
        api.context.bus.publish({ agentId: null, event: { kind: 'unknown-stations-changed' } });
        return stream.events.slice(-2).map(({ kind }) => kind);
      })
      .toEqual(['unknown-stations-changed', 'unknown-stations-changed']);
    stream.stop();
  });

  test('a stream without a session is refused with an envelope', async () => {
    const response = await fetch(`${address}/api/events`);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ message: { status: 50008 } });
  });

  test('a user has a limited number of streams and gets one back by closing one', async () => {
    const open = await Promise.all(Array.from({ length: streamsPerUserMax }, () => listen(api.adminToken)));
    const refused = await fetch(`${address}/api/events`, { headers: { token: api.adminToken } });
    expect(refused.status).toBe(429);
    open[0]?.stop();
    await expect
      .poll(async () => {
        const again = await listen(api.adminToken);
        again.stop();
        return again.response.status;
      })
      .toBe(200);
    for (const stream of open) stream.stop();
  });

  test('a console that reads too slowly loses events, learns of it, and holds up nobody', async () => {
    const slow = await new Promise<IncomingMessage>((resolve) => {
      httpRequest(`${address}/api/events`, { headers: { token: api.adminToken } }, resolve).end();
    });
    slow.pause();
    const quick = await listen(api.adminToken);
    const { length } = JSON.stringify(stationChanged(1));
    // More than the buffers of the connection and our own hold together.
    const total = Math.ceil((bufferedBytesMax * 2 + 16 * 1024 * 1024) / length);
    for (let sent = 0; sent < total; sent += 1) {
      api.context.bus.publish({ agentId: null, event: stationChanged(sent) });
      // The fast reader reads meanwhile.
      if (sent % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    let text = '';
    slow.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    slow.resume();
    await expect.poll(() => text.includes('"kind":"missed"')).toBe(true);
    const heard = text.split('\n\n').filter((block) => block.includes('station-changed')).length;
    expect(heard).toBeLessThan(total);
    slow.destroy();
    quick.stop();
  });

  test('a stream ends with its session at once, and streams of other sessions stay open', async () => {
    const { token } = (await api.logIn('admin', adminPassword)).data;
    const [stream, other] = [await listen(token), await listen(api.adminToken)];
    const { id } = await api.database.db
      .selectFrom('sessions')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect((await api.ask('DELETE', `/sessions/${id}`)).status).toBe(200);
    await stream.done;
    api.context.bus.publish({ agentId: null, event: stationChanged(1) });
    await expect.poll(() => other.events).toEqual([stationChanged(1)]);
    expect(stream.events).toEqual([]);
    other.stop();
  });

  test('a stream whose session ended on another node ends within the lifetime of a cached session', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const stream = await listen(api.adminToken);
    const ended_at = instant(Date.now());
    await api.database.db.updateTable('sessions').set({ ended_at, ended_because: 'ended_by_admin' }).execute();
    api.clock.now = instant(Date.now() + sessionKeptMs);
    vi.advanceTimersByTime(sessionKeptMs);
    vi.useRealTimers();
    await stream.done;
    expect(stream.response.status).toBe(200);
  });

  test('the server closes without waiting for open streams and idle connections', async () => {
    const stream = await listen(api.adminToken);
    const silent = connect((api.server.address() as AddressInfo).port, '127.0.0.1');
    await once(silent, 'connect');
    const ended = once(silent, 'close');
    // No time limit ever passes here, so anything that relies on one would hang.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await api.close();
    vi.useRealTimers();
    await stream.done;
    await ended;
    expect(stream.response.status).toBe(200);
  });
});
