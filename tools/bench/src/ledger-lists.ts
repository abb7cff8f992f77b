import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type pg from 'pg';
import { books, fillLedger } from './fill-ledger.ts';
import { openSession } from './open-session.ts';
import { type Random, seededRandom } from './order-pages.ts';
import { startProduct } from './product.ts';
import { median, percentile, spread } from './spread.ts';

const manyTransfers = 10_000_000;
const quickTransfers = 1_000_000;
/** The bound: the 95th percentile over all kinds of page. */
const overBareMax = 1.5;
const rounds = 5;
const pagesOfKind = 12;
const warmUpPagesOfKind = 3;
const pageSize = 20;

type Known = { numbers: readonly string[]; cards: readonly string[]; sinceMs: number };
type Question = { query: Record<string, string>; where: string; values: unknown[]; page?: number };
type PageKind = { name: string; list: 'transfers' | 'accounts'; draw(random: Random, known: Known): Question };

const oneOf = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;
const dayMs = 86_400_000;

function period(random: Random, { sinceMs }: Known, lengthMs: number): Question {
  const from = new Date(sinceMs + Math.floor(random() * (books.days * dayMs - lengthMs)));
  const to = new Date(from.getTime() + lengthMs);
  return {
    query: { from: from.toISOString(), to: to.toISOString() },
    where: 't.created_at >= $1 and t.created_at <= $2',
    values: [from, to],
  };
}

const touches = (keys: string) => `t.id in (
  select transfer_id from ledger_postings where from_account_id in (select id from ledger_accounts where key in (${keys}))
  union select transfer_id from ledger_postings where to_account_id in (select id from ledger_accounts where key in (${keys})))`;

const reason = (name: string) => ({ query: { reason: name }, where: 't.reason = $1', values: [name] });
const amount = (random: Random) => String(100 + Math.floor(random() * 9_900));

const kinds: readonly PageKind[] = [
  { name: 'newest transfers', list: 'transfers', draw: () => ({ query: {}, where: 'true', values: [] }) },
  { name: 'page 100', list: 'transfers', draw: () => ({ query: {}, where: 'true', values: [], page: 100 }) },
  { name: 'one reason of half of them', list: 'transfers', draw: () => reason('hold') },
  { name: 'one reason of one in a hundred', list: 'transfers', draw: () => reason('refund_order') },
  { name: 'a reason that none has', list: 'transfers', draw: () => reason('withdrawal') },
  { name: 'a period of a day', list: 'transfers', draw: (random, known) => period(random, known, dayMs) },
  { name: 'a period of a month', list: 'transfers', draw: (random, known) => period(random, known, 30 * dayMs) },
  {
    name: 'a reason within a month',
    list: 'transfers',
    draw(random, known) {
      const within = period(random, known, 30 * dayMs);
      return {
        query: { ...within.query, reason: 'recharge' },
        where: `${within.where} and t.reason = 'recharge'`,
        values: within.values,
      };
    },
  },
  {
    name: 'an exact amount',
    list: 'transfers',
    draw(random) {
      const fen = amount(random);
      return { query: { fromFen: fen, toFen: fen }, where: 't.amount_fen = $1', values: [fen] };
    },
  },
  {
    name: 'amounts that few have',
    list: 'transfers',
    draw: () => ({ query: { fromFen: '98500' }, where: 't.amount_fen >= 98500', values: [] }),
  },
  {
    name: 'an order',
    list: 'transfers',
    draw(random, { numbers }) {
      const number = oneOf(random, numbers);
      return {
        query: { orderNumber: number },
        where: 't.order_id = (select id from orders where number = $1)',
        values: [number],
      };
    },
  },
  {
    name: 'a card',
    list: 'transfers',
    draw(random, { cards }) {
      const number = oneOf(random, cards);
      const id = '(select id from cards where number = $1)';
      return {
        query: { cardNumber: number },
        where: touches(`'card:' || ${id}, 'card-held:' || ${id}`),
        values: [number],
      };
    },
  },
  {
    name: 'a site’s income',
    list: 'transfers',
    draw(random) {
      const key = `electricity-income:site:${1 + Math.floor(random() * books.sites)}`;
      return { query: { account: key }, where: touches('$1'), values: [key] };
    },
  },
  {
    name: 'a channel',
    list: 'transfers',
    draw: (random) => ({
      query: { account: 'channel:wechat' },
      // By hand, one would see that a channel has many and walk the newest.
      where: `exists (select 1 from ledger_postings p where p.transfer_id = t.id and p.from_account_id in (
                select id from ledger_accounts where key = $1))`,
      values: [random() < 2 ? 'channel:wechat' : ''],
    }),
  },
  { name: 'newest accounts', list: 'accounts', draw: () => ({ query: {}, where: 'true', values: [] }) },
  {
    name: 'accounts of a kind',
    list: 'accounts',
    draw: () => ({ query: { kind: 'card' }, where: "a.prefix = 'card'", values: [] }),
  },
  {
    name: 'wallets with nothing left',
    list: 'accounts',
    draw: () => ({
      query: { kind: 'card', balance: 'zero' },
      where: "a.prefix = 'card' and a.balance_fen = 0",
      values: [],
    }),
  },
  {
    name: 'accounts of a card',
    list: 'accounts',
    draw(random, { cards }) {
      const number = oneOf(random, cards);
      return {
        query: { cardNumber: number },
        where: `a.key in (select part || (select id from cards where number = $1) from unnest(array['card:', 'card-held:', 'receivable:card:']) part)`,
        values: [number],
      };
    },
  },
];

const owner = (alias: string) => `
  left join cards ${alias}c on ${alias}c.id = ${alias}.owner_id and ${alias}.prefix in ('card', 'card-held', 'receivable:card')
  left join sites ${alias}s on ${alias}s.id = ${alias}.owner_id and ${alias}.prefix in ('electricity-income:site', 'service-income:site')`;

/** The rows of a page by hand: what the list shows, of as few records as possible. */
function bareRows({ list }: PageKind, { where, values, page = 1 }: Question): { text: string; values: unknown[] } {
  const offset = (page - 1) * pageSize;
  const text =
    list === 'accounts'
      ? `select a.*, ac.number, xs.name from (
           select * from ledger_accounts a where (shard = 0 or not exists (
             select 1 from ledger_accounts f where f.key = a.key and f.shard < a.shard)) and ${where}
            order by id desc limit ${pageSize} offset ${offset}) a
           left join cards ac on ac.id = a.owner_id and a.prefix in ('card', 'card-held', 'receivable:card')
           left join sites xs on xs.id = a.owner_id and a.prefix in ('electricity-income:site', 'service-income:site')
          order by a.id desc`
      : `select t.*, o.number, r.created_at as reversed_at, g.key as giver, gc.number, gs.name, k.key as taker, kc.number, ks.name,
                (select count(*) from ledger_postings where transfer_id = t.id) as postings
           from (select * from ledger_transfers t where ${where}
                  order by created_at desc, id desc limit ${pageSize} offset ${offset}) t
           left join orders o on o.id = t.order_id
           left join ledger_transfers r on r.key = t.key || ':reversal'
           left join ledger_postings p on p.transfer_id = t.id and p.line = 1
           left join ledger_accounts g on g.id = p.from_account_id ${owner('g')}
           left join ledger_accounts k on k.id = p.to_account_id ${owner('k')}
          order by t.created_at desc, t.id desc`;
  return { text, values };
}

type Taken = { list: number; bare: number };

/**
 * The lists of the books over HTTP at ten million transfers, compared with hand-written SQL for the same rows; both
 * interleaved page by page, and checked to show the same records.
 * @returns a line for every bound that was missed.
 */
export async function benchLedgerLists({ quick }: { quick: boolean }): Promise<string[]> {
  const count = quick ? quickTransfers : manyTransfers;
  const product = await startProduct(async (database) => {
    const { tookMs } = await fillLedger(database, count);
    console.log(`  filled ${count.toLocaleString('en')} transfers in ${Math.round(tookMs / 1_000)} s`);
  });
  const token = await openSession(product.database);
  const client = await product.database.pool.connect();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const known = await readKnown(client);
    const random = seededRandom(1);
    const byKind = new Map<string, Taken[]>(kinds.map(({ name }) => [name, []]));
    const byRound: Taken[][] = [];
    for (let round = -1; round < rounds; round += 1) {
      const taken: Taken[] = [];
      for (let turn = 0; turn < (round < 0 ? warmUpPagesOfKind : pagesOfKind); turn += 1) {
        for (const kind of kinds) {
          const question = kind.draw(random, known);
          const one = { list: 0, bare: 0 };
          let listed: string[] = [];
          let selected: string[] = [];
          const ways = [
            async () => {
              const began = performance.now();
              listed = await askPage(agent, product.port, token, kind, question);
              one.list = performance.now() - began;
            },
            async () => {
              const rows = bareRows(kind, question);
              const began = performance.now();
              const answer = await client.query<{ id: number }>(rows);
              one.bare = performance.now() - began;
              selected = answer.rows.map(({ id }) => String(id));
            },
          ];
          if (random() < 0.5) ways.reverse();
          for (const way of ways) await way();
          if (listed.join() !== selected.join()) {
            throw new Error(`${kind.name}: the list shows ${listed.join()}, its SQL ${selected.join()}`);
          }
          if (round < 0) continue;
          taken.push(one);
          byKind.get(kind.name)?.push(one);
        }
      }
      if (round >= 0) byRound.push(taken);
    }
    return report(count, byKind, byRound);
  } finally {
    agent.destroy();
    client.release(true);
    await product.stop();
  }
}

async function readKnown(client: pg.ClientBase): Promise<Known> {
  const { rows: orders } = await client.query<{ number: string }>('select number from orders order by id limit 2000');
  const { rows: cards } = await client.query<{ number: string }>(
    'select number from cards order by hashint8extended(id, 1) limit 2000',
  );
  const { rows: first } = await client.query<{ at: Date | number }>(
    'select min(created_at) as at from ledger_transfers',
  );
  return {
    numbers: orders.map(({ number }) => number),
    cards: cards.map(({ number }) => number),
    sinceMs: Number(first[0]?.at ?? 0),
  };
}

async function askPage(
  agent: Agent,
  port: number,
  token: string,
  { list }: PageKind,
  { query, page = 1 }: Question,
): Promise<string[]> {
  const search = new URLSearchParams({ page: String(page), pageSize: String(pageSize), total: 'none', ...query });
  const url = `http://127.0.0.1:${port}/api/ledger/${list}?${search}`;
  const asking = request(url, { agent, headers: { token, language: 'en', accept: 'application/json' } });
  asking.end();
  const [answer] = await once(asking, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${body}`);
  return (JSON.parse(body) as { data: { items: { id: number }[] } }).data.items.map(({ id }) => String(id));
}

function report(count: number, byKind: Map<string, Taken[]>, byRound: Taken[][]): string[] {
  const p95 = (taken: readonly Taken[], way: keyof Taken) =>
    percentile(
      taken.map((one) => one[way]),
      0.95,
    );
  const p50 = (taken: readonly Taken[], way: keyof Taken) => median(taken.map((one) => one[way]));
  console.log(
    `the lists of the books at ${count.toLocaleString('en')} transfers, ${rounds} rounds of ${kinds.length} kinds of page, ${pagesOfKind} of each; ms at p50 / p95`,
  );
  for (const [name, taken] of byKind) {
    const both = (way: keyof Taken) => `${p50(taken, way).toFixed(2)} / ${p95(taken, way).toFixed(2)}`;
    const ratio = (p95(taken, 'list') / p95(taken, 'bare')).toFixed(2);
    console.log(`  ${name.padEnd(32)}${both('list').padStart(18)}${both('bare').padStart(18)}${ratio.padStart(8)}`);
  }
  for (const way of ['list', 'bare'] as const) {
    console.log(
      `  ${way} p95 of all, median of the rounds ${median(byRound.map((taken) => p95(taken, way))).toFixed(2)}`,
    );
  }
  const over = byRound.map((taken) => p95(taken, 'list') / p95(taken, 'bare'));
  console.log(`  p95 over its rows by pg ${spread(over)}, bound ${overBareMax}`);
  return median(over) > overBareMax
    ? [`ledger-lists: ${median(over).toFixed(2)} of its bare SQL, bound ${overBareMax}`]
    : [];
}
