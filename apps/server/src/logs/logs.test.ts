import { inflateRawSync } from 'node:zlib';
import {
  type Conversation,
  conversation,
  conversationMax,
  type InteractionLog,
  type InteractionLogDetail,
} from '@voltdeck/contract/logs';
import type { Task } from '@voltdeck/contract/tasks';
import { dayMs, type Instant, instant, minuteMs, secondMs, toIso } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import type { Caller } from '../caller/caller.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace, type Place } from '../http/test-records.ts';
import { runTask } from '../tasks/run-task.ts';
import { openLogs } from './queries.ts';
import { exchangeOf, putExchanges, ykcHeartbeat, ykcHeartbeatAnswer } from './test-exchanges.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));
const ago = (ms: number): Instant => instant(now - ms);

let api: TestApi;
let one: Place;
let two: Place;
beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = now;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  one = await makePlace(api.database, null, 'one');
  two = await makePlace(api.database, null, 'two');
  await putExchanges(api.database, [
    exchangeOf(one, ago(minuteMs), { messageId: 'newest' }),
    exchangeOf(one, ago(2 * minuteMs), { messageId: 'heart', action: 'Heartbeat', request: '[2,"1","Heartbeat",{}]' }),
    exchangeOf(two, ago(3 * minuteMs), {
      messageId: 'ykc heart',
      protocol: 'ykc',
      action: '0x03',
      request: ykcHeartbeat,
      answer: ykcHeartbeatAnswer,
    }),
    exchangeOf(one, ago(4 * minuteMs), {
      messageId: 'refused',
      action: 'RemoteStartTransaction',
      direction: 'to-station',
      request: '[2,"1","RemoteStartTransaction",{"idTag":"100%_sure"}]',
      answer: null,
      latencyMs: null,
      fault: 'TimedOut',
    }),
    exchangeOf(two, ago(5 * dayMs), {
      messageId: 'unread',
      protocol: 'ykc',
      action: null,
      request: 'FF00',
      answer: null,
      latencyMs: null,
      fault: 'Unreadable',
    }),
    exchangeOf(one, ago(29 * dayMs), { messageId: 'oldest' }),
  ]);
});
afterAll(() => api.close());

type Page = { items: InteractionLog[]; nextBefore: string | null };
const page = async (query = '') => (await api.get<Page>(`/interaction-logs${query}`)).data;
const found = async (query: string) => (await page(query)).items.map(({ messageId }) => messageId);
const everything = ['newest', 'heart', 'ykc heart', 'refused', 'unread', 'oldest'];

describe('the interaction log', () => {
  test('the interaction log up to a far day is read from the present on', async () => {
    const { items } = await page();
    expect(await page('?to=9999-12-31T23:59:59Z')).toMatchObject({ items: items.map(({ key }) => ({ key })) });
  });

  test('the interaction log comes newest first, to the end of its retention', async () => {
    expect(await found('')).toEqual(everything);
    const [first] = (await page()).items;
    expect(first).toMatchObject({ stationNumber: one.stationNumber, protocol: 'ocpp1.6', latencyMs: 12 });
    expect(first?.key).toBe(`${Date.parse(first?.at ?? '')}_${first?.id}`);
  });

  test.each([
    ['stationNumber=two', ['ykc heart', 'unread']],
    ['stationNumber=nowhere', []],
    ['direction=to-station', ['refused']],
    ['protocol=ykc', ['ykc heart', 'unread']],
    ['protocol=ykc,ocpp1.6', everything],
    ['action=0x03', ['ykc heart']],
    ['action=remotestart', ['refused']],
    ['hideHeartbeats=true', ['newest', 'refused', 'unread', 'oldest']],
    ['faulty=true', ['refused', 'unread']],
    ['faulty=false', ['newest', 'heart', 'ykc heart', 'oldest']],
    ['text=noerror', ['newest', 'oldest']],
    ['text=100%25_', ['refused']],
    ['text=100_', []],
    ['text=32 01 02 00', ['ykc heart']],
    ['text=0x32,0x01,0x02', ['ykc heart']],
    ['text=32:01:02', ['ykc heart']],
    ['text=32010200', ['ykc heart']],
    ['from=2026-11-21T03:57:00Z', ['newest', 'heart', 'ykc heart']],
    ['from=2026-11-21T03:57:00Z&to=2026-11-21T03:58:59.999Z', ['heart', 'ykc heart']],
    ['to=2026-11-01T00:00:00Z', ['oldest']],
    ['protocol=ykc&faulty=true&direction=from-station&text=ff 00', ['unread']],
  ])('the interaction log is filtered by %s', async (query, expected) => {
    expect(await found(`?${query}`)).toEqual(expected);
  });

  test('the interaction log continues where a page ended, over any gap of time and in any size', async () => {
    for (const pageSize of [1, 2, 4]) {
      const read: (string | null)[] = [];
      let before: string | null = null;
      do {
        const next: Page = await page(`?pageSize=${pageSize}${before === null ? '' : `&before=${before}`}`);
        read.push(...next.items.map(({ messageId }) => messageId));
        before = next.nextBefore;
      } while (before !== null);
      expect(read).toEqual(everything);
    }
  });

  test('a page of the interaction log ends when its time is up, and the next continues there', async () => {
    let atMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      atMs += 7_000;
      return atMs;
    });
    const pages: Page[] = [];
    for (let before: string | null = ''; before !== null; before = pages.at(-1)?.nextBefore ?? null) {
      pages.push(await page(`?from=2026-11-21T03:55:00Z${before === '' ? '' : `&before=${before}`}`));
    }
    clock.mockRestore();
    expect(pages.flatMap(({ items }) => items.map(({ messageId }) => messageId))).toEqual(everything.slice(0, 4));
    expect(pages.filter(({ items }) => items.length === 0).length).toBeGreaterThan(1);
  });

  test('the interaction log lists rows of one millisecond once each', async () => {
    const place = await makePlace(api.database, null, 'burst');
    const at = ago(10 * minuteMs);
    await putExchanges(
      api.database,
      Array.from({ length: 25 }, (_, index) => exchangeOf(place, at, { messageId: String(index) })),
    );
    const read: (string | null)[] = [];
    let before = '';
    for (let more = true; more; ) {
      const next: Page = await page(`?pageSize=4&stationId=${place.stationId}${before}`);
      read.push(...next.items.map(({ messageId }) => messageId));
      more = next.nextBefore !== null;
      before = `&before=${next.nextBefore}`;
    }
    expect(read).toEqual(Array.from({ length: 25 }, (_, index) => String(24 - index)));
  });
});

describe('one exchange', () => {
  const detail = async (query: string) => {
    const [log] = (await page(query)).items;
    return (await api.get<InteractionLogDetail>(`/interaction-logs/${log?.key}`)).data;
  };

  test('an exchange of OCPP comes with both messages explained', async () => {
    const { frames, ...log } = await detail('?text=noerror&stationNumber=one');
    expect(log).toMatchObject({ messageId: 'newest', action: 'StatusNotification' });
    expect(frames).toMatchObject([
      { protocol: 'ocpp1.6', direction: 'from-station', action: 'StatusNotification', text: log.request, fault: null },
      { direction: 'to-station', name: 'ocpp.message.StatusNotification', text: log.answer, fault: null },
    ]);
    const status = frames[0]?.spans.find(({ path }) => path === 'status');
    expect(status).toMatchObject({ name: 'ocpp.field.status', value: 'Available', meanings: ['ocpp.value.Available'] });
  });

  test('an exchange of YKC comes with every byte of both frames', async () => {
    const { frames } = await detail('?action=0x03');
    expect(frames).toMatchObject([
      { direction: 'from-station', action: '0x03', checksum: { verdict: 'right' }, text: ykcHeartbeat },
      { direction: 'to-station', action: '0x04', checksum: { verdict: 'right' }, text: ykcHeartbeatAnswer },
    ]);
    for (const frame of frames) expect(frame.spans.map(({ raw }) => raw).join('')).toBe(frame.text);
    const pile = frames[0]?.spans.find(({ path }) => path === 'pileNo');
    expect(pile).toMatchObject({ name: 'ykc.field.pileNo', value: '32010200000001' });
  });

  test('an exchange that was no frame says so', async () => {
    const { frames } = await detail('?text=ff00');
    expect(frames).toMatchObject([{ fault: 'ykc.fault.not-a-frame', text: 'FF00' }]);
  });

  test('an exchange is found only by its whole key', async () => {
    const [log] = (await page()).items;
    const [at, id] = (log?.key ?? '').split('_');
    expect((await api.get(`/interaction-logs/${Number(at) + 1}_${id}`)).status).toBe(404);
    expect((await api.get(`/interaction-logs/${at}_${Number(id) + 1}`)).status).toBe(404);
    expect((await api.get(`/interaction-logs/${id}`)).status).toBe(422);
  });
});

describe('pasted frames', () => {
  test('pasted frames are explained and not stored', async () => {
    const before = await found('');
    const { data } = await api.post<{ frames: unknown[] }>('/frame-explanations', { text: ykcHeartbeat });
    expect(data.frames).toMatchObject([{ action: '0x03', fault: null }]);
    expect(await found('')).toEqual(before);
    const tooLong = await api.post('/frame-explanations', { text: '6'.repeat(20_001) });
    expect(tooLong.envelope.message.fields).toMatchObject([{ path: 'text', code: 'too_long' }]);
  });
});

describe('a conversation', () => {
  let place: Place;
  beforeAll(async () => {
    place = await makePlace(api.database, null, 'talker');
    await putExchanges(
      api.database,
      Array.from({ length: conversationMax + 1 }, (_, index) =>
        exchangeOf(place, ago(20 * minuteMs - index * 100), {
          messageId: String(index),
          action: index % 2 === 0 ? 'Heartbeat' : 'StatusNotification',
        }),
      ),
    );
  });
  const read = async (from: Instant, to: Instant, more = '') =>
    (
      await api.get<Conversation>(
        `/conversations?stationId=${place.stationId}&from=${toIso(from)}&to=${toIso(to)}${more}`,
      )
    ).data;

  test('a conversation comes oldest first, with and without heartbeats', async () => {
    const start = ago(20 * minuteMs);
    const whole = await read(start, instant(start + 900));
    expect(whole).toMatchObject({ version: 1, protocol: 'ocpp1.6', stationNumber: place.stationNumber, isCut: false });
    expect(whole.exchanges.map(({ messageId }) => messageId)).toEqual([...'0123456789']);
    const calls = await read(start, instant(start + 900), '&hideHeartbeats=true');
    expect(calls.exchanges.map(({ messageId }) => messageId)).toEqual([...'13579']);
  });

  test('a conversation has a limit, and a saved one is parsed unchanged', async () => {
    const cut = await read(ago(dayMs), now);
    expect(cut.isCut).toBe(true);
    expect(cut.exchanges).toHaveLength(conversationMax);
    expect(cut.exchanges[0]?.messageId).toBe('0');
    expect(z.parse(conversation, JSON.parse(JSON.stringify(cut)))).toEqual(cut);
    expect(await read(ago(10 * dayMs), ago(9 * dayMs))).toMatchObject({ isCut: false, exchanges: [] });
  });
});

describe('rows as long as a frame may be', () => {
  const count = 70;
  let place: Place;
  beforeAll(async () => {
    place = await makePlace(api.database, null, 'long');
    const long = Array.from({ length: count }, (_, index) =>
      exchangeOf(place, ago(40 * minuteMs - index * 1_000), { messageId: String(index), request: 'x'.repeat(262_144) }),
    );
    await putExchanges(api.database, long);
  });

  test('rows with frames of maximum length are read a few at a time, each once', async () => {
    const caller = { agents: 'all', admin: true } as unknown as Caller;
    const source = await openLogs(api.database.db, caller, { stationId: place.stationId }, now);
    const batches: number[] = [];
    const found: (string | null)[] = [];
    for await (const { rows } of source?.newestFirst(null, 1_000) ?? []) {
      batches.push(rows.length);
      found.push(...rows.map(({ messageId }) => messageId));
    }
    expect(found).toEqual(Array.from({ length: count }, (_, index) => String(count - 1 - index)));
    expect(Math.max(...batches)).toBeLessThanOrEqual(16);
  });

  test('rows with frames of maximum length truncate a conversation that is too large to send', async () => {
    const { data } = await api.get<Conversation>(
      `/conversations?stationId=${place.stationId}&from=${toIso(ago(dayMs))}&to=${toIso(now)}`,
    );
    expect(data.isCut).toBe(true);
    expect(data.exchanges.map(({ messageId }) => messageId)).toEqual(
      Array.from({ length: data.exchanges.length }, (_, index) => String(index)),
    );
    expect(data.exchanges.length).toBeLessThan(count);
  });
});

describe('the log as a spreadsheet', () => {
  test('the log’s spreadsheet has the filtered rows in words, and its export is audited', async () => {
    const answer = await api.get('/interaction-logs/export?stationNumber=ST-one&faulty=true', { language: 'en' });
    expect(answer.status).toBe(200);
    const sheet = sheetOf(answer.bytes);
    for (const text of ['Remote start', 'RemoteStartTransaction', one.stationNumber, '100%_sure']) {
      expect(sheet).toContain(text);
    }
    expect(sheet).not.toContain(two.stationNumber);
    expect(sheet.match(/<row>/g)).toHaveLength(2);
    const { rows } = await api.database.pool.query("select after from audit_entries where action = 'log.export'");
    expect(rows).toMatchObject([{ after: { query: { stationNumber: 'ST-one', faulty: true } } }]);
  });

  test('the log’s spreadsheet has rows of all ages, beyond one read', async () => {
    const place = await makePlace(api.database, null, 'many');
    const count = 2_345;
    await putExchanges(
      api.database,
      Array.from({ length: count }, (_, index) =>
        exchangeOf(place, ago(minuteMs + Math.floor(index / 7) * 40 * secondMs), { messageId: `m${index}` }),
      ),
    );
    const answer = await api.get(`/interaction-logs/export?stationId=${place.stationId}`);
    const told = new Set(sheetOf(answer.bytes).match(/>m\d+</g));
    expect(told.size).toBe(count);
  });

  test('the log’s spreadsheet is also exported in the background, by users who may export', async () => {
    const exporter = await api.addUser({ name: 'exporter', permissions: ['log.export'], scope: 'platform' });
    const query = { protocol: 'ykc', before: '1_1', pageSize: '50' };
    const body = { list: 'listInteractionLogs', query };
    const started = await api.post<Task>('/tasks/exports', body, { token: exporter.token });
    expect(started.data).toMatchObject({ kind: 'export', list: 'listInteractionLogs', state: 'waiting' });
    await runTask(api.context, started.data.id, new AbortController().signal);
    const file = await api.get(`/tasks/${started.data.id}/file`, { token: exporter.token });
    expect(sheetOf(file.bytes)).toContain(ykcHeartbeat);
    expect(sheetOf(file.bytes)).not.toContain('RemoteStart');
    const reader = await api.addUser({ name: 'reader', permissions: ['log.read'], scope: 'platform' });
    expect((await api.post('/tasks/exports', body, { token: reader.token })).status).toBe(403);
    expect((await api.get('/interaction-logs/export', { token: reader.token })).status).toBe(403);
  });
});

/** The text of a workbook's sheet. */
function sheetOf(bytes: Buffer): string {
  const name = 'xl/worksheets/sheet1.xml';
  const start = bytes.indexOf(name) + name.length;
  const end = bytes.indexOf(Buffer.from([0x50, 0x4b, 0x07, 0x08]), start);
  return inflateRawSync(bytes.subarray(start, end)).toString('utf8');
}

describe('a station that changed hands', () => {
  const texts = (logs: readonly InteractionLog[]) => logs.map(({ messageId }) => messageId);

  test('what a station said before it came to an agent is hidden from that agent', async () => {
    const [firstId, secondId] = [await api.addAgent('First'), await api.addAgent('Second')];
    const place = await makePlace(api.database, firstId, 'handed');
    const shared = { permissions: ['log.read'], scope: 'agent' } as const;
    const { token } = await api.addUser({ ...shared, name: 'second', agentId: secondId });
    const former = await api.addUser({ ...shared, name: 'first', agentId: firstId });
    await putExchanges(api.database, [
      exchangeOf(place, ago(3 * minuteMs), { messageId: 'before', request: `[2,"1","Authorize",{"idTag":"04AB12"}]` }),
      exchangeOf(place, ago(minuteMs), { messageId: 'since' }),
    ]);
    const { pool } = api.database;
    const since = async (agentId: number, at: Instant) => {
      const newest = `update station_places set from_at = $1 where station_id = $2 and agent_id = $3
        and from_at = (select max(from_at) from station_places where station_id = $2)`;
      expect((await pool.query(newest, [toIso(at), place.stationId, agentId])).rowCount).toBe(1);
    };
    const hand = async (agentId: number, at: Instant) => {
      await pool.query('update stations set agent_id = $1 where id = $2', [agentId, place.stationId]);
      await since(agentId, at);
    };
    await since(firstId, ago(10 * minuteMs));
    await hand(secondId, ago(2 * minuteMs));

    const [whole] = (await page(`?stationId=${place.stationId}&text=04AB12`)).items;
    expect(whole?.messageId).toBe('before');
    const list = async (query: string, asker: string) =>
      texts((await api.get<Page>(`/interaction-logs?${query}`, { token: asker })).data.items);
    expect(await list(`stationId=${place.stationId}`, token)).toEqual(['since']);
    expect(await list(`stationNumber=${place.stationNumber}`, token)).toEqual(['since']);
    expect(await list('text=04AB12', token)).toEqual([]);
    expect((await api.get(`/interaction-logs/${whole?.key}`, { token })).status).toBe(404);
    const span = `from=${toIso(ago(10 * minuteMs))}&to=${toIso(now)}`;
    const { data } = await api.get<Conversation>(`/conversations?stationId=${place.stationId}&${span}`, { token });
    expect(data.exchanges.map(({ messageId }) => messageId)).toEqual(['since']);
    expect(await list(`stationId=${place.stationId}`, former.token)).toEqual([]);

    // Back again: between its two times the station was somebody else's.
    await hand(firstId, ago(30 * secondMs));
    await putExchanges(api.database, [exchangeOf(place, ago(10 * secondMs), { messageId: 'back' })]);
    expect(await list(`stationId=${place.stationId}`, former.token)).toEqual(['back']);
  });

  test('an agent goes on seeing the log of a station that it gave to an agent below itself', async () => {
    const parentId = await api.addAgent('Parent');
    const childId = await api.addAgent('Child', parentId);
    const place = await makePlace(api.database, parentId, 'below');
    const { token } = await api.addUser({
      name: 'parent',
      permissions: ['log.read'],
      scope: 'agent_tree',
      agentId: parentId,
    });
    await putExchanges(api.database, [exchangeOf(place, ago(minuteMs), { messageId: 'family' })]);
    await api.database.pool.query('update stations set agent_id = $1 where id = $2', [childId, place.stationId]);
    const { data } = await api.get<Page>(`/interaction-logs?stationId=${place.stationId}`, { token });
    expect(texts(data.items)).toEqual(['family']);
  });
});
