import { endedOrderStates, liveOrderStates } from '@voltdeck/charging/states';
import { network } from './fill-orders.ts';

/** Numbers in [0, 1), repeatable by seed, so that every run fetches the same pages. */
export type Random = () => number;

/** Mulberry32's step: 32 bits of state, good enough for choosing pages. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The user's data scope: all orders, one agent's, or those of an agent and its sub-agents. */
export type Asker = 'platform' | 'agent' | 'agent-tree';

/**
 * One page as the console requests it, and the SQL condition that finds the same rows ($1, $2 … are `values`), or two
 * conditions that share no row and are read separately.
 */
export type Asked = { parameters: Record<string, string>; where: string | [string, string]; values: unknown[] };

/** Known facts about a list's orders: some of their numbers, and when the last was placed. */
export type KnownOrders = { numbers: readonly string[]; untilMs: number };

export type PageKind = {
  name: string;
  asker: Asker;
  page: number;
  /** The sort column. */
  by: 'placed_at' | 'ended_at';
  /** Whether other orders than the page's have to be read: earlier pages, or those of two card numbers. */
  looksAtMore: boolean;
  draw(random: Random, orders: KnownOrders): Asked;
};

export const pageSize = 20;

const ended = `state in (${endedOrderStates.map((state) => `'${state}'`).join(', ')})`;
const live = `state in (${liveOrderStates.map((state) => `'${state}'`).join(', ')})`;
const endedParameter = endedOrderStates.join(',');
const dayMs = 86_400_000;

function among(random: Random, count: number): number {
  return 1 + Math.floor(random() * count);
}

type Filter = { parameters?: Record<string, string>; where?: Asked['where']; values?: unknown[] };

/** A page of the history screen, which always requests ended orders. */
function history(
  name: string,
  filter: (random: Random, orders: KnownOrders) => Filter,
  {
    asker = 'platform',
    page = 1,
    by = 'placed_at',
    looksAtMore = page > 1,
  }: Partial<Pick<PageKind, 'asker' | 'page' | 'by' | 'looksAtMore'>> = {},
): PageKind {
  return {
    name,
    asker,
    page,
    by,
    looksAtMore,
    draw(random, orders) {
      const { parameters = {}, where, values = [] } = filter(random, orders);
      const all = { parameters: { state: endedParameter, ...parameters }, values };
      if (where === undefined) return { ...all, where: ended };
      if (typeof where === 'string') return { ...all, where: `${ended} and ${where}` };
      return { ...all, where: [`${ended} and ${where[0]}`, `${ended} and ${where[1]}`] };
    },
  };
}

function period(random: Random, days: number, { untilMs }: KnownOrders): { from: string; to: string } {
  const from = untilMs - dayMs * (days + random() * (network.days - 2 * days));
  return { from: new Date(from).toISOString(), to: new Date(from + days * dayMs).toISOString() };
}

function cardNumberOf(card: number): string {
  return card.toString(16).toUpperCase().padStart(16, '0');
}

function stationNumberOf(station: number): string {
  return `BENCH${String(station).padStart(6, '0')}`;
}

export function agentOf(asker: Asker, random: Random): number[] {
  if (asker === 'platform') return [];
  return asker === 'agent-tree' ? [1, 2, 3] : [4 + Math.floor(random() * (network.agents - 3))];
}

/** The pages that people open, each with random values: both order screens, their filters, and deep pages. */
export const pageKinds: readonly PageKind[] = [
  {
    name: 'running orders',
    asker: 'platform',
    page: 1,
    by: 'placed_at',
    looksAtMore: false,
    draw: () => ({ parameters: { state: liveOrderStates.join(',') }, where: live, values: [] }),
  },
  history('first page', () => ({})),
  history('page 2', () => ({}), { page: 2 }),
  history('page 50', () => ({}), { page: 50 }),
  history('by site', (random) => {
    const site = among(random, network.sites);
    return { parameters: { siteId: String(site) }, where: 'site_id = $1', values: [site] };
  }),
  history(
    'by site, page 50',
    (random) => {
      const site = among(random, network.sites);
      return { parameters: { siteId: String(site) }, where: 'site_id = $1', values: [site] };
    },
    { page: 50 },
  ),
  history('by station', (random) => {
    const number = stationNumberOf(among(random, network.stations));
    return {
      parameters: { stationNumber: number },
      where: 'station_id = (select id from stations where number = $1)',
      values: [number],
    };
  }),
  history(
    'by card',
    (random) => {
      const number = cardNumberOf(among(random, network.cards));
      return {
        parameters: { cardNumber: number },
        where: ['card_number = $1', 'card_number = (select physical_number from cards where number = $1)'],
        values: [number],
      };
    },
    { looksAtMore: true },
  ),
  history('by phone', (random) => {
    const phone = String(13_800_000_000 + among(random, network.customers));
    return {
      parameters: { phone },
      where: 'customer_id = (select id from customers where phone = $1)',
      values: [phone],
    };
  }),
  history('by number', (random, { numbers }) => {
    const number = numbers[Math.floor(random() * numbers.length)] ?? '';
    return { parameters: { number }, where: 'number = $1', values: [number] };
  }),
  history('cancelled', () => ({ parameters: { state: 'cancelled' }, where: "state = 'cancelled'" })),
  history('not paid in full', () => ({
    parameters: { paymentState: 'unpaid,partly_paid' },
    where: "payment_state in ('unpaid', 'partly_paid')",
  })),
  history('abnormal', () => ({ parameters: { abnormal: 'true' }, where: 'abnormal' })),
  history('placed in a day', (random, orders) => {
    const { from, to } = period(random, 1, orders);
    return { parameters: { from, to }, where: 'placed_at >= $1 and placed_at <= $2', values: [from, to] };
  }),
  history('placed in a month, by site', (random, orders) => {
    const { from, to } = period(random, 30, orders);
    const site = among(random, network.sites);
    return {
      parameters: { siteId: String(site), from, to },
      where: 'site_id = $1 and placed_at >= $2 and placed_at <= $3',
      values: [site, from, to],
    };
  }),
  history(
    'ended in a week, by the end',
    (random, orders) => {
      const { from, to } = period(random, 7, orders);
      return {
        parameters: { time: 'ended', from, to, sort: '-endedAt' },
        where: 'ended_at >= $1 and ended_at <= $2',
        values: [from, to],
      };
    },
    { by: 'ended_at' },
  ),
  history('first page of an agent', () => ({}), { asker: 'agent' }),
  history('page 50 of an agent', () => ({}), { asker: 'agent', page: 50 }),
  history('first page of an agent with sub-agents', () => ({}), { asker: 'agent-tree' }),
];

const columns = `o.id, o.number, o.state, o.payment_state, o.payment_type, o.start_mode, o.billing_type, o.abnormal, o.site_id,
  sites.name as site_name, o.station_id, stations.number as station_number, stations.name as station_name,
  stations.type as station_type, stations.equipment_type, o.connector_number, o.agent_id, agents.name as agent_name,
  o.customer_id, customers.nickname, customers.phone, o.card_number, o.energy_wh, o.amount_fen, o.electricity_fee_fen,
  o.service_fee_fen, o.paid_fen, o.refunded_fen, o.power_w, o.soc_percent, o.placed_at, o.started_at, o.ended_at,
  o.stop_reason`;

export type BareStatement = { text: string; values: unknown[] };

/**
 * The simplest statement for the rows of this page, their order and the names that they show. If more than the page's
 * own rows have to be read, it first finds the page in an index alone.
 */
export function bareRows(kind: PageKind, asked: Asked, agents: readonly number[]): BareStatement {
  const by = kind.by === 'placed_at' ? 'placed_at desc, id desc' : 'ended_at desc nulls last, id desc';
  const offset = (kind.page - 1) * pageSize;
  const page = (wanted: string) => {
    const found = conditionsOf(asked, agents).map(
      (where) => `select ${wanted} from orders where ${where} order by ${by}`,
    );
    const stretch = `limit ${pageSize} offset ${offset}`;
    const [only, ...others] = found;
    if (others.length === 0) return `${only} ${stretch}`;
    // Each part is read only as far as the page reaches.
    const parts = found.map((part) => `(${part} limit ${offset + pageSize})`);
    return `select * from (${parts.join(' union all ')}) found order by ${by} ${stretch}`;
  };
  const rows = kind.looksAtMore
    ? `(${page(`id, ${kind.by}`)}) page join orders o on o.id = page.id`
    : `(${page('*')}) o`;
  return {
    text: `select ${columns} from ${rows}
      join stations on stations.id = o.station_id
      left join sites on sites.id = o.site_id
      left join agents on agents.id = o.agent_id
      left join customers on customers.id = o.customer_id
     order by ${by
       .split(', ')
       .map((part) => `o.${part}`)
       .join(', ')}`,
    values: asked.values,
  };
}

/** The simplest statement for the total that the list shows, with the same limit for counting. */
export function bareTotal(asked: Asked, agents: readonly number[], countedMax: number): BareStatement {
  const found = conditionsOf(asked, agents).map((where) => `select 1 from orders where ${where}`);
  const counted = `${found.join(' union all ')} limit ${countedMax + 1}`;
  return { text: `select count(*) as total from (${counted}) c`, values: asked.values };
}

function conditionsOf({ where }: Asked, agents: readonly number[]): string[] {
  const own =
    agents.length === 0 ? '' : ` and agent_id ${agents.length === 1 ? `= ${agents[0]}` : `in (${agents.join(', ')})`}`;
  return [where].flat().map((condition) => condition + own);
}
