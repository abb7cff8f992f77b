import { endedOrderStates, liveOrderStates, type OrderState } from '@voltdeck/charging/states';
import type { Permission } from '@voltdeck/contract/permissions';
import type { FoundFilter, FoundKind, FoundList } from '@voltdeck/contract/search';
import { type AliasableExpression, type Kysely, sql } from 'kysely';
import { visiblePositions } from '../access/positions/queries.ts';
import type { Caller } from '../caller/caller.ts';
import { scoped, scopedByCardsOrOwn, scopedOrPlatform } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { beginsWith, contains, endsWith, hasPart } from '../http/part-of-text.ts';
import { say } from '../http/say.ts';
import { findsName, findsPersonal } from '../personal/sees-personal.ts';

export type FoundRow = { id: number; number: string; title: string; detail: string };

/** More matches than this of a kind are shown as "at least": the list has a page for them. */
export const foundMax = 200;
/**
 * How many matching records are checked against the caller's scope. A text that matches more is too short to mean one
 * record; the whole number always finds it.
 */
const candidatesMax = 5_000;
/** Any three digits occur in every tenth number, four digits at the end of one number in ten thousand. */
const orderTextMin = 4;
/** The number of a charge begins with its station and gun port, which all charges of that port share. */
const transactionPrefixMin = 17;

type Search = { execute(): Promise<FoundRow[]> };

/** One query that finds records of a kind. */
export type Way = {
  /** The list and the filter that find the same; null where no list can. */
  shownBy: { list: FoundList; filter: FoundFilter } | null;
  /** Null where the text cannot match. */
  find(db: Kysely<Tables>, caller: Caller, text: string): Search | null;
  /** Adds details to the rows that are shown. */
  tell?(db: Kysely<Tables>, caller: Caller, rows: readonly FoundRow[]): Promise<FoundRow[]>;
};

const name = (list: FoundList, filter: FoundFilter, find: Way['find']): Way => ({
  shownBy: { list, filter },
  find: (db, caller, text) => (text.length < 2 ? null : find(db, caller, text)),
});
const number = (list: FoundList, filter: FoundFilter, find: Way['find']): Way => ({
  shownBy: { list, filter },
  // Numbers contain only Latin letters and digits.
  find: (db, caller, text) => (text.length < 3 || !/^[\x21-\x7e]+$/.test(text) ? null : find(db, caller, text)),
});

/** The `candidates` that are shown: exact matches first, then those that begin with the text, then by title. */
function firstOf(db: Kysely<Tables>, candidates: AliasableExpression<FoundRow>, text: string): Search {
  const called = sql`lower(found.title)`;
  const wanted = text.toLowerCase();
  return db
    .selectFrom(candidates.as('found'))
    .select(['found.id', 'found.number', 'found.title', 'found.detail'])
    .orderBy(sql`${called} = ${wanted}`, 'desc')
    .orderBy(sql`starts_with(${called}, ${wanted})`, 'desc')
    .orderBy('found.title')
    .orderBy('found.id')
    .limit(foundMax + 1);
}

const looked = sql.lit(candidatesMax);
const noDetail = sql<string>`''`.as('detail');

/** How records of each kind are found, and the permission to read them. */
export const ways: Readonly<Record<FoundKind, { permission: Permission; by: readonly Way[] }>> = {
  order: {
    permission: 'order.read',
    by: [
      ordersOf('orderListReal', liveOrderStates),
      ordersOf('orderListHistory', endedOrderStates),
      { shownBy: null, find: findTransactions, tell: tellOrders },
    ],
  },
  station: {
    permission: 'station.read',
    by: [
      number('deviceList', 'number', (db, caller, text) => stationsWith(db, caller, 'number', text)),
      name('deviceList', 'name', (db, caller, text) => stationsWith(db, caller, 'name', text)),
    ],
  },
  connector: { permission: 'connector.read', by: [name('portList', 'name', findConnectors)] },
  site: {
    permission: 'site.read',
    by: [
      name('plotList', 'name', (db, caller, text) =>
        firstOf(
          db,
          scoped(db.selectFrom('sites'), caller, 'sites.agent_id')
            .where(contains('sites.name', text))
            .select(['sites.id', 'sites.name as number', 'sites.name as title', 'sites.address as detail'])
            .limit(looked),
          text,
        ),
      ),
    ],
  },
  card: { permission: 'card.read', by: [number('cardList', 'number', findCards)] },
  customer: {
    permission: 'customer.read',
    by: [
      number('registerUser', 'phone', (db, caller, text) =>
        /^\d+$/.test(text) ? customersWith(db, caller, 'phone', text) : null,
      ),
      name('registerUser', 'nickname', (db, caller, text) => customersWith(db, caller, 'nickname', text)),
    ],
  },
  agent: {
    permission: 'agent.read',
    by: [
      name('operatorList', 'name', (db, caller, text) =>
        firstOf(
          db,
          scoped(db.selectFrom('agents'), caller, 'agents.id')
            .where(contains('agents.name', text))
            .select(['agents.id', 'agents.name as number', 'agents.name as title', noDetail])
            .limit(looked),
          text,
        ),
      ),
    ],
  },
  tariff: {
    permission: 'tariff.read',
    by: [
      name('rulesList', 'name', (db, caller, text) =>
        firstOf(
          db,
          scopedOrPlatform(db.selectFrom('tariffs'), caller, 'tariffs.agent_id')
            .leftJoin('agents', 'agents.id', 'tariffs.agent_id')
            .where(contains('tariffs.name', text))
            .where('tariffs.state', '=', 'in_force')
            .where('tariffs.archived_at', 'is', null)
            .select(['tariffs.id', 'tariffs.name as number', 'tariffs.name as title'])
            .select(sql<string>`coalesce(agents.name, '')`.as('detail'))
            .limit(looked),
          text,
        ),
      ),
    ],
  },
  user: { permission: 'user.read', by: [name('user', 'text', findUsers)] },
  position: {
    permission: 'position.read',
    by: [
      name('role', 'name', (db, caller, text) =>
        firstOf(
          db,
          visiblePositions(db, caller)
            .where(contains('positions.name', text))
            .select(['positions.id', 'positions.name as number', 'positions.name as title'])
            .select('positions.description as detail')
            .limit(looked),
          text,
        ),
      ),
    ],
  },
  article: {
    permission: 'article.read',
    by: [
      name('newsList', 'title', (db, caller, text) => articlesWith(db, caller, 'title', text)),
      name('newsList', 'key', (db, caller, text) => articlesWith(db, caller, 'key', text)),
    ],
  },
  config: {
    permission: 'config.read',
    by: [
      name('configList', 'key', (db, _, text) => configsWith(db, 'key', text)),
      name('configList', 'name', (db, _, text) => configsWith(db, 'name', text)),
    ],
  },
};

/** Each list of orders shows some of the states. */
function ordersOf(list: FoundList, states: readonly OrderState[]): Way {
  return {
    shownBy: { list, filter: 'number' },
    find: (db, caller, text) => findOrders(db, caller, text, states),
    tell: tellOrders,
  };
}

/** By the beginning of the number, which is its time, or by its end, which people read out; the newest first. */
function findOrders(db: Kysely<Tables>, caller: Caller, text: string, states: readonly OrderState[]): Search | null {
  if (text.length < orderTextMin || !/^[0-9A-Z-]+$/i.test(text)) return null;
  const part = text.toUpperCase();
  const candidates = db.selectFrom('orders').select(['id', 'number', 'state', 'agent_id', 'customer_id']).limit(looked);
  // Numbers begin with the day, and people look for the newest.
  const first = candidates.where(beginsWith('number', part)).orderBy('number', 'desc');
  const last = candidates.where(endsWith('number', part));
  const either = db
    .selectFrom(first.as('first'))
    .selectAll('first')
    .union(db.selectFrom(last.as('last')).selectAll('last'));
  return scoped(db.selectFrom(either.as('found')), caller, 'found.agent_id', 'found.customer_id')
    .where('found.state', 'in', states)
    .select(['found.id', 'found.number', 'found.number as title'])
    .select(sql<string>`''`.as('detail'))
    .orderBy(sql`found.number = ${part}`, 'desc')
    .orderBy('found.number', 'desc')
    .limit(foundMax + 1);
}

/** By the transaction key that the charge had before it began, the newest first. */
function findTransactions(db: Kysely<Tables>, caller: Caller, text: string): Search | null {
  if (text.length < transactionPrefixMin || !/^\d{1,32}$/.test(text)) return null;
  const candidates = db
    .selectFrom('orders')
    .select(['orders.id', 'orders.number', 'orders.transaction_key', 'orders.agent_id', 'orders.customer_id'])
    .where(beginsWith('orders.transaction_key', text))
    .orderBy('orders.transaction_key', 'desc')
    .limit(looked);
  return scoped(db.selectFrom(candidates.as('found')), caller, 'found.agent_id', 'found.customer_id')
    .select(['found.id', 'found.number', sql<string>`found.transaction_key`.as('title')])
    .select(sql<string>`''`.as('detail'))
    .orderBy('found.transaction_key', 'desc')
    .limit(foundMax + 1);
}

/** The order's state and place. */
async function tellOrders(db: Kysely<Tables>, caller: Caller, rows: readonly FoundRow[]): Promise<FoundRow[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const facts = await db
    .selectFrom('orders')
    .innerJoin('stations', 'stations.id', 'orders.station_id')
    .select(['orders.id', 'orders.state', 'stations.name'])
    .where(sql<boolean>`orders.id = any(${ids})`)
    .execute();
  const told = new Map(facts.map(({ id, state, name: at }) => [Number(id), `${stateText(caller, state)} · ${at}`]));
  return rows.map((row) => ({ ...row, detail: told.get(row.id) ?? '' }));
}

const stateText = (caller: Caller, state: OrderState) => say(caller.language, `order-state.${state}`);

function stationsWith(db: Kysely<Tables>, caller: Caller, by: 'number' | 'name', text: string): Search {
  const candidates = scoped(db.selectFrom('stations'), caller, 'stations.agent_id')
    .where(hasPart(`stations.${by}`, by, text))
    .select(['stations.id', 'stations.number', 'stations.number as title', 'stations.name as detail'])
    .limit(looked);
  return firstOf(db, candidates, text);
}

/** Ports are found by their QR code, the station's number and their own, and the name they were given. */
function findConnectors(db: Kysely<Tables>, caller: Caller, text: string): Search {
  const code = /^(.{2,})-(\d{1,3})$/.exec(text);
  const candidates = scoped(
    db.selectFrom('connectors').innerJoin('stations', 'stations.id', 'connectors.station_id'),
    caller,
    'stations.agent_id',
  )
    .where((eb) => {
      const named = hasPart('connectors.name', 'name', text);
      if (code === null) return named;
      const coded = eb.and([
        eb('connectors.number', '=', Number(code[2])),
        hasPart('stations.number', 'number', code[1] ?? ''),
      ]);
      return eb.or([named, coded]);
    })
    .select(['connectors.id', 'stations.number'])
    .select([
      sql<string>`stations.number || '-' || connectors.number`.as('title'),
      sql<string>`connectors.name || ' · ' || stations.name`.as('detail'),
    ])
    .limit(looked);
  return firstOf(db, candidates, text);
}

/** The printed number or the physical one. */
function findCards(db: Kysely<Tables>, caller: Caller, text: string): Search {
  const number = text.toUpperCase();
  const finds = (column: string) => findsPersonal(caller, column, number, hasPart(column, 'number', text));
  const candidates = db
    .selectFrom('cards')
    .select(['cards.id', 'cards.number', 'cards.physical_number', 'cards.customer_id', 'cards.agent_id'])
    .where((eb) => eb.or([finds('cards.number'), finds('cards.physical_number')]))
    .limit(looked);
  const own = scoped(db.selectFrom(candidates.as('seen')), caller, 'seen.agent_id', 'seen.customer_id')
    .leftJoin('customers', 'customers.id', 'seen.customer_id')
    .select(['seen.id', 'seen.number'])
    .select([
      sql<string>`case when strpos(seen.number, ${text.toUpperCase()}) > 0 then seen.number
                       else seen.physical_number end`.as('title'),
      sql<string>`coalesce(customers.nickname, customers.phone, '')`.as('detail'),
    ]);
  return firstOf(db, own, text);
}

function customersWith(db: Kysely<Tables>, caller: Caller, by: 'phone' | 'nickname', text: string): Search {
  const candidates = db
    .selectFrom('customers')
    .select(['customers.id', 'customers.phone', 'customers.nickname'])
    .where(
      by === 'phone'
        ? findsPersonal(caller, 'customers.phone', text, hasPart('customers.phone', 'number', text))
        : hasPart('customers.nickname', 'name', text),
    )
    .limit(looked);
  const own = scopedByCardsOrOwn(db.selectFrom(candidates.as('seen')), caller, 'seen.id').select([
    'seen.id',
    'seen.phone as number',
    'seen.phone as title',
    'seen.nickname as detail',
  ]);
  return firstOf(db, own, text);
}

/** By the login name, the real name or the phone, like the list's filter. */
function findUsers(db: Kysely<Tables>, caller: Caller, text: string): Search {
  const candidates = scoped(db.selectFrom('users'), caller, 'users.agent_id')
    .where((eb) =>
      eb.or([
        findsName(caller, 'users.user_name', text, contains('users.user_name', text)),
        contains('users.real_name', text),
        findsPersonal(caller, 'users.phone', text, contains('users.phone', text)),
      ]),
    )
    .select(['users.id', 'users.user_name as number', 'users.user_name as title', 'users.real_name as detail'])
    .limit(looked);
  return firstOf(db, candidates, text);
}

/** Articles belong to the platform: for everyone else they do not exist. */
function articlesWith(db: Kysely<Tables>, caller: Caller, by: 'title' | 'key', text: string): Search | null {
  if (caller.agents !== 'all') return null;
  const candidates = db
    .selectFrom('articles')
    .where(contains(`articles.${by}`, text))
    .select(['articles.id', 'articles.title as number', 'articles.title'])
    .select(sql<string>`coalesce(articles.key, '')`.as('detail'))
    .limit(looked);
  return firstOf(db, candidates, text);
}

function configsWith(db: Kysely<Tables>, by: 'key' | 'name', text: string): Search {
  const candidates = db
    .selectFrom('configs')
    .where(contains(`configs.${by}`, text))
    .select(['configs.id', 'configs.key as number', 'configs.key as title', 'configs.name as detail'])
    .limit(looked);
  return firstOf(db, candidates, text);
}
