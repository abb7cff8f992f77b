import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createSessions } from '@voltdeck/server/caller/sessions';
import type { Database } from '@voltdeck/server/database/database';
import { KnownTotals } from '@voltdeck/server/http/known-totals';
import { type Asked, readPage } from '@voltdeck/server/http/list-source';
import { movementList } from '@voltdeck/server/payments/movements/queries';
import { rechargeList } from '@voltdeck/server/payments/queries';
import { instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import { fillMoney, purses } from './fill-money.ts';
import { openSession } from './open-session.ts';
import { type Random, seededRandom } from './order-pages.ts';
import { type Product, startProduct } from './product.ts';
import { median, percentile, spread } from './spread.ts';

const many = 10_000_000;
const quickly = 1_000_000;
/** The bound: the 95th percentile over all kinds of page. */
const overBareMax = 1.5;
/** The bound of what the sums of a million rows take in the database. */
const sumsMaxMs = 1_000;
const summed = 1_000_000;
const rounds = 5;
const pagesOfKind = 12;
const warmUpPagesOfKind = 3;
const sumsOfKind = 5;
const pageSize = 20;
const dayMs = 86_400_000;

/** A user of the platform, of an agent with two below it, of one alone, and of one with a handful of cards. */
const askers = { platform: null, tree: 1, agent: 5, small: purses.smallAgent } as const;
type Asker = keyof typeof askers;
const agentsOf: Readonly<Record<Asker, string>> = {
  platform: '',
  tree: '1, 2, 3',
  agent: '5',
  small: String(purses.smallAgent),
};

const sources = { movements: movementList, recharges: rechargeList };
type List = keyof typeof sources;
type Known = { fromMs: number; toMs: number; count: number };
type Question = { query: Record<string, string>; where: string; values: unknown[]; page?: number };
type Kind = { name: string; list: List; asker: Asker; draw(random: Random, known: Known): Question };

const all = (page = 1) => ({ query: {}, where: 'true', values: [], page });
const equals = (query: Record<string, string>, where: string, ...values: unknown[]) => ({ query, where, values });
const upTo = (random: Random, max: number) => 1 + Math.floor(random() * max);
const cardNumber = (id: number) => id.toString(16).toUpperCase().padStart(16, '0');
const phone = (id: number) => String(13_800_000_000 + id);

function period(random: Random, { fromMs, toMs }: Known, lengthMs: number): Question {
  const from = new Date(fromMs + Math.floor(random() * (toMs - fromMs - lengthMs)));
  const to = new Date(from.getTime() + lengthMs);
  return {
    query: { from: from.toISOString(), to: to.toISOString() },
    where: 'm.created_at >= $1 and m.created_at <= $2',
    values: [from, to],
  };
}

function within(part: Question, more: Record<string, string>, where: string): Question {
  return { ...part, query: { ...part.query, ...more }, where: `${part.where} and ${where}` };
}

/** The newest of the people's own and of each of their cards, by the indexes that are in that order. */
const ofPeople = (people: string) => {
  const newest = (owner: string) => `
    select id, created_at from movements where ${owner} order by created_at desc, id desc limit ${pageSize}`;
  return `m.id in (select id from (
       (${newest(`customer_id = (${people})`)})
       union all select each.* from cards c cross join lateral (${newest('card_id = c.id')}) each where c.customer_id = (${people})
     ) f order by created_at desc, id desc limit ${pageSize})`;
};

function kind(list: List, name: string, draw: Kind['draw'], asker: Asker = 'platform'): Kind {
  return { list, name, draw, asker };
}

const shared = (list: List): Kind[] => [
  kind(list, 'newest', () => all()),
  kind(list, 'page 100', () => all(100)),
  kind(list, 'newest of an agent with two below', () => all(), 'tree'),
  kind(list, 'newest of an agent', () => all(), 'agent'),
  kind(list, 'newest of a small agent', () => all(), 'small'),
  kind(list, 'a day', (random, known) => period(random, known, dayMs)),
  kind(list, 'a month', (random, known) => period(random, known, 30 * dayMs)),
  kind(list, 'a month of an agent', (random, known) => period(random, known, 30 * dayMs), 'agent'),
  kind(list, 'a number', (random, { count }) => {
    const number = (list === 'movements' ? 'M' : 'R') + String(upTo(random, count)).padStart(20, '0');
    return equals({ number }, 'm.number = $1', number);
  }),
  kind(list, 'a card', (random) => {
    const id = upTo(random, purses.cards);
    return equals({ cardId: String(id) }, 'm.card_id = $1', id);
  }),
  kind(list, 'a card’s number', (random) => {
    const number = cardNumber(upTo(random, purses.cards));
    return equals({ cardNumber: number }, 'm.card_id = (select id from cards where number = $1)', number);
  }),
];

const kinds: readonly Kind[] = [
  ...shared('movements'),
  kind('movements', 'a registered user', (random) => {
    const id = upTo(random, purses.customers);
    return equals({ customerId: String(id) }, ofPeople('$1::bigint'), id);
  }),
  kind('movements', 'a phone', (random) => {
    const wanted = phone(upTo(random, purses.customers));
    return equals({ phone: wanted }, ofPeople('select id from customers where phone = $1'), wanted);
  }),
  kind('movements', 'orders paid', () => equals({ type: 'consume' }, "m.type = 'consume'")),
  kind('movements', 'a rare type', () => equals({ type: 'refund_failed' }, "m.type = 'refund_failed'")),
  kind('movements', 'both recharges', () =>
    equals({ type: 'recharge,system_recharge' }, "m.type in ('recharge', 'system_recharge')"),
  ),
  kind(
    'movements',
    'a rare type of an agent',
    () => equals({ type: 'refund_failed' }, "m.type = 'refund_failed'"),
    'agent',
  ),
  kind('movements', 'a type within a month', (random, known) =>
    within(period(random, known, 30 * dayMs), { type: 'gift' }, "m.type = 'gift'"),
  ),
  kind('movements', 'a channel', () => equals({ channel: 'wechat' }, "m.channel = 'wechat'")),
  kind('movements', 'a channel within a month', (random, known) =>
    within(period(random, known, 30 * dayMs), { channel: 'bank' }, "m.channel = 'bank'"),
  ),
  kind('movements', 'reversed', () => equals({ state: 'reversed' }, "m.state = 'reversed'")),
  kind('movements', 'an agent', () => equals({ agentId: '7' }, 'm.agent_id = 7')),
  kind('movements', 'an order', (random, { count }) => {
    const id = upTo(random, count);
    return equals({ orderId: String(id) }, 'm.order_id = $1', id);
  }),
  ...shared('recharges'),
  kind('recharges', 'a registered user', (random) => {
    const id = upTo(random, purses.customers);
    return equals({ customerId: String(id) }, 'm.customer_id = $1', id);
  }),
  kind('recharges', 'a phone', (random) => {
    const wanted = phone(upTo(random, purses.customers));
    return equals({ phone: wanted }, 'm.customer_id = (select id from customers where phone = $1)', wanted);
  }),
  kind('recharges', 'reversed', () => equals({ reversed: 'true' }, 'm.reversed_at is not null')),
  kind('recharges', 'not reversed', () => equals({ reversed: 'false' }, 'm.reversed_at is null')),
];

/** Filters that a million rows match, as nearly as the time of the millionth tells. */
const sumKinds: readonly { name: string; list: List; asker: Asker; query: Record<string, string>; where: string }[] = [
  { name: 'a million in a period', list: 'movements', asker: 'platform', query: {}, where: 'true' },
  {
    name: 'a million of a type',
    list: 'movements',
    asker: 'platform',
    query: { type: 'consume' },
    where: "m.type = 'consume'",
  },
  { name: 'a million of an agent', list: 'movements', asker: 'agent', query: {}, where: 'm.agent_id = 5' },
  {
    name: 'a million in a state',
    list: 'movements',
    asker: 'platform',
    query: { state: 'done' },
    where: "m.state = 'done'",
  },
  { name: 'a million in a period', list: 'recharges', asker: 'platform', query: {}, where: 'true' },
];

/** The rows of a page by hand: what the list shows, of as few records as possible. */
function bareRows({ list, asker }: Kind, { where, values, page = 1 }: Question): { text: string; values: unknown[] } {
  const agents = agentsOf[asker];
  const owned = list === 'movements' ? 'm.agent_id' : 'm.owner_agent_id';
  const scope = agents === '' ? 'true' : agents.includes(',') ? `${owned} in (${agents})` : `${owned} = ${agents}`;
  const text = `
    select m.*, c.number as card_number, p.phone, coalesce(p.nickname, h.nickname) as nickname, h.phone as holder, u.real_name, a.name
      from (select * from ${list} m where ${where} and ${scope}
             order by created_at desc, id desc limit ${pageSize} offset ${(page - 1) * pageSize}) m
      left join cards c on c.id = m.card_id
      left join customers p on p.id = m.customer_id
      left join customers h on h.id = c.customer_id
      left join users u on u.id = m.user_id
      left join agents a on a.id = m.agent_id
     order by m.created_at desc, m.id desc`;
  return { text, values };
}

/** A page over HTTP, as the server reads it from the database without HTTP or session, and by hand. */
type Taken = { list: number; read: number; bare: number };
type Ways = {
  agent: Agent;
  port: number;
  tokens: Readonly<Record<Asker, string>>;
  askedBy: Readonly<Record<Asker, Asked>>;
  database: Database;
  client: pg.ClientBase;
};

/**
 * The lists of recharges and movements over HTTP at ten million of each, compared with hand-written SQL for the same
 * rows; both interleaved page by page, and checked to show the same records. Then their sums over a million rows.
 * @returns a line for every bound that was missed.
 */
export async function benchMoneyLists({ quick }: { quick: boolean }): Promise<string[]> {
  const count = quick ? quickly : many;
  const product = await startProduct(async (database) => {
    const { tookMs, bytes } = await fillMoney(database, count);
    console.log(
      `  filled ${count.toLocaleString('en')} recharges and movements in ${Math.round(tookMs / 1_000)} s, ${(bytes / 2 ** 30).toFixed(1)} GiB`,
    );
  });
  try {
    return await measureMoneyLists(product, count);
  } finally {
    await product.stop();
  }
}

export async function measureMoneyLists(
  { database, port }: Pick<Product, 'database' | 'port'>,
  count: number,
): Promise<string[]> {
  const client = await database.pool.connect();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const tokens: Partial<Record<Asker, string>> = {};
    const askedBy: Partial<Record<Asker, Asked>> = {};
    for (const [name, agentId] of Object.entries(askers) as [Asker, number | null][]) {
      const token = await openSession(database, agentId);
      tokens[name] = token;
      askedBy[name] = await askedWith(database, token);
    }
    const ways: Ways = {
      agent,
      port,
      tokens: tokens as Ways['tokens'],
      askedBy: askedBy as Ways['askedBy'],
      database,
      client,
    };
    const known = await readKnown(client, count);
    const pages = await comparePages(ways, known, count);
    return [...pages, ...(await timeSums(ways, known))];
  } finally {
    agent.destroy();
    client.release(true);
  }
}

async function comparePages(ways: Ways, known: Known, count: number): Promise<string[]> {
  const random = seededRandom(1);
  const byKind = new Map<Kind, Taken[]>(kinds.map((one) => [one, []]));
  const byRound: Taken[][] = [];
  for (let round = -1; round < rounds; round += 1) {
    const taken: Taken[] = [];
    for (let turn = 0; turn < (round < 0 ? warmUpPagesOfKind : pagesOfKind); turn += 1) {
      for (const one of kinds) {
        const page = await takePage(ways, one, one.draw(random, known), random() < 0.5);
        if (round < 0) continue;
        taken.push(page);
        byKind.get(one)?.push(page);
      }
    }
    if (round >= 0) byRound.push(taken);
  }
  return report(count, byKind, byRound);
}

async function askedWith({ db }: Database, token: string): Promise<Asked> {
  const at = instant(Date.now());
  const session = await createSessions(db).find(token, at);
  if (!session.ok) throw new Error(`a session that was just opened is refused: ${session.error.code}`);
  return {
    caller: { ...session.value, language: 'en', remoteAddress: '127.0.0.1' },
    at,
    sessionId: null,
    secrets: null,
  };
}

/** One page by every way, which must show the same records. */
async function takePage(ways: Ways, one: Kind, question: Question, isBareFirst: boolean): Promise<Taken> {
  const taken: Taken = { list: 0, read: 0, bare: 0 };
  let listed: number[] = [];
  let read: number[] = [];
  let selected: number[] = [];
  const { query, page = 1 } = question;
  const search = { page: String(page), pageSize: String(pageSize), total: 'none', ...query };
  const turns = [
    async () => {
      const began = performance.now();
      const { items } = await ask<{ items: { id: number }[] }>(ways, one.asker, one.list, search);
      taken.list = performance.now() - began;
      listed = items.map(({ id }) => id);
    },
    async () => {
      const began = performance.now();
      const items = await readList(ways, one, search);
      taken.read = performance.now() - began;
      read = items.map(({ id }) => id);
    },
    async () => {
      const rows = bareRows(one, question);
      const began = performance.now();
      const answer = await ways.client.query<{ id: number }>({ name: nameOf(rows.text), ...rows });
      taken.bare = performance.now() - began;
      selected = answer.rows.map(({ id }) => id);
    },
  ];
  if (isBareFirst) turns.reverse();
  for (const turn of turns) await turn();
  if (listed.join() !== selected.join() || read.join() !== selected.join()) {
    throw new Error(`${one.list}, ${one.name}: the list shows ${listed.join()}, its SQL ${selected.join()}`);
  }
  return taken;
}

async function readList({ database, askedBy }: Ways, { list, asker }: Kind, search: Record<string, string>) {
  const source = sources[list];
  if (source.route.query === undefined) throw new Error(`${list} has no filter`);
  const { page, pageSize: _, sort, total, ...filter } = source.route.query.parse(search);
  const wanted = { filter, sort, total, span: { limit: pageSize, offset: (page - 1) * pageSize } };
  const { items } = await readPage(source, database.db, askedBy[asker], wanted, new KnownTotals());
  return items as { id: number }[];
}

/** Prepared statement names have at most 63 bytes, so each text gets a short one. */
const names = new Map<string, string>();
function nameOf(text: string): string {
  const name = names.get(text) ?? `bare${names.size}`;
  names.set(text, name);
  return name;
}

async function readKnown(client: pg.ClientBase, count: number): Promise<Known> {
  const { rows } = await client.query<{ from: Date | number; to: Date | number }>(
    'select min(created_at) as from, max(created_at) as to from movements',
  );
  return { count, fromMs: Number(rows[0]?.from ?? 0), toMs: Number(rows[0]?.to ?? 0) };
}

async function timeSums(ways: Ways, known: Known): Promise<string[]> {
  console.log(`  sums, ${sumsOfKind} of each; ms over HTTP, which is more than the database’s`);
  const misses: string[] = [];
  for (const { name, list, asker, query, where } of sumKinds) {
    // Rounded up to what a filter can say, so that at most a million match.
    const { rows } = await ways.client.query<{ at: Date | number }>(
      `select created_at as at from ${list} m where ${where} order by created_at desc, id desc offset $1 limit 1`,
      [summed],
    );
    const from = new Date(Number(rows[0]?.at ?? known.fromMs - 1_000) + 1).toISOString();
    const took: number[] = [];
    let matched = 0;
    for (let turn = 0; turn < sumsOfKind; turn += 1) {
      const began = performance.now();
      matched = await askSums(ways, list, asker, { ...query, from });
      took.push(performance.now() - began);
    }
    const told = matched < 0 ? 'not summed: too many' : `${matched.toLocaleString('en')} rows`;
    console.log(`  ${`${list}, ${name}`.padEnd(44)}${spread(took, 0).padStart(22)}  ${told}`);
    if (matched < 0) misses.push(`money-lists: ${list}, ${name} is not summed`);
    else if (median(took) > sumsMaxMs) {
      misses.push(`money-lists: sums of ${list}, ${name} took ${median(took).toFixed(0)} ms, bound ${sumsMaxMs}`);
    }
  }
  return misses;
}

/** @returns how many rows were summed; -1 where they were too many. */
async function askSums(ways: Ways, list: List, asker: Asker, query: Record<string, string>): Promise<number> {
  if (list === 'recharges') {
    const { total, sums } = await ask<{ total: number; sums: object | null }>(ways, asker, 'recharges/totals', query);
    return sums === null ? -1 : total;
  }
  const { sums } = await ask<{ sums: { count: number }[] | null }>(ways, asker, 'movements/sums', query);
  return sums === null ? -1 : sums.reduce((sum, { count }) => sum + count, 0);
}

async function ask<Data>(ways: Ways, asker: Asker, path: string, query: Record<string, string>): Promise<Data> {
  const url = `http://127.0.0.1:${ways.port}/api/${path}?${new URLSearchParams(query)}`;
  const headers = { token: ways.tokens[asker], language: 'en', accept: 'application/json' };
  const asking = request(url, { agent: ways.agent, headers });
  asking.end();
  const [answer] = await once(asking, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${body}`);
  return (JSON.parse(body) as { data: Data }).data;
}

function report(count: number, byKind: Map<Kind, Taken[]>, byRound: Taken[][]): string[] {
  const p95 = (taken: readonly Taken[], way: keyof Taken) =>
    percentile(
      taken.map((one) => one[way]),
      0.95,
    );
  const p50 = (taken: readonly Taken[], way: keyof Taken) => median(taken.map((one) => one[way]));
  console.log(
    `money lists at ${count.toLocaleString('en')} recharges and movements, ${rounds} rounds of ${kinds.length} kinds of page, ${pagesOfKind} of each; ms at p50 / p95: over HTTP, as read from the database, by hand`,
  );
  for (const [{ list, name }, taken] of byKind) {
    const both = (way: keyof Taken) => `${p50(taken, way).toFixed(2)} / ${p95(taken, way).toFixed(2)}`;
    const ratio = (p95(taken, 'list') / p95(taken, 'bare')).toFixed(2);
    const figures = (['list', 'read', 'bare'] as const).map((way) => both(way).padStart(18)).join('');
    console.log(`  ${`${list}, ${name}`.padEnd(44)}${figures}${ratio.padStart(8)}`);
  }
  for (const way of ['list', 'read', 'bare'] as const) {
    console.log(
      `  ${way} p95 of all, median of the rounds ${median(byRound.map((taken) => p95(taken, way))).toFixed(2)}`,
    );
  }
  const overBare = (way: 'list' | 'read') => byRound.map((taken) => p95(taken, way) / p95(taken, 'bare'));
  const over = overBare('list');
  console.log(`  p95 over HTTP, of its rows by pg ${spread(over)}, bound ${overBareMax}`);
  console.log(`  p95 of what the database is asked, of its rows by pg ${spread(overBare('read'))}`);
  return median(over) > overBareMax
    ? [`money-lists: ${median(over).toFixed(2)} of its bare SQL, bound ${overBareMax}`]
    : [];
}
