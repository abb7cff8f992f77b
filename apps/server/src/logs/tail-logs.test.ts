import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type InteractionLog, tailEvent } from '@voltdeck/contract/logs';
import type { AgentId } from '@voltdeck/units/id';
import { type Instant, instant } from '@voltdeck/units/instant';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace, type Place } from '../http/test-records.ts';
import type { LoggedExchange } from '../journal/exchanges.ts';
import { StationJournal } from '../journal/station-journal.ts';
import { tailLimits } from './tail-logs.ts';
import { exchangeOf, ykcHeartbeat } from './test-exchanges.ts';

const waiting = { timeout: 30_000 };
const at: Instant = instant(Date.now() - 1_000);

let api: TestApi;
let journal: StationJournal;
let address: string;
let platform: Place;
const opened: (() => void)[] = [];
beforeEach(async () => {
  api = await openTestApi();
  journal = new StationJournal(api.database.pool, api.context.log, { audience: api.context.bus });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  address = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`;
  platform = await makePlace(api.database, null, 'platform');
});
afterEach(async () => {
  for (const stop of opened.splice(0)) stop();
  await journal.close();
  await api.close();
});

/** Opens a tail and collects its events; it watches as soon as this resolves. */
async function watch(token: string, query = '') {
  const stop = new AbortController();
  opened.push(() => stop.abort());
  const response = await fetch(`${address}/api/interaction-logs/tail${query}`, {
    headers: { token },
    signal: stop.signal,
  });
  const items: InteractionLog[] = [];
  const seen = { skipped: 0, largest: 0 };
  const greeted = Promise.withResolvers<void>();
  const ended = (async () => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      greeted.resolve();
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        if (!block.startsWith('data: ')) continue;
        const event = z.parse(tailEvent, JSON.parse(block.slice('data: '.length)));
        if (event.kind === 'skipped') seen.skipped += event.count;
        else {
          items.push(...event.items);
          seen.largest = Math.max(seen.largest, event.items.length);
        }
      }
    }
  })().catch(() => undefined);
  await Promise.race([greeted.promise, ended]);
  return { response, items, seen, ended, ids: () => items.map(({ messageId }) => messageId) };
}

async function say(...exchanges: LoggedExchange[]): Promise<void> {
  for (const exchange of exchanges) journal.add({ exchange });
  await journal.drained();
}

const said = (messageId: string, place = platform, given: Partial<LoggedExchange> = {}) =>
  exchangeOf(place, at, { messageId, ...given });

describe('the live tail', { timeout: 60_000 }, () => {
  test('the live tail shows durable exchanges exactly as the list does', async () => {
    const tail = await watch(api.adminToken);
    expect(tail.response.headers.get('content-type')).toContain('text/event-stream');
    await say(said('one'), said('two', platform, { protocol: 'ykc', action: '0x03', request: ykcHeartbeat }));
    await expect.poll(tail.ids, waiting).toEqual(['one', 'two']);
    const { data } = await api.get<{ items: InteractionLog[] }>('/interaction-logs');
    expect(data.items.toReversed()).toEqual(tail.items);
    const one = await api.get(`/interaction-logs/${tail.items[0]?.key}`);
    expect(one.data).toMatchObject({ messageId: 'one' });
  });

  test('the live tail shows each agent its own stations’ frames only, and nothing to a user without a scope', async () => {
    const [alpha, beta] = [await api.addAgent('alpha'), await api.addAgent('beta')];
    const [ofAlpha, ofBeta] = [
      await makePlace(api.database, alpha, 'alpha'),
      await makePlace(api.database, beta, 'beta'),
    ];
    const userOf = async (name: string, agentId: AgentId) =>
      (await api.addUser({ name, permissions: ['log.read'], scope: 'agent', agentId })).token;
    const alphas = await watch(await userOf('alpha', alpha));
    const betas = await watch(await userOf('beta', beta));
    const own = await api.addUser({ name: 'own', permissions: ['log.read'], scope: 'self' });
    const nobodys = await watch(own.token);
    const everybodys = await watch(api.adminToken);
    await say(said('a', ofAlpha), said('b', ofBeta), said('p'), said('a again', ofAlpha));
    await expect.poll(everybodys.ids, waiting).toEqual(['a', 'b', 'p', 'a again']);
    await expect.poll(alphas.ids, waiting).toEqual(['a', 'a again']);
    await expect.poll(betas.ids, waiting).toEqual(['b']);
    expect(nobodys.ids()).toEqual([]);
    for (const { seen } of [alphas, betas, nobodys]) expect(seen.skipped).toBe(0);

    // A station that moves to another agent is shown to that one once its new owner is known.
    await api.database.db.updateTable('stations').set({ agent_id: beta }).where('id', '=', ofAlpha.stationId).execute();
    api.clock.now = instant(Date.now() + tailLimits.stationsKnownMs + 1);
    await say(said('moved', ofAlpha));
    await expect.poll(betas.ids, waiting).toEqual(['b', 'moved']);
    expect(alphas.ids()).toEqual(['a', 'a again']);
  });

  test('the live tail masks cards for a caller without the right, and filters them by whole words', async () => {
    const rights = { full: ['log.read', 'personal.reveal'], masked: ['log.read'] } as const;
    const tokenOf = async (name: keyof typeof rights) => (await api.addUser({ name, permissions: rights[name] })).token;
    const [full, masked] = [await tokenOf('full'), await tokenOf('masked')];
    const { cardNumber } = platform;
    const part = `?text=${cardNumber.slice(0, 9)}`;
    const tails = [await watch(full), await watch(masked), await watch(full, part)];
    const [byPart, byWhole] = [await watch(masked, part), await watch(masked, `?text=${cardNumber}`)];
    const asked = said('card', platform, {
      action: 'Authorize',
      request: `[2,"1","Authorize",{"idTag":"${cardNumber}"}]`,
    });
    await say(asked);
    for (const tail of [...tails, byWhole]) await expect.poll(tail.ids, waiting).toEqual(['card']);
    expect(byPart.ids()).toEqual([]);
    const hidden = asked.request.replace(cardNumber, `${cardNumber.slice(0, 4)}********${cardNumber.slice(-4)}`);
    const requests = [...tails, byWhole].map(({ items }) => items[0]?.request);
    expect(requests).toEqual([asked.request, hidden, asked.request, hidden]);
  });

  test.each([
    ['?stationNumber=OTHER', ['other']],
    ['?protocol=ykc', ['bytes']],
    ['?direction=to-station', ['ours']],
    ['?action=heart', ['beat']],
    ['?hideHeartbeats=true', ['ours', 'other', 'unread']],
    ['?faulty=true', ['unread']],
    ['?text=68 0d', ['bytes']],
    ['?text=CORPORATION', ['ours']],
  ])('the live tail is filtered by %s like the list', async (query, expected) => {
    const other = await makePlace(api.database, null, 'other');
    const tail = await watch(api.adminToken, query);
    const byStation = await watch(api.adminToken, `?stationId=${other.stationId}`);
    await say(
      said('beat', platform, { action: 'Heartbeat', answer: null }),
      said('bytes', platform, { protocol: 'ykc', action: '0x03', request: ykcHeartbeat }),
      said('ours', platform, {
        direction: 'to-station',
        action: 'DataTransfer',
        answer: '[3,"1",{"data":"Corporation"}]',
      }),
      said('other', other),
      said('unread', platform, { action: null, fault: 'Unreadable' }),
    );
    await expect.poll(tail.ids, waiting).toEqual(expected);
    await expect.poll(byStation.ids, waiting).toEqual(['other']);
    const listed = await api.get<{ items: InteractionLog[] }>(`/interaction-logs${query}`);
    expect(listed.data.items.map(({ messageId }) => messageId).toReversed()).toEqual(expected);
  });

  test('the live tail is limited per batch, counts the rest, and delays neither the journal nor others', async () => {
    const [all, some] = [await watch(api.adminToken), await watch(api.adminToken, '?action=Rare')];
    const total = tailLimits.itemsPerEvent * 20;
    const storm = Array.from({ length: total }, (_, index) => said(String(index)));
    await say(...storm, said('rare', platform, { action: 'Rare' }));
    await expect.poll(() => all.items.length + all.seen.skipped, waiting).toBe(total + 1);
    expect(all.seen.skipped).toBeGreaterThan(0);
    expect(all.seen.largest).toBeLessThanOrEqual(tailLimits.itemsPerEvent);
    await expect.poll(some.ids, waiting).toEqual(['rare']);
    expect(some.seen.skipped).toBe(0);
  });

  test('the live tail drops long frames beyond what one event carries', async () => {
    const tail = await watch(api.adminToken);
    const long = 'x'.repeat(tailLimits.charactersPerEvent / 2);
    await say(...['1', '2', '3', '4'].map((id) => said(id, platform, { request: long, answer: null })));
    await expect.poll(() => tail.items.length + tail.seen.skipped, waiting).toBe(4);
    expect(tail.items.length).toBeGreaterThan(0);
  });

  test('the live tail tells a slow console how much it missed, and buffers nothing more', async () => {
    api.clock.now = instant(Date.now());
    const slow = await new Promise<IncomingMessage>((resolve) => {
      httpRequest(`${address}/api/interaction-logs/tail`, { headers: { token: api.adminToken } }, resolve).end();
    });
    const told = { items: 0, skipped: 0 };
    let rest = '';
    slow.on('data', (chunk: Buffer) => {
      rest += chunk.toString();
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        if (!block.startsWith('data: ')) continue;
        const event = z.parse(tailEvent, JSON.parse(block.slice('data: '.length)));
        if (event.kind === 'skipped') told.skipped += event.count;
        else told.items += event.items.length;
      }
    });
    // The station's owner has been looked up by then.
    await say(said('first'));
    await expect.poll(() => told.items, waiting).toBe(1);
    slow.pause();

    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const perEvent = 4;
    const request = 'x'.repeat(tailLimits.charactersPerEvent / perEvent - 100);
    // More than the buffers of the connection and our own hold together.
    const events = Math.ceil((24 * 1024 * 1024) / tailLimits.charactersPerEvent);
    for (let event = 0; event < events; event += 1) {
      const exchanges = Array.from({ length: perEvent }, (_, id) => ({ ...said('more'), request, id }));
      api.context.bus.tellExchanges(exchanges);
      vi.advanceTimersByTime(tailLimits.gatherMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
    vi.useRealTimers();
    slow.resume();
    await expect.poll(() => told.items + told.skipped, waiting).toBe(events * perEvent + 1);
    expect(told.skipped).toBeGreaterThan(perEvent);
    slow.destroy();
  });

  test('the live tail costs nothing without a watcher', async () => {
    expect(api.context.bus.areExchangesWatched()).toBe(false);
    const tail = await watch(api.adminToken);
    expect(api.context.bus.areExchangesWatched()).toBe(true);
    for (const stop of opened.splice(0)) stop();
    await tail.ended;
    await expect.poll(() => api.context.bus.areExchangesWatched(), waiting).toBe(false);
    await say(said('unheard'));
    const { data } = await api.get<{ items: InteractionLog[] }>('/interaction-logs');
    expect(data.items).toMatchObject([{ messageId: 'unheard' }]);
  });

  test('the live tail ends with the session, and with the permission to read the log', async () => {
    const user = await api.addUser({ name: 'reader', permissions: ['log.read', 'station.read'], scope: 'platform' });
    const tail = await watch(user.token);
    const { position_id: position } = await api.database.db
      .selectFrom('users')
      .select('position_id')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    await api.ask('PUT', `/positions/${position}`, {
      body: { name: 'no log any more', dataScope: 'platform', menuCodes: ['deviceList'] },
    });
    await tail.ended;
    const again = await watch(user.token);
    expect(again.response.status).toBe(403);

    const admins = await watch(api.adminToken);
    await api.post('/logout');
    await admins.ended;
    expect((await watch(api.adminToken)).response.status).toBe(401);
  });
});
