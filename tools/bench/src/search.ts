import { Agent } from 'node:http';
import { createSessions } from '@voltdeck/server/caller/sessions';
import type { Database } from '@voltdeck/server/database/database';
import type { UserId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import { callConsole } from './console-calls.ts';
import { fillOrders } from './fill-orders.ts';
import { fillRecords } from './fill-records.ts';
import { type Random, seededRandom } from './order-pages.ts';
import { type Product, startProduct } from './product.ts';
import { median, percentile, spread } from './spread.ts';

const manyOrders = 10_000_000;
const quickOrders = 1_000_000;

/** The bound that the search is built for: its 95th percentile over HTTP, at ten million orders. */
const p95MsMax = 50;

const rounds = 5;
/** Searches of each kind per round, each with another text. */
const asksOfKind = 6;
const warmUpAsksOfKind = 2;
const textsKept = 500;

/** What people type: `of` draws a text from `known`. */
type TextKind = {
  name: string;
  draw(random: Random, known: Known): string;
  bare: { text: string; from(text: string): string };
};
type Known = Readonly<
  Record<'orders' | 'phones' | 'cards' | 'plates' | 'vins' | 'receipts' | 'invoices' | 'sites', readonly string[]>
>;

const one = (texts: readonly string[], random: Random) => texts[Math.floor(random() * texts.length)] ?? '';
const columnIs = (table: string, column: string) => ({
  text: `select id, ${column} from ${table} where ${column} = $1 limit 6`,
  from: (text: string) => text,
});
const reversed = (text: string) => [...text].reverse().join('');
const columnEnds = (table: string, column: string) => ({
  text: `select id, ${column} from ${table} where reverse(${column}) >= $1 and reverse(${column}) < $1 || U&'\\+10ffff' limit 200`,
  from: reversed,
});
const columnBegins = (table: string, column: string) => ({
  text: `select id, ${column} from ${table} where ${column} >= $1 and ${column} < $1 || U&'\\+10ffff' order by ${column} desc limit 200`,
  from: (text: string) => text,
});
const columnHas = (table: string, column: string, length: number) => ({
  text: `select id, ${column} from ${table} where text_pieces(${column}, ${length}) @> text_pieces($1, ${length})
           and ${column} ilike '%' || $1 || '%' limit 200`,
  from: (text: string) => text,
});

const textKinds: readonly TextKind[] = [
  { name: 'an order’s number', draw: (r, k) => one(k.orders, r), bare: columnIs('orders', 'number') },
  {
    name: 'its first 12 digits',
    draw: (r, k) => one(k.orders, r).slice(0, 12),
    bare: columnBegins('orders', 'number'),
  },
  { name: 'a day', draw: (r, k) => one(k.orders, r).slice(0, 8), bare: columnBegins('orders', 'number') },
  { name: 'its last 4 digits', draw: (r, k) => one(k.orders, r).slice(-4), bare: columnEnds('orders', 'number') },
  { name: 'its last 6 digits', draw: (r, k) => one(k.orders, r).slice(-6), bare: columnEnds('orders', 'number') },
  { name: 'a phone', draw: (r, k) => one(k.phones, r), bare: columnIs('customers', 'phone') },
  { name: 'its last 4 digits', draw: (r, k) => one(k.phones, r).slice(-4), bare: columnHas('customers', 'phone', 3) },
  { name: 'a card', draw: (r, k) => one(k.cards, r), bare: columnIs('cards', 'number') },
  { name: 'a plate', draw: (r, k) => one(k.plates, r), bare: columnIs('vehicles', 'plate') },
  { name: 'a VIN', draw: (r, k) => one(k.vins, r), bare: columnIs('vehicles', 'vin') },
  { name: 'a recharge’s number', draw: (r, k) => one(k.receipts, r), bare: columnIs('recharges', 'number') },
  { name: 'its last 6 digits', draw: (r, k) => one(k.receipts, r).slice(-6), bare: columnEnds('recharges', 'number') },
  { name: 'an invoice’s number', draw: (r, k) => one(k.invoices, r), bare: columnIs('invoices', 'invoice_number') },
  {
    name: 'two Chinese characters',
    draw: (r) => one(['银泰', '滨江', '西溪', '物流', '餐饮', '师傅', '建国'], r),
    bare: columnHas('sites', 'name', 2),
  },
  {
    name: 'two words',
    draw: (r) => one(['滨江 延安', '银泰 文三', '西溪 车站'], r),
    bare: columnHas('sites', 'name', 2),
  },
  {
    name: 'what many names have',
    draw: (r) => one(['公司', '充电站', '司机'], r),
    bare: columnHas('invoices', 'title', 2),
  },
  { name: 'a site', draw: (r, k) => one(k.sites, r), bare: columnHas('sites', 'name', 2) },
  { name: 'nothing', draw: (r) => `zq${Math.floor(r() * 1e6)}xw`, bare: columnIs('stations', 'number') },
  {
    name: 'what everything has',
    draw: (r) => one(['2026', '0000', 'MA1', '13'], r),
    bare: columnBegins('orders', 'number'),
  },
];

type Taken = { search: number; bare: number };

/**
 * The one search over HTTP at ten million orders and everything else in proportion, as a user of the platform and one of
 * an agent, against one statement that looks for the same text where it is.
 * @returns a line for the bound that was missed.
 */
export async function benchSearch({ quick }: { quick: boolean }): Promise<string[]> {
  const orders = quick ? quickOrders : manyOrders;
  const product = await startProduct(async (database) => {
    const began = performance.now();
    await fillOrders(database, orders);
    const counts = await fillRecords(database, orders);
    const told = Object.entries({ orders, ...counts }).map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
    console.log(`  filled ${told.join(', ')} in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const client = await product.database.pool.connect();
  try {
    return await compare({ product, agent, client }, orders);
  } finally {
    agent.destroy();
    client.release(true);
    await product.stop();
  }
}

type Ways = { product: Product; agent: Agent; client: pg.PoolClient };
type Asker = { name: string; token: string };

async function compare(ways: Ways, orders: number): Promise<string[]> {
  const { database } = ways.product;
  const random = seededRandom(1);
  const known = await readKnown(database, orders);
  const askers = await openAskers(database);
  const cases = askers.flatMap((asker) => textKinds.map((kind) => ({ asker, kind, taken: [] as Taken[] })));
  const byRound: Taken[][] = [];
  for (let round = -1; round < rounds; round += 1) {
    const taken: Taken[] = [];
    for (let turn = 0; turn < (round < 0 ? warmUpAsksOfKind : asksOfKind); turn += 1) {
      for (const { asker, kind, taken: ofCase } of cases) {
        const both = await ask(ways, asker, kind, kind.draw(random, known));
        if (round < 0) continue;
        taken.push(both);
        ofCase.push(both);
      }
    }
    if (round >= 0) byRound.push(taken);
  }
  return report(orders, cases, byRound);
}

async function ask({ product, agent, client }: Ways, { token }: Asker, kind: TextKind, text: string): Promise<Taken> {
  const url = `http://127.0.0.1:${product.port}/api/search?text=${encodeURIComponent(text)}`;
  const began = performance.now();
  const { status, body } = await callConsole(agent, url, token);
  const search = performance.now() - began;
  if (status !== 200) throw new Error(`${url} answered ${status}: ${body}`);
  const { unfinished } = (JSON.parse(body) as { data: { unfinished: string[] } }).data;
  if (unfinished.length > 0) console.log(`  "${text}" was not searched to the end: ${unfinished.join(', ')}`);
  const asked = performance.now();
  const name = `bare${textKinds.indexOf(kind)}`;
  await client.query({ name, text: kind.bare.text, values: [kind.bare.from(text)] });
  return { search, bare: performance.now() - asked };
}

async function readKnown({ pool }: Database, orders: number): Promise<Known> {
  const read = async (statement: string) => {
    const { rows } = await pool.query<{ text: string }>(`${statement} limit ${textsKept}`);
    return rows.map(({ text }) => text);
  };
  const sampled = (table: string, column: string) =>
    read(`select ${column} as text from ${table} where ${column} is not null order by hashint8(id)`);
  return {
    orders: await read(
      `select number as text from orders where id in
         (select 1 + floor(random() * ${orders})::bigint from generate_series(1, ${textsKept}))`,
    ),
    phones: await sampled('customers', 'phone'),
    cards: await sampled('cards', 'number'),
    plates: await sampled('vehicles', 'plate'),
    vins: await sampled('vehicles', 'vin'),
    receipts: await sampled('recharges', 'number'),
    invoices: await sampled('invoices', 'invoice_number'),
    sites: await sampled('sites', 'name'),
  };
}

async function openAskers({ db, pool }: Database): Promise<Asker[]> {
  const sessions = createSessions(db);
  const origin = { remoteAddress: '127.0.0.1', userAgent: 'bench' };
  const askers: Asker[] = [];
  for (const [name, agentId] of [
    ['platform', null],
    ['agent', 1],
  ] as const) {
    const { rows } = await pool.query<{ id: UserId }>(
      `insert into users (user_name, real_name, password_hash, agent_id, position_id)
       values ($1, $1, '-', $2, (select min(id) from positions where data_scope = $3)) returning id`,
      [name, agentId, agentId === null ? 'platform' : 'agent_tree'],
    );
    const [user] = rows;
    if (user === undefined) throw new Error('no user was made');
    const { token } = await db.transaction().execute((trx) => sessions.open(trx, user.id, instant(Date.now()), origin));
    askers.push({ name, token });
  }
  return askers;
}

function report(
  orders: number,
  cases: readonly { asker: Asker; kind: TextKind; taken: readonly Taken[] }[],
  byRound: readonly (readonly Taken[])[],
): string[] {
  const p95 = (taken: readonly Taken[], way: keyof Taken) =>
    percentile(
      taken.map((both) => both[way]),
      0.95,
    );
  const p50 = (taken: readonly Taken[], way: keyof Taken) => median(taken.map((both) => both[way]));
  console.log(
    `search at ${orders.toLocaleString('en')} orders, ${rounds} rounds of ${asksOfKind} of each kind of text; ms at p50 / p95`,
  );
  for (const { asker, kind, taken } of cases) {
    const both = (way: keyof Taken) => `${p50(taken, way).toFixed(1)} / ${p95(taken, way).toFixed(1)}`;
    console.log(
      `  ${`${asker.name}: ${kind.name}`.padEnd(40)}${both('search').padStart(18)}${both('bare').padStart(18)}`,
    );
  }
  const searches = byRound.map((taken) => p95(taken, 'search'));
  const over = byRound.map((taken) => p95(taken, 'search') / p95(taken, 'bare'));
  console.log(`  p95 of all ${spread(searches, 1)} ms, bound ${p95MsMax}; over the bare statement ${spread(over)}`);
  const reached = median(searches);
  return reached > p95MsMax ? [`search: ${reached.toFixed(1)} ms at p95, bound ${p95MsMax}`] : [];
}
