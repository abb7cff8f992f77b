import { isPlate, tidyPlate } from '@voltdeck/charging/plate';
import { liveOrderStates, type OrderState } from '@voltdeck/charging/states';
import { isVin, tidyVin } from '@voltdeck/charging/vin';
import type { FoundList } from '@voltdeck/contract/search';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { beginsWith, endsWith } from '../http/part-of-text.ts';
import { say } from '../http/say.ts';
import { amongFirst, type FoundRow, foundMax, lookedBy, noDetail, ranks, type Search, type Way } from './way.ts';

/** Any three digits occur in every tenth number, four digits at the end of one number in ten thousand. */
const orderTextMin = 4;
const orderTextMax = 22;
/** The number of a charge begins with its station and gun port, which all charges of that port share. */
const transactionPrefixMin = 17;

/** Orders by their number, the number of their charge, and the vehicle that charged, whether it is registered or not. */
export const orderWays: readonly Way[] = [
  { shownBy: inLists('number'), find: findNumbered, tell: tellOrders },
  { shownBy: [], find: findTransactions, tell: tellOrders },
  { shownBy: inLists('plate'), find: (db, caller, text) => findOfVehicle(db, caller, 'plate', text), tell: tellOrders },
  { shownBy: inLists('vin'), find: (db, caller, text) => findOfVehicle(db, caller, 'vin', text), tell: tellOrders },
];

/** Each list of orders shows some of the states. */
function inLists(filter: 'number' | 'plate' | 'vin'): Way['shownBy'] {
  return [
    { list: 'orderListReal', filter },
    { list: 'orderListHistory', filter },
  ];
}

const liveStates: readonly string[] = liveOrderStates;
const listOf = (state: string): FoundList => (liveStates.includes(state) ? 'orderListReal' : 'orderListHistory');
const stateColumn = 'found.state' as const;

function inTheirLists(query: { execute(): Promise<(FoundRow & { state: string })[]> }): Search {
  return {
    execute: async () => (await query.execute()).map(({ state, ...row }) => ({ ...row, list: listOf(state) })),
  };
}

/** By the beginning of the number, which is its time, or by its end, which people read out; the newest first. */
function findNumbered(db: Kysely<Tables>, caller: Caller, text: string): Search | null {
  if (text.length < orderTextMin || text.length > orderTextMax || !/^[0-9A-Z-]+$/i.test(text)) return null;
  const part = text.toUpperCase();
  // By name, not `*`: the search's statements are prepared.
  const columns = ['id', 'number', 'state', 'agent_id', 'customer_id'] as const;
  const candidates = db
    .selectFrom('orders')
    .select(columns)
    .limit(sql.lit(lookedBy(caller)));
  const whole = candidates.where('number', '=', part);
  // Numbers begin with the day, and people look for the newest.
  const first = candidates.where(beginsWith('number', part)).orderBy('number', 'desc');
  const last = candidates.where(endsWith('number', part));
  const either = db
    .selectFrom(first.as('first'))
    .select(columns)
    .union(db.selectFrom(last.as('last')).select(columns));
  const found = text.length < orderTextMax ? either : whole;
  const own = inTheirLists(
    scoped(db.selectFrom(found.as('found')), caller, 'found.agent_id', 'found.customer_id')
      .select(['found.id', 'found.number', 'found.number as title', stateColumn, noDetail])
      .select(
        sql<number>`case when found.number = ${part} then ${sql.lit(ranks.whole)}
                         when starts_with(found.number, ${part}) then ${sql.lit(ranks.beginning)}
                         else ${sql.lit(ranks.part)} end`.as('rank'),
      )
      .orderBy(sql`found.number = ${part}`, 'desc')
      .orderBy('found.number', 'desc')
      .limit(foundMax + 1),
  );
  return amongFirst(db, caller, found, own);
}

/** By the transaction key that the charge had before it began, the newest first. */
function findTransactions(db: Kysely<Tables>, caller: Caller, text: string): Search | null {
  if (text.length < transactionPrefixMin || !/^\d{1,32}$/.test(text)) return null;
  const candidates = db
    .selectFrom('orders')
    .select(['orders.id', 'orders.number', 'orders.transaction_key', 'orders.agent_id', 'orders.customer_id'])
    .where(beginsWith('orders.transaction_key', text))
    .orderBy('orders.transaction_key', 'desc')
    .limit(sql.lit(lookedBy(caller)));
  const own = scoped(db.selectFrom(candidates.as('found')), caller, 'found.agent_id', 'found.customer_id')
    .select(['found.id', 'found.number', sql<string>`found.transaction_key`.as('title'), noDetail])
    .select(
      sql<number>`case when found.transaction_key = ${text} then ${sql.lit(ranks.whole)}
                       else ${sql.lit(ranks.beginning)} end`.as('rank'),
    )
    .orderBy('found.transaction_key', 'desc')
    .limit(foundMax + 1);
  return amongFirst(db, caller, candidates, own);
}

/** By the whole plate or VIN that the charge had, the newest first. */
function findOfVehicle(db: Kysely<Tables>, caller: Caller, by: 'plate' | 'vin', text: string): Search | null {
  const wanted = by === 'plate' ? tidyPlate(text) : tidyVin(text);
  if (!(by === 'plate' ? isPlate(wanted) : isVin(wanted))) return null;
  const candidates = db
    .selectFrom('orders')
    .select(['orders.id', 'orders.number', 'orders.state', 'orders.placed_at', 'orders.agent_id', 'orders.customer_id'])
    .where(`orders.${by}`, '=', wanted)
    .orderBy('orders.placed_at', 'desc')
    .orderBy('orders.id', 'desc')
    .limit(sql.lit(lookedBy(caller)));
  const own = inTheirLists(
    scoped(db.selectFrom(candidates.as('found')), caller, 'found.agent_id', 'found.customer_id')
      .select(['found.id', 'found.number', 'found.number as title', stateColumn, noDetail])
      // The text is the vehicle's, not the order's.
      .select(sql<number>`${sql.lit(ranks.part)}`.as('rank'))
      .orderBy('found.placed_at', 'desc')
      .orderBy('found.id', 'desc')
      .limit(foundMax + 1),
  );
  return amongFirst(db, caller, candidates, own);
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
