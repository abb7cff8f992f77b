import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createSessions } from '@voltdeck/server/caller/sessions';
import type { Database } from '@voltdeck/server/database/database';
import type { UserId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import { callConsole } from './console-calls.ts';
import { fillNetwork, largeNetwork } from './fill-network.ts';
import {
  bareLists,
  countsApart,
  type Question,
  questionsOf,
  readKnown,
  type Statement,
  statementsOf,
} from './list-questions.ts';
import { type Random, seededRandom } from './order-pages.ts';
import { type Product, startProduct } from './product.ts';
import { median, percentile } from './spread.ts';

/** The bound that these lists are built for: the 95th percentile of rows and total over their bare SQL. */
const overBareMax = 1.5;

const asks = 3;
const warmUpAsks = 1;
const pageSize = 20;

/** Who asks, as what the lists' statements know of them. */
type Asker = { name: string; token: string; agentId: number | null };

/** A question of one asker with the milliseconds of each time that it was asked. */
type Case = { asker: Asker; question: Question; taken: Taken[] };
type Taken = { list: number; sql: number; bareServer: number; listRows: number; sqlRows: number };

/**
 * Every filter of the lists of sites, stations and ports, with every kind of value, as the console asks: the first page
 * and, where the page requests it apart, the total. Against the same question as SQL by pg on one connection, rows and
 * total one after the other, and against a bare server that runs that SQL and answers its rows; one after another in
 * rotating order.
 * @returns a line for each bound that is missed.
 */
export async function benchListFilters(): Promise<string[]> {
  const product = await startProduct(async () => undefined);
  try {
    const began = performance.now();
    await fillNetwork(product.database);
    console.log(
      `  filled ${Object.entries(largeNetwork)
        .map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
        .join(', ')} in ${((performance.now() - began) / 1_000).toFixed(0)} s`,
    );
    const bareServer = await startBareServer(product.database.url);
    const client = await product.database.pool.connect();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      return await compare({ product, client, agent, bareServer });
    } finally {
      agent.destroy();
      client.release(true);
      bareServer.stop();
    }
  } finally {
    await product.stop();
  }
}

type Ways = { product: Product; client: pg.PoolClient; agent: Agent; bareServer: { url: string } };

async function startBareServer(databaseUrl: string): Promise<{ url: string; stop(): void }> {
  const server = fork(new URL('./bare-list-server.ts', import.meta.url), [databaseUrl], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(server, 'message')) as [{ port: number }];
  return { url: `http://127.0.0.1:${port}/`, stop: () => void server.kill() };
}

async function compare(ways: Ways): Promise<string[]> {
  const random = seededRandom(1);
  const cases = await casesOf(ways.product.database);
  const floor: number[] = [];
  for (let ask = -warmUpAsks; ask < asks; ask += 1) {
    for (const one of cases) {
      const taken = await takeQuestion(ways, one, random);
      if (ask >= 0) one.taken.push(taken);
    }
    if (ask >= 0) floor.push(await takeFloor(ways, cases[0]?.asker.token ?? ''));
  }
  return report(cases, floor);
}

async function casesOf(database: Database): Promise<Case[]> {
  const cases: Case[] = [];
  for (const asker of await openAskers(database)) {
    for (const list of bareLists) {
      const known = await readKnown(database.pool, list, asker.agentId);
      for (const question of questionsOf(list, known)) cases.push({ asker, question, taken: [] });
    }
  }
  return cases;
}

/** An operator of the platform, and one of an agent with a handful of sites. */
async function openAskers({ db, pool }: Database): Promise<Asker[]> {
  const sessions = createSessions(db);
  const origin = { remoteAddress: '127.0.0.1', userAgent: 'bench' };
  const askers: Asker[] = [];
  for (const [name, agentId] of [
    ['operator', null],
    ['small agent', largeNetwork.agents],
  ] as const) {
    const { rows } = await pool.query<{ id: UserId }>(
      `insert into users (user_name, real_name, password_hash, agent_id, position_id)
       values ($1, $1, '-', $2, (select min(id) from positions where data_scope = $3)) returning id`,
      [name, agentId, agentId === null ? 'platform' : 'agent_tree'],
    );
    const [user] = rows;
    if (user === undefined) throw new Error('no user was made');
    const { token } = await db.transaction().execute((trx) => sessions.open(trx, user.id, instant(Date.now()), origin));
    askers.push({ name, token, agentId });
  }
  return askers;
}

type Answered = { ids: number[]; total: number };

/** Asks by all ways in rotating order, and checks that they agree. */
async function takeQuestion(ways: Ways, { asker, question }: Case, random: Random): Promise<Taken> {
  const value = question.draw(random);
  const statements = statementsOf(question, value, asker.agentId, pageSize);
  const taken: Taken = { list: 0, sql: 0, bareServer: 0, listRows: 0, sqlRows: 0 };
  let listed: Answered | null = null;
  let selected: Answered | null = null;
  const turns = [
    async () => {
      const began = performance.now();
      listed = await askList(ways, asker, question, value, () => {
        taken.listRows = performance.now() - began;
      });
      taken.list = performance.now() - began;
    },
    async () => {
      const began = performance.now();
      const [rows, total] = statements;
      const page = await select<{ id: number }>(ways, rows);
      taken.sqlRows = performance.now() - began;
      const [count] = await select<{ total: number }>(ways, total);
      taken.sql = performance.now() - began;
      selected = { ids: page.map(({ id }) => id), total: count?.total ?? 0 };
    },
    async () => {
      const began = performance.now();
      for (const statement of statements) await askBareServer(ways, statement);
      taken.bareServer = performance.now() - began;
    },
  ];
  const first = Math.floor(random() * turns.length);
  for (let turn = 0; turn < turns.length; turn += 1) await turns[(first + turn) % turns.length]?.();
  checkAgree(question, value, listed, selected);
  return taken;
}

function checkAgree({ list, filter }: Question, value: string, listed: Answered | null, selected: Answered | null) {
  const [ours, sql] = [listed, selected].map((one) => JSON.stringify(one));
  if (ours !== sql) throw new Error(`${list.route.name} by ${filter}=${value}: the list shows ${ours}, its SQL ${sql}`);
}

type Page = { items: { id: number }[]; total: number | null; totalIsAtLeast?: boolean };

async function askList(
  { product, agent }: Ways,
  { token }: Asker,
  { list, filter }: Question,
  value: string,
  atRows: () => void,
): Promise<Answered> {
  const query = new URLSearchParams({ [filter]: value });
  const isApart = countsApart(list);
  const address = `http://127.0.0.1:${product.port}/api${list.route.path}`;
  const none = isApart ? '&total=none' : '';
  const page = await get<Page>(agent, `${address}?page=1&pageSize=${pageSize}${none}&${query}`, token);
  atRows();
  const counted = isApart
    ? await get<{ total: number }>(agent, `${address}/totals?${query}`, token)
    : { total: (page.total ?? 0) + (page.totalIsAtLeast === true ? 1 : 0) };
  return { ids: page.items.map(({ id }) => id), total: counted.total };
}

async function get<Data>(agent: Agent, url: string, token: string): Promise<Data> {
  const { status, body } = await callConsole(agent, url, token);
  if (status !== 200) throw new Error(`${url} answered ${status}: ${body}`);
  return (JSON.parse(body) as { data: Data }).data;
}

/** Prepared statement names have at most 63 bytes, so each text gets a short one. */
const names = new Map<string, string>();
function nameOf(statement: string): string {
  const name = names.get(statement) ?? `bare${names.size}`;
  names.set(statement, name);
  return name;
}

async function select<Row extends pg.QueryResultRow>({ client }: Ways, statement: Statement): Promise<Row[]> {
  return (await client.query<Row>({ name: nameOf(statement.text), ...statement })).rows;
}

async function askBareServer({ agent, bareServer }: Ways, statement: Statement): Promise<void> {
  const asking = request(bareServer.url, { agent, method: 'POST' });
  asking.end(JSON.stringify({ name: nameOf(statement.text), ...statement }));
  const [answer] = await once(asking, 'response');
  JSON.parse(await text(answer));
}

/** The cheapest call of a signed-in user: what authentication and the way over HTTP take. */
async function takeFloor({ product, agent }: Ways, token: string): Promise<number> {
  const began = performance.now();
  await get(agent, `http://127.0.0.1:${product.port}/api/sites/1`, token);
  return performance.now() - began;
}

type Way = keyof Taken;
const p95 = (taken: readonly Taken[], way: Way) =>
  percentile(
    taken.map((one) => one[way]),
    0.95,
  );
const p50 = (taken: readonly Taken[], way: Way) => median(taken.map((one) => one[way]));

function report(cases: readonly Case[], floor: readonly number[]): string[] {
  console.log(
    `filters of lists, each asked ${asks} times; ms at p50 / p95 for rows and total; one site by its id: ${median(floor).toFixed(2)} / ${percentile(floor, 0.95).toFixed(2)}`,
  );
  const heads = ['the list', 'its SQL by pg', 'a bare server', 'p95 ratio', 'more ms', 'rows alone'];
  console.log(`  ${''.padEnd(46)}${heads.map((head) => head.padStart(16)).join('')}`);
  const misses: string[] = [];
  for (const { asker, question, taken } of cases) {
    const { list, filter, value } = question;
    const name = `${list.route.path} ${filter}, ${value}${asker.agentId === null ? '' : ', small agent'}`;
    const both = (way: Way) => `${p50(taken, way).toFixed(2)} / ${p95(taken, way).toFixed(2)}`;
    const ratio = p95(taken, 'list') / p95(taken, 'sql');
    const more = p50(taken, 'list') - p50(taken, 'bareServer');
    const rows = p95(taken, 'listRows') / p95(taken, 'sqlRows');
    const cells = [both('list'), both('sql'), both('bareServer'), ratio.toFixed(2), more.toFixed(2), rows.toFixed(2)];
    console.log(`  ${name.padEnd(46)}${cells.map((cell) => cell.padStart(16)).join('')}`);
    if (ratio > overBareMax)
      misses.push(`list-filters: ${name} ${ratio.toFixed(2)} of its bare SQL, bound ${overBareMax}`);
  }
  console.log(`  ${cases.length - misses.length} of ${cases.length} within ${overBareMax} of their bare SQL`);
  return misses;
}
