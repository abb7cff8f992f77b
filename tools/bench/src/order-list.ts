import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createSessions } from '@voltdeck/server/caller/sessions';
import type { Database } from '@voltdeck/server/database/database';
import type { UserId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';

import type pg from 'pg';
import { fillOrders } from './fill-orders.ts';
import {
  type Asker,
  agentOf,
  bareRows,
  bareTotal,
  type KnownOrders,
  type PageKind,
  pageKinds,
  pageSize,
  seededRandom,
} from './order-pages.ts';
import { type Product, startProduct } from './product.ts';
import { median, percentile, spread } from './spread.ts';

const manyOrders = 10_000_000;
const quickOrders = 1_000_000;
const fewOrders = 100_000;

/** The bounds that this list is built for: 95th percentiles over the mix of pages. */
const overBareMax = 2;
const overFewMax = 1.15;

const rounds = 5;
/** Pages of each kind per round, each with random values. */
const pagesOfKind = 20;
const warmUpPagesOfKind = 3;
/** The server's own limit for counting. */
const countedMax = 10_000;
const numbersKept = 2_000;

/** Milliseconds for one page by each way. */
type Taken = { many: number; rows: number; few: number };

/**
 * The order list over HTTP at ten million orders as the console requests it, rows first and their total separately,
 * compared with the SQL of the rows by pg over the same loopback and with the same list at 100,000 orders; all interleaved
 * page by page.
 * @returns a line for every bound that was missed.
 */
export async function benchOrderList({ quick }: { quick: boolean }): Promise<string[]> {
  const few = await openList(fewOrders);
  try {
    const many = await openList(quick ? quickOrders : manyOrders);
    try {
      return await compare(many, few);
    } finally {
      await many.close();
    }
  } finally {
    await few.close();
  }
}

async function compare(many: List, few: List): Promise<string[]> {
  const random = seededRandom(1);
  const byKind = new Map<string, Taken[]>(pageKinds.map(({ name }) => [name, []]));
  const byRound: Taken[][] = [];
  for (let round = -1; round < rounds; round += 1) {
    const taken: Taken[] = [];
    for (let turn = 0; turn < (round < 0 ? warmUpPagesOfKind : pagesOfKind); turn += 1) {
      for (const kind of pageKinds) {
        const one = await takePage(many, few, kind, random);
        if (round < 0) continue;
        taken.push(one);
        byKind.get(kind.name)?.push(one);
      }
    }
    if (round >= 0) byRound.push(taken);
  }
  const misses = report(many, few, byKind, byRound);
  await reportTotals(many, random);
  return misses;
}

/**
 * One total of each kind, which the console requests beside the rows. It reads every order of its filter, so it takes
 * seconds where that is millions, and the server refuses what takes too long.
 */
async function reportTotals(many: List, random: () => number): Promise<void> {
  console.log('  the total of each kind, ms over HTTP, and counting to the list’s limit by pg');
  for (const kind of pageKinds) {
    const agents = agentOf(kind.asker, random);
    const page = kind.draw(random, many.known);
    const began = performance.now();
    const isTold = await many.count(kind, page.parameters, agents);
    const told = isTold ? (performance.now() - began).toFixed(0) : 'too long';
    const total = bareTotal(page, agents, countedMax);
    const asked = performance.now();
    await many.client.query(total);
    console.log(`  ${kind.name.padEnd(40)}${told.padStart(10)}${(performance.now() - asked).toFixed(0).padStart(10)}`);
  }
}

/** Fetches one page by all ways in rotating order, and checks that the rows agree. */
async function takePage(many: List, few: List, kind: PageKind, random: () => number): Promise<Taken> {
  const seed = random() * 2 ** 32;
  const asked = (list: List) => {
    const own = seededRandom(seed);
    const agents = agentOf(kind.asker, own);
    return { agents, ...kind.draw(own, list.known) };
  };
  const taken: Taken = { many: 0, rows: 0, few: 0 };
  let listed: number[] = [];
  let selected: number[] = [];
  const ways = [
    async () => {
      const { parameters, agents } = asked(many);
      const began = performance.now();
      listed = await many.get(kind, parameters, agents);
      taken.many = performance.now() - began;
    },
    async () => {
      const { agents, ...page } = asked(many);
      const rows = bareRows(kind, page, agents);
      const began = performance.now();
      const answer = await many.client.query<{ id: number }>({ name: nameOf(rows.text), ...rows });
      taken.rows = performance.now() - began;
      selected = answer.rows.map(({ id }) => id);
    },
    async () => {
      const { parameters, agents } = asked(few);
      const began = performance.now();
      await few.get(kind, parameters, agents);
      taken.few = performance.now() - began;
    },
  ];
  const first = Math.floor(random() * ways.length);
  for (let way = 0; way < ways.length; way += 1) await ways[(first + way) % ways.length]?.();
  if (listed.join() !== selected.join()) {
    throw new Error(`${kind.name}: the list shows ${listed.join()}, its SQL ${selected.join()}`);
  }
  return taken;
}

/** Prepared statement names have at most 63 bytes, so each text gets a short one. */
const names = new Map<string, string>();
function nameOf(text: string): string {
  const name = names.get(text) ?? `bare${names.size}`;
  names.set(text, name);
  return name;
}

type List = {
  orders: number;
  client: pg.PoolClient;
  known: KnownOrders;
  /** The ids of a page's rows. */
  get(kind: PageKind, parameters: Record<string, string>, agents: readonly number[]): Promise<number[]>;
  /** The total of the same filter. @returns false when it was refused as too long */
  count(kind: PageKind, parameters: Record<string, string>, agents: readonly number[]): Promise<boolean>;
  close(): Promise<void>;
};

async function openList(orders: number): Promise<List> {
  const product = await startProduct(async (database) => {
    const filled = await fillOrders(database, orders);
    console.log(
      `  filled ${orders.toLocaleString('en')} orders in ${Math.round(filled.tookMs / 1_000)} s, ${(filled.bytes / 2 ** 30).toFixed(1)} GiB with their indexes`,
    );
  });
  try {
    return await connectList(product, orders);
  } catch (error) {
    await product.stop();
    throw error;
  }
}

async function connectList(product: Product, orders: number): Promise<List> {
  const { database, port } = product;
  const tokens = await openSessions(database);
  const client = await database.pool.connect();
  const { rows } = await client.query<{ number: string }>(
    `select number from orders where id in (select 1 + floor(random() * $1::int)::bigint from generate_series(1, ${numbersKept}))`,
    [orders],
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    orders,
    client,
    known: { numbers: rows.map(({ number }) => number), untilMs: Date.now() },
    async get({ asker, page }, parameters, agents) {
      const query = new URLSearchParams({
        page: String(page),
        pageSize: String(pageSize),
        total: 'none',
        ...parameters,
      });
      const token = tokens.get(tokenName(asker, agents)) ?? '';
      const { items } = await ask<{ items: { id: number }[] }>(
        agent,
        `http://127.0.0.1:${port}/api/orders?${query}`,
        token,
      );
      return items.map(({ id }) => id);
    },
    async count({ asker }, { sort: _sort, ...filter }, agents) {
      const query = new URLSearchParams(filter);
      const token = tokens.get(tokenName(asker, agents)) ?? '';
      try {
        await ask(agent, `http://127.0.0.1:${port}/api/orders/totals?${query}`, token);
        return true;
      } catch (error) {
        if (error instanceof TookTooLong) return false;
        throw error;
      }
    },
    async close() {
      agent.destroy();
      client.release(true);
      await product.stop();
    },
  };
}

class TookTooLong extends Error {}

async function ask<Data>(agent: Agent, url: string, token: string): Promise<Data> {
  const asking = request(url, { agent, headers: { token, language: 'en', accept: 'application/json' } });
  asking.end();
  const [answer] = await once(asking, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  if (answer.statusCode === 422 && body.includes('took too long')) throw new TookTooLong();
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${body}`);
  return (JSON.parse(body) as { data: Data }).data;
}

function tokenName(asker: Asker, agents: readonly number[]): string {
  return asker === 'platform' ? asker : `agent ${agents[0]}`;
}

/** A signed-in user of the platform and one of each agent. */
async function openSessions({ db, pool }: Database): Promise<Map<string, string>> {
  const sessions = createSessions(db);
  const { rows } = await pool.query<{ id: UserId; name: string }>(
    `insert into users (user_name, real_name, password_hash, agent_id, position_id)
     select who.name, who.name, '-', who.agent_id,
            (select min(id) from positions where data_scope = case when who.agent_id is null then 'platform' else 'agent_tree' end)
       from (select 'platform' as name, null::bigint as agent_id union all select 'agent ' || id, id from agents) who
     returning id, user_name as name`,
  );
  const origin = { remoteAddress: '127.0.0.1', userAgent: 'bench' };
  const tokens = new Map<string, string>();
  for (const { id, name } of rows) {
    const { token } = await db.transaction().execute((trx) => sessions.open(trx, id, instant(Date.now()), origin));
    tokens.set(name, token);
  }
  return tokens;
}

function report(many: List, few: List, byKind: Map<string, Taken[]>, byRound: Taken[][]): string[] {
  const p95 = (taken: readonly Taken[], way: keyof Taken) =>
    percentile(
      taken.map((one) => one[way]),
      0.95,
    );
  const p50 = (taken: readonly Taken[], way: keyof Taken) => median(taken.map((one) => one[way]));
  const size = many.orders.toLocaleString('en');
  console.log(
    `order list at ${size} orders, ${rounds} rounds of ${pageKinds.length} kinds of page, ${pagesOfKind} of each; ms at p50 / p95`,
  );
  const row = (cells: readonly string[]) =>
    console.log(`  ${cells.map((cell, index) => (index === 0 ? cell.padEnd(40) : cell.padStart(17))).join('')}`);
  row(['', 'list', 'its rows by pg', `list at ${few.orders / 1_000}k`, 'p95 ratios']);
  for (const [name, taken] of byKind) {
    const both = (way: keyof Taken) => `${p50(taken, way).toFixed(2)} / ${p95(taken, way).toFixed(2)}`;
    const ratios = [p95(taken, 'many') / p95(taken, 'rows'), p95(taken, 'many') / p95(taken, 'few')];
    row([name, both('many'), both('rows'), both('few'), ratios.map((it) => it.toFixed(2)).join('  ')]);
  }
  const ways = ['many', 'rows', 'few'] as const;
  row([
    'all of them, median p95 of the rounds',
    ...ways.map((way) => median(byRound.map((one) => p95(one, way))).toFixed(2)),
  ]);
  const over = (way: keyof Taken) => byRound.map((taken) => p95(taken, 'many') / p95(taken, way));
  const [overRows, overFew] = [over('rows'), over('few')];
  console.log(`  p95 over its rows by pg       ${spread(overRows)}, bound ${overBareMax}`);
  console.log(`  p95 over the list at 100,000  ${spread(overFew)}, bound ${overFewMax}`);
  const misses: string[] = [];
  if (median(overRows) > overBareMax)
    misses.push(`order list: ${median(overRows).toFixed(2)} of its bare SQL, bound ${overBareMax}`);
  if (median(overFew) > overFewMax)
    misses.push(`order list: ${median(overFew).toFixed(2)} of 100,000 orders, bound ${overFewMax}`);
  return misses;
}
