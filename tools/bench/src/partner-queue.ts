import { Agent } from 'node:http';
import { listDepthMax } from '@voltdeck/contract/fields';
import { deliveryKinds, deliveryStates } from '@voltdeck/contract/partner-deliveries';
import type pg from 'pg';
import { callConsole } from './console-calls.ts';
import { fillDeliveries, queue } from './fill-deliveries.ts';
import { openSession } from './open-session.ts';
import { type Random, seededRandom } from './order-pages.ts';
import { startProduct } from './product.ts';
import { median, percentile, spread } from './spread.ts';

const manyDeliveries = 10_000_000;
const quickDeliveries = 1_000_000;
/** The bound: the 95th percentile over all kinds of page. */
const overBareMax = 1.5;
const rounds = 5;
const pagesOfKind = 8;
const warmUpPagesOfKind = 2;
const pageSize = 20;
const hourMs = 3_600_000;

/** The filters of a page; by hand, each kind and state is read by the index of both. */
type Filters = {
  partnerId?: number;
  kind?: readonly string[];
  state?: readonly string[];
  orderId?: number;
  from?: Date;
  to?: Date;
};
type PageKind = { name: string; page?: number; draw(random: Random): Filters };

const oneOf = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;
const whole = (random: Random, max: number) => 1 + Math.floor(random() * max);
const anyPartner = (random: Random) => ({ partnerId: whole(random, queue.partners) });
const anyKind = (random: Random) => ({ kind: [oneOf(random, deliveryKinds)] });
const anyState = (random: Random) => ({ state: [oneOf(random, deliveryStates)] });
const period = (random: Random, hours: number) => {
  const from = Date.now() - Math.floor((hours + random() * (queue.days * 24 - 2 * hours)) * hourMs);
  return { from: new Date(from), to: new Date(from + hours * hourMs) };
};
const largest = { partnerId: 1 };
const smallest = { partnerId: queue.partners };

const kinds: readonly PageKind[] = [
  { name: 'newest', draw: () => ({}) },
  { name: 'page 2', page: 2, draw: () => ({}) },
  { name: 'page 100', page: 100, draw: () => ({}) },
  { name: 'a partner', draw: anyPartner },
  { name: 'page 100 of a partner', page: 100, draw: anyPartner },
  { name: 'a kind', draw: anyKind },
  { name: 'a state', draw: anyState },
  { name: 'what failed, page 50', page: 50, draw: () => ({ state: ['failed'] }) },
  { name: 'two states that few have', draw: () => ({ state: ['failed', 'superseded'] }) },
  { name: 'what is not delivered', draw: () => ({ state: ['pending', 'failed', 'superseded'] }) },
  { name: 'two kinds', draw: () => ({ kind: ['order', 'order_check'] }) },
  { name: 'an order', draw: (random) => ({ orderId: whole(random, queue.orders) }) },
  { name: 'an hour', draw: (random) => period(random, 1) },
  { name: 'a week', draw: (random) => period(random, 168) },
  { name: 'a partner and a state', draw: (random) => ({ ...anyPartner(random), ...anyState(random) }) },
  { name: 'what waits for the last partner', draw: () => ({ ...smallest, state: ['pending'] }) },
  { name: 'what failed of the largest', draw: () => ({ ...largest, state: ['failed'] }) },
  { name: 'a partner and two states', draw: (random) => ({ ...anyPartner(random), state: ['pending', 'failed'] }) },
  { name: 'a partner and a kind', draw: (random) => ({ ...anyPartner(random), ...anyKind(random) }) },
  { name: 'a rare kind of the largest', draw: () => ({ ...largest, kind: ['power'] }) },
  { name: 'a rare kind of the smallest', draw: () => ({ ...smallest, kind: ['power'] }) },
  { name: 'bills of a partner', draw: (random) => ({ ...anyPartner(random), kind: ['order'] }) },
  { name: 'a kind and a state', draw: (random) => ({ ...anyKind(random), ...anyState(random) }) },
  { name: 'bills that failed', draw: () => ({ kind: ['order'], state: ['failed'] }) },
  { name: 'power that waits', draw: () => ({ kind: ['power'], state: ['pending'] }) },
  {
    name: 'a partner, a kind and a state',
    draw: (random) => ({ ...anyPartner(random), ...anyKind(random), ...anyState(random) }),
  },
  {
    name: 'bills of the largest that failed',
    draw: () => ({ ...largest, kind: ['order'], state: ['failed'] }),
  },
  { name: 'a partner in a day', draw: (random) => ({ ...anyPartner(random), ...period(random, 24) }) },
  { name: 'a state in a day', draw: (random) => ({ ...anyState(random), ...period(random, 24) }) },
  { name: 'a kind in a day', draw: (random) => ({ ...anyKind(random), ...period(random, 24) }) },
  {
    name: 'a partner and a kind in a week',
    draw: (random) => ({ ...anyPartner(random), ...anyKind(random), ...period(random, 168) }),
  },
  {
    name: 'everything at once',
    draw: (random) => ({ ...anyPartner(random), ...anyKind(random), ...anyState(random), ...period(random, 168) }),
  },
];

type Statement = { text: string; values: unknown[] };

/** Rows and bounded total by hand: what the list shows, of as few records as possible. */
function bareStatements({ page = 1 }: PageKind, filters: Filters): [rows: Statement, total: Statement] {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const { partnerId, kind = [null], orderId, from, to } = filters;
  const { state = filters.kind === undefined ? [null] : deliveryStates } = filters;
  const fixed = [
    ...(partnerId === undefined ? [] : [`partner_id = ${bind(partnerId)}`]),
    ...(orderId === undefined ? [] : [`order_id = ${bind(orderId)}`]),
    ...(from === undefined ? [] : [`created_at >= ${bind(from)}`]),
    ...(to === undefined ? [] : [`created_at <= ${bind(to)}`]),
  ];
  const parts = kind.flatMap((oneKind) =>
    state.map((oneState) =>
      [
        ...fixed,
        ...(oneKind === null ? [] : [`kind = '${oneKind}'`]),
        ...(oneState === null ? [] : [`state = '${oneState}'`]),
      ].join(' and '),
    ),
  );
  const order = 'order by created_at desc, id desc';
  const each = (select: (where: string) => string) => parts.map((where) => `(${select(where)})`).join(' union all ');
  const where = (part: string) => (part === '' ? '' : `where ${part}`);
  const reach = page * pageSize;
  const found = each((part) => `select * from partner_deliveries ${where(part)} ${order} limit ${reach}`);
  const rows = `
    select d.*, p.name, o.number, t.number || '-' || c.number as port, s.name as site
      from (select * from (${found}) f ${order} limit ${pageSize} offset ${reach - pageSize}) d
      join partners p on p.id = d.partner_id
      left join orders o on o.id = d.order_id
      left join connectors c on c.id = d.connector_id
      left join stations t on t.id = c.station_id
      left join sites s on s.id = d.site_id
     order by d.created_at desc, d.id desc`;
  const counted = each((part) => `select 1 from partner_deliveries ${where(part)} limit ${listDepthMax + 1}`);
  return [
    { text: rows, values },
    { text: `select count(*)::int as total from (select from (${counted}) f limit ${listDepthMax + 1}) n`, values },
  ];
}

/** Milliseconds of a page with its total. */
type Taken = { list: number; bare: number };
type Answered = { ids: number[]; total: number };

/**
 * The queue of what partners are told, over HTTP at ten million deliveries as the console asks for it (a page with its
 * total up to the depth of a list), compared with hand-written SQL for the same rows and the same total; both interleaved
 * page by page, and checked to agree.
 * @returns a line for every bound that was missed.
 */
export async function benchPartnerQueue({ quick }: { quick: boolean }): Promise<string[]> {
  const count = quick ? quickDeliveries : manyDeliveries;
  const product = await startProduct(async (database) => {
    const { tookMs, bytes } = await fillDeliveries(database, count);
    console.log(
      `  filled ${count.toLocaleString('en')} deliveries in ${Math.round(tookMs / 1_000)} s, ${(bytes / 2 ** 30).toFixed(1)} GiB`,
    );
  });
  const token = await openSession(product.database);
  const client = await product.database.pool.connect();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (kind: PageKind, filters: Filters) => askPage({ agent, port: product.port, token }, kind, filters);
  try {
    const random = seededRandom(1);
    const byKind = new Map<string, Taken[]>(kinds.map(({ name }) => [name, []]));
    const byRound: Taken[][] = [];
    for (let round = -1; round < rounds; round += 1) {
      const taken: Taken[] = [];
      for (let turn = 0; turn < (round < 0 ? warmUpPagesOfKind : pagesOfKind); turn += 1) {
        for (const kind of kinds) {
          const one = await takePage(client, ask, kind, kind.draw(random), random() < 0.5);
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

async function takePage(
  client: pg.ClientBase,
  ask: (kind: PageKind, filters: Filters) => Promise<Answered>,
  kind: PageKind,
  filters: Filters,
  isBareFirst: boolean,
): Promise<Taken> {
  const taken: Taken = { list: 0, bare: 0 };
  let listed: Answered | null = null;
  let selected: Answered | null = null;
  const ways = [
    async () => {
      const began = performance.now();
      listed = await ask(kind, filters);
      taken.list = performance.now() - began;
    },
    async () => {
      const [rows, total] = bareStatements(kind, filters);
      const began = performance.now();
      const page = await client.query<{ id: number }>(rows);
      const counted = await client.query<{ total: number }>(total);
      taken.bare = performance.now() - began;
      selected = { ids: page.rows.map(({ id }) => Number(id)), total: counted.rows[0]?.total ?? 0 };
    },
  ];
  if (isBareFirst) ways.reverse();
  for (const way of ways) await way();
  const [ours, bare] = [listed, selected].map((answer) => JSON.stringify(answer));
  if (ours !== bare)
    throw new Error(`${kind.name} ${JSON.stringify(filters)}: the list shows ${ours}, its SQL ${bare}`);
  return taken;
}

type Page = { data: { items: { id: number }[]; total: number; totalIsAtLeast?: boolean } };

async function askPage(
  { agent, port, token }: { agent: Agent; port: number; token: string },
  { page = 1 }: PageKind,
  { from, to, ...filters }: Filters,
): Promise<Answered> {
  const query = new URLSearchParams({
    page: String(page),
    pageSize: String(pageSize),
    ...Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)])),
    ...(from === undefined ? {} : { from: from.toISOString() }),
    ...(to === undefined ? {} : { to: to.toISOString() }),
  });
  const url = `http://127.0.0.1:${port}/api/partner-deliveries?${query}`;
  const { status, body } = await callConsole(agent, url, token);
  if (status !== 200) throw new Error(`${url} answered ${status}: ${body}`);
  const { items, total, totalIsAtLeast } = (JSON.parse(body) as Page).data;
  return { ids: items.map(({ id }) => id), total: total + (totalIsAtLeast === true ? 1 : 0) };
}

function report(count: number, byKind: Map<string, Taken[]>, byRound: Taken[][]): string[] {
  const p95 = (taken: readonly Taken[], way: keyof Taken) =>
    percentile(
      taken.map((one) => one[way]),
      0.95,
    );
  const p50 = (taken: readonly Taken[], way: keyof Taken) => median(taken.map((one) => one[way]));
  console.log(
    `the queue of partners at ${count.toLocaleString('en')} deliveries, ${rounds} rounds of ${kinds.length} kinds of page, ${pagesOfKind} of each with its total; ms at p50 / p95`,
  );
  for (const [name, taken] of byKind) {
    const both = (way: keyof Taken) => `${p50(taken, way).toFixed(2)} / ${p95(taken, way).toFixed(2)}`;
    const ratio = (p95(taken, 'list') / p95(taken, 'bare')).toFixed(2);
    console.log(`  ${name.padEnd(36)}${both('list').padStart(18)}${both('bare').padStart(18)}${ratio.padStart(8)}`);
  }
  for (const way of ['list', 'bare'] as const) {
    console.log(`  ${way} p95 of all, by round: ${spread(byRound.map((taken) => p95(taken, way)))} ms`);
  }
  const over = byRound.map((taken) => p95(taken, 'list') / p95(taken, 'bare'));
  console.log(`  p95 over its SQL by pg ${spread(over)}, bound ${overBareMax}`);
  return median(over) > overBareMax
    ? [`partner-queue: ${median(over).toFixed(2)} of its bare SQL, bound ${overBareMax}`]
    : [];
}
