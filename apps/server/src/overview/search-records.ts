import type { Permission } from '@voltdeck/contract/permissions';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { searchRecords as route } from '@voltdeck/contract/search';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped, scopedByCardsOrOwn } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { say } from '../http/say.ts';

export type FoundRecord = AnswerOf<typeof route>[number];

const shownMax = 5;
/**
 * How many records of a prefix are looked at to find those in the caller's scope. A prefix that fits more is too short to
 * mean one record; the whole number always finds it.
 */
const candidatesMax = 5_000;
/** What is typed first is the same for too many: the beginning of every card number and of every phone. */
const cardPrefixMin = 6;
const phonePrefixMin = 4;
/** The number of a charge begins with its station and gun port: up to there it is the same for all of them. */
const transactionPrefixMin = 17;

/**
 * What the text is the beginning of, exact numbers first, five of a kind. Every look-up walks an index of the number in
 * the database's byte order (docs/operations/database.md), so ten million orders are found like ten.
 */
export async function searchRecords(db: Kysely<Tables>, caller: Caller, text: string): Promise<FoundRecord[]> {
  const may = (permission: Permission) => caller.admin || caller.permissions.has(permission);
  const capitals = text.toUpperCase();
  const found = await Promise.all([
    may('order.read') ? findOrders(db, caller, capitals) : [],
    may('station.read') ? findStations(db, caller, text) : [],
    may('card.read') && /^[0-9A-Z-]+$/.test(capitals) && text.length >= cardPrefixMin
      ? findCards(db, caller, capitals)
      : [],
    may('customer.read') && /^\d+$/.test(text) && text.length >= phonePrefixMin ? findCustomers(db, caller, text) : [],
  ]);
  return found.flat();
}

/** Beyond every text that begins with `prefix`: no character is greater than the last one of Unicode. */
function beyond(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

async function findOrders(db: Kysely<Tables>, caller: Caller, prefix: string): Promise<FoundRecord[]> {
  // Numbers begin with the day: the newest are the ones that people ask for.
  const candidates = db
    .selectFrom('orders')
    .select(['orders.id', 'orders.number', 'orders.state', 'orders.agent_id', 'orders.customer_id'])
    .where('orders.number', '>', prefix)
    .where('orders.number', '<', beyond(prefix))
    .orderBy('orders.number', 'desc')
    .limit(sql.lit(candidatesMax));
  const exact = scoped(db.selectFrom('orders'), caller, 'orders.agent_id', 'orders.customer_id')
    .select(['orders.id', 'orders.number', 'orders.state'])
    .where('orders.number', '=', prefix);
  const beginning = scoped(
    db.selectFrom(candidates.as('candidates')),
    caller,
    'candidates.agent_id',
    'candidates.customer_id',
  )
    .select(['candidates.id', 'candidates.number', 'candidates.state'])
    .orderBy('candidates.number', 'desc')
    .limit(shownMax);
  const byNumber = Promise.all([exact.execute(), beginning.execute()]);
  const isTransaction = /^\d{1,32}$/.test(prefix) && prefix.length >= transactionPrefixMin;
  const byTransaction = isTransaction ? findTransactions(db, caller, prefix) : [];
  const rows = firstOnes([...(await byNumber).flat(), ...(await byTransaction)]);
  return rows.map(({ id, number, state }) => ({
    kind: 'order',
    id,
    number,
    detail: say(caller.language, `order-state.${state}`),
  }));
}

/** By the name that a charge had before it began, the newest first. */
async function findTransactions(db: Kysely<Tables>, caller: Caller, prefix: string) {
  const candidates = db
    .selectFrom('orders')
    .select(['orders.id', 'orders.transaction_key', 'orders.state', 'orders.agent_id', 'orders.customer_id'])
    .where('orders.transaction_key', '>=', prefix)
    .where('orders.transaction_key', '<', beyond(prefix))
    .orderBy('orders.transaction_key', 'desc')
    .limit(sql.lit(candidatesMax));
  return scoped(db.selectFrom(candidates.as('candidates')), caller, 'candidates.agent_id', 'candidates.customer_id')
    .select(['candidates.id', sql<string>`candidates.transaction_key`.as('number'), 'candidates.state'])
    .orderBy('candidates.transaction_key', 'desc')
    .limit(shownMax)
    .execute();
}

/** By number in either case, or by the beginning of the name. */
async function findStations(db: Kysely<Tables>, caller: Caller, text: string): Promise<FoundRecord[]> {
  const startingWith = (column: 'number' | 'name', prefix: string) => {
    const candidates = db
      .selectFrom('stations')
      .select(['stations.id', 'stations.number', 'stations.name', 'stations.agent_id'])
      .where(`stations.${column}`, '>=', prefix)
      .where(`stations.${column}`, '<', beyond(prefix))
      .orderBy(`stations.${column}`)
      .limit(sql.lit(candidatesMax));
    return scoped(db.selectFrom(candidates.as('candidates')), caller, 'candidates.agent_id')
      .select(['candidates.id', 'candidates.number', 'candidates.name'])
      .orderBy(`candidates.${column}`)
      .limit(shownMax)
      .execute();
  };
  const spellings = [...new Set([text, text.toUpperCase(), text.toLowerCase()])];
  const rows = await Promise.all([
    ...spellings.map((spelling) => startingWith('number', spelling)),
    startingWith('name', text),
  ]);
  return firstOnes(rows.flat()).map(({ id, number, name }) => ({ kind: 'station', id, number, detail: name }));
}

/** The printed number or the physical one. */
async function findCards(db: Kysely<Tables>, caller: Caller, prefix: string): Promise<FoundRecord[]> {
  const startingWith = (column: 'number' | 'physical_number') => {
    const candidates = db
      .selectFrom('cards')
      .select(['cards.id', 'cards.number', 'cards.physical_number', 'cards.customer_id', 'cards.agent_id'])
      .where(`cards.${column}`, '>=', prefix)
      .where(`cards.${column}`, '<', beyond(prefix))
      .orderBy(`cards.${column}`)
      .limit(sql.lit(candidatesMax));
    return scoped(db.selectFrom(candidates.as('candidates')), caller, 'candidates.agent_id', 'candidates.customer_id')
      .leftJoin('customers', 'customers.id', 'candidates.customer_id')
      .select([
        'candidates.id',
        sql<string>`${sql.ref(`candidates.${column}`)}`.as('number'),
        'customers.nickname',
        'customers.phone',
      ])
      .orderBy(`candidates.${column}`)
      .limit(shownMax)
      .execute();
  };
  const rows = await Promise.all([startingWith('number'), startingWith('physical_number')]);
  return firstOnes(rows.flat()).map(({ id, number, nickname, phone }) => ({
    kind: 'card',
    id,
    number,
    detail: nickname ?? phone ?? '',
  }));
}

async function findCustomers(db: Kysely<Tables>, caller: Caller, prefix: string): Promise<FoundRecord[]> {
  const candidates = db
    .selectFrom('customers')
    .select(['customers.id', 'customers.phone', 'customers.nickname'])
    .where('customers.phone', '>=', prefix)
    .where('customers.phone', '<', beyond(prefix))
    .orderBy('customers.phone')
    .limit(sql.lit(candidatesMax));
  const rows = await scopedByCardsOrOwn(db.selectFrom(candidates.as('candidates')), caller, 'candidates.id')
    .select(['candidates.id', 'candidates.phone', 'candidates.nickname'])
    .orderBy('candidates.phone')
    .limit(shownMax)
    .execute();
  return rows.map(({ id, phone, nickname }) => ({ kind: 'customer', id, number: phone, detail: nickname }));
}

/** Found in two ways, a record is shown once. */
function firstOnes<Row extends { id: number }>(rows: readonly Row[]): Row[] {
  const seen = new Set<number>();
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, shownMax);
}
