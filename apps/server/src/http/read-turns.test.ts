import { EventEmitter } from 'node:events';
import { getBigScreen } from '@voltdeck/contract/big-screen';
import { exportOrders, listOrders } from '@voltdeck/contract/orders';
import type { Route } from '@voltdeck/contract/route';
import { routes } from '@voltdeck/contract/routes';
import { searchRecords } from '@voltdeck/contract/search';
import { instant } from '@voltdeck/units/instant';
import type { FastifyReply } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Caller } from '../caller/caller.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { laneSizes } from '../database/lanes.ts';
import { freshDatabase, whileLocked } from '../database/test-database.ts';
import { exchangeOf, putExchanges } from '../logs/test-exchanges.ts';
import { createReadTurns, type ReadTurns, readsMuch, readTurnLimits } from './read-turns.ts';
import { type Answer, openTestApi, type TestApi } from './test-api.ts';
import { makePlace } from './test-records.ts';

let database: Database;
/** A connection beside those of the server. */
let aside: Database;
let api: TestApi;
beforeAll(async () => {
  database = await freshDatabase({ connectionsMax: 8, statementTimeoutMs: 20_000 });
  aside = openDatabase(database.url, { connectionsMax: 1 });
  api = await openTestApi({ database });
});
afterAll(async () => {
  await aside.close();
  await api.close();
});

describe('searches of one user', () => {
  test("a hundred searches at once are refused beyond a few and delay neither other users nor the user's other calls", async () => {
    const agentId = await api.addAgent('Busy');
    const place = await makePlace(database, agentId, 'busy');
    await putExchanges(database, [exchangeOf(place, instant(Date.now() - 1_000))]);
    const searcher = await api.addUser({
      name: 'searcher',
      permissions: ['log.read', 'order.read'],
      scope: 'agent',
      agentId,
    });
    const other = await api.addUser({
      name: 'other',
      permissions: ['order.read', 'station.read', 'site.read', 'connector.read'],
    });
    const answers: Answer[] = [];
    let searches: Promise<unknown>[] = [];
    const { muchWaitingPerUser, muchAtOncePerUser, retryAfterSeconds } = readTurnLimits;
    const kept = muchWaitingPerUser + muchAtOncePerUser;
    await whileLocked(aside.pool, 'interaction_logs', async () => {
      searches = Array.from({ length: 100 }, (_, index) =>
        api
          .get(`/interaction-logs?text=needle${index}`, { token: searcher.token, language: 'en' })
          .then((answer) => answers.push(answer)),
      );
      await expect.poll(() => answers.length).toBe(100 - kept);
      for (const { status, headers, envelope } of answers) {
        expect([status, envelope.message.error]).toEqual([429, 'request.too_many_reads']);
        expect(headers['retry-after']).toBe(String(retryAfterSeconds));
        expect(envelope.message.message).toContain('try again in 10 s');
      }
      for (const path of ['/orders', '/stations', '/sites', '/connectors']) {
        const read = await Promise.all([1, 2, 3, 4, 5].map(() => api.get(path, { token: other.token })));
        expect(read.map(({ status }) => status)).toEqual(read.map(() => 200));
      }
      expect((await api.get('/orders', { token: searcher.token })).status).toBe(200);
      expect(answers).toHaveLength(100 - kept);
    });
    await Promise.all(searches);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(kept);
  });

  test('a search refused for too many at once is answered in the caller’s language', async () => {
    await whileLocked(aside.pool, 'interaction_logs', async () => {
      const answers: Answer[] = [];
      const searches = Array.from({ length: 20 }, () =>
        api.get('/interaction-logs?text=x', { language: 'zh-CN' }).then((answer) => answers.push(answer)),
      );
      await expect.poll(() => answers.length).toBeGreaterThan(0);
      expect(answers[0]?.envelope.message.message).toBe(
        '您同时进行的搜索、汇总或下载过多，请等其中一项完成，10 秒后再试',
      );
      void Promise.all(searches);
    });
  });

  test('a read that exceeds the statement timeout is refused with advice', async () => {
    const quick = await freshDatabase({ connectionsMax: 3, statementTimeoutMs: 200 });
    const other = await openTestApi({ database: quick });
    const blocker = openDatabase(quick.url, { connectionsMax: 1 });
    const held = await blocker.pool.connect();
    await held.query('begin; lock table orders in access exclusive mode');
    const answer = await other.get('/orders', { language: 'en' });
    await held.query('rollback');
    held.release();
    await blocker.close();
    await other.close();
    expect([answer.status, answer.envelope.message.error]).toEqual([422, 'request.reads_too_long']);
    expect(answer.envelope.message.message).toContain('shorter time span');
  });
});

describe('what reads much', () => {
  test('routes that read much are every export, total, proof and figure of quality, and a search of the log by content', () => {
    const names = [...routes].filter(([, route]) => route.readsMuch !== undefined).map(([name]) => name);
    const needed = [...routes.keys()].filter((name) => /^(export|sum)|Proof$|[Ss]tatistics|Totals$|Quality/.test(name));
    expect(names).toEqual(expect.arrayContaining([...needed, 'listInteractionLogs']));
    const search = routes.get('listInteractionLogs');
    if (search === undefined) throw new Error('no search');
    expect([readsMuch(search, { pageSize: 20 }), readsMuch(search, { text: 'x' })]).toEqual([false, true]);
  });

  test('routes that read much by a field have that field in their query', () => {
    for (const [name, { readsMuch: much, query }] of routes) {
      if (much === undefined || much === 'always') continue;
      const shape = z.toJSONSchema(query as z.ZodMiniType, { unrepresentable: 'any', io: 'input' });
      expect(Object.keys(shape.properties ?? {}), name).toEqual(expect.arrayContaining([...much]));
    }
  });
});

describe('what reads over several connections at once', () => {
  /** The most connections that an answer has at the same time. */
  async function connectionsOf(path: string): Promise<number> {
    const { pool } = database;
    let [now, most] = [0, 0];
    const taken = () => {
      now += 1;
      most = Math.max(most, now);
    };
    const left = () => {
      now -= 1;
    };
    pool.on('acquire', taken);
    pool.on('release', left);
    const { status, text } = await api.get(path);
    pool.off('acquire', taken);
    pool.off('release', left);
    expect(status, text).toBe(200);
    return most;
  }

  test('the big screen does, and is declared so; other figures take one connection', async () => {
    const names = [...routes].filter(([, route]) => route.readsWide === true).map(([name]) => name);
    expect(names.sort()).toEqual(['getBigScreen']);
    const most = await connectionsOf('/overview/screen');
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(readTurnLimits.wideConnections);
    const figures = [
      '/overview/summary',
      '/overview/sites',
      '/overview/first-steps?always=true',
      '/statistics/summary?from=2026-01-01&to=2026-01-31',
    ];
    for (const path of figures) expect(await connectionsOf(path), path).toBe(1);
    expect([await connectionsOf('/quality'), await connectionsOf('/quality/league')]).toEqual([1, 1]);
  });
});

const caller = (userId: number) => ({ userId }) as unknown as Caller;
const reply = () =>
  ({ raw: Object.assign(new EventEmitter(), { destroy: () => undefined }) }) as unknown as FastifyReply;

describe('turns of several users', () => {
  type Held = { hasEntered: boolean; leave(): Promise<void> };
  function enter(turns: ReadTurns, userId: number, route: Route = listOrders): Held {
    const entered = turns.enter(route, caller(userId), {}, reply());
    const held: Held = {
      hasEntered: false,
      leave: async () => {
        const leave = await entered;
        if (leave.ok) leave.value();
      },
    };
    void entered.then(({ ok }) => {
      held.hasEntered = ok;
    });
    return held;
  }
  const fill = (turns: ReadTurns, userId: number) =>
    Array.from({ length: readTurnLimits.atOncePerUser }, () => enter(turns, userId));
  /** All that enters at once has entered then. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  test('searches find their places while two users keep every place for reads', async () => {
    const turns = createReadTurns({ console: 11, search: 4 });
    const held = [...fill(turns, 1), ...fill(turns, 2)];
    const reads = [enter(turns, 1), enter(turns, 2), enter(turns, 3)];
    const searches = [1, 2].map((userId) => enter(turns, userId, searchRecords));
    await settled();
    expect(reads.map(({ hasEntered }) => hasEntered)).toEqual([false, false, false]);
    expect(searches.map(({ hasEntered }) => hasEntered)).toEqual([true, true]);
    const [third, again] = [enter(turns, 3, searchRecords), enter(turns, 1, searchRecords)];
    await settled();
    expect([third.hasEntered, again.hasEntered]).toEqual([false, false]);
    await searches[1]?.leave();
    await expect.poll(() => third.hasEntered).toBe(true);
    expect(again.hasEntered).toBe(false);
    for (const one of [...held, ...reads, ...searches, third, again]) void one.leave();
  });

  test('the big screen opens while two users wait for it with all their reads under way, and then for them', async () => {
    const turns = createReadTurns({ console: 22, search: 4 });
    const held = [...fill(turns, 1), ...fill(turns, 2)];
    const waiting = [1, 2].map((userId) => enter(turns, userId, getBigScreen));
    await settled();
    const third = enter(turns, 3, getBigScreen);
    await settled();
    expect([...waiting, third].map(({ hasEntered }) => hasEntered)).toEqual([false, false, true]);
    await held[0]?.leave();
    await expect.poll(() => waiting[0]?.hasEntered).toBe(true);
    expect(waiting[1]?.hasEntered).toBe(false);
    await Promise.all([third, held[4]].map((one) => one?.leave()));
    await expect.poll(() => waiting[1]?.hasEntered).toBe(true);
    for (const one of [...held, ...waiting]) void one.leave();
  });

  test('one user with many reads under way leaves the others two places', async () => {
    const turns = createReadTurns({ console: laneSizes.console, search: laneSizes.search });
    const held = fill(turns, 1);
    const others = [2, 3].map((userId) => enter(turns, userId));
    await settled();
    expect(others.map(({ hasEntered }) => hasEntered)).toEqual([true, true]);
    for (const one of [...held, ...others]) void one.leave();
  });
});

describe('downloads', () => {
  test('one user’s downloads run two at a time, and the next begins when one was sent', async () => {
    const turns = createReadTurns({ console: 16, search: 4 });
    const first = reply();
    expect((await turns.enterDownload(exportOrders, caller(1), first)).ok).toBe(true);
    expect((await turns.enterDownload(exportOrders, caller(1), reply())).ok).toBe(true);
    let began = false;
    const third = turns.enterDownload(exportOrders, caller(1), reply()).then(({ ok }) => {
      began = ok;
    });
    expect((await turns.enterDownload(exportOrders, caller(2), reply())).ok).toBe(true);
    expect(began).toBe(false);
    first.raw.emit('close');
    await third;
    expect(began).toBe(true);
  });

  test('a download whose reader left before its turn takes no place', async () => {
    const turns = createReadTurns({ console: 16, search: 4 });
    const goneBefore = reply();
    goneBefore.raw.destroyed = true;
    for (let userId = 0; userId < readTurnLimits.downloads; userId += 1) {
      expect((await turns.enterDownload(exportOrders, caller(userId), goneBefore)).ok).toBe(false);
    }
    expect((await turns.enterDownload(exportOrders, caller(99), reply())).ok).toBe(true);
  });

  test('a download that reads little takes no place', async () => {
    const turns = createReadTurns({ console: 16, search: 4 });
    for (let count = 0; count < 20; count += 1) {
      expect((await turns.enterDownload(listOrders, caller(1), reply())).ok).toBe(true);
    }
  });
});
