import { type CreditMovement, type CreditScore, listCreditMovements, listCredits } from '@voltdeck/contract/credit';
import type { CustomerId, OrderId } from '@voltdeck/units/id';
import { type Instant, parseIso, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { type Reach, scopedByCardsOrOwn } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { hasPart } from '../http/part-of-text.ts';
import { shownName } from '../http/shown-name.ts';
import { findsPersonal } from '../personal/sees-personal.ts';

/** Points are shown whole (migration 0065). */
const wholePoints = (e2: string) => sql<number>`floor(${sql.ref(e2)} / 100.0)::bigint`;

const holdsCard = sql<boolean>`exists (select 1 from cards where cards.customer_id = credits.customer_id)`;

function withNames<O>(query: SelectQueryBuilder<Tables, 'credits', O>) {
  return query
    .innerJoin('customers', 'customers.id', 'credits.customer_id')
    .select([
      'credits.customer_id as id',
      'customers.nickname',
      'customers.phone',
      sql<CreditScore['userType']>`case when ${holdsCard} then 'card_holder' else 'account' end`.as('userType'),
      wholePoints('credits.score_e2').as('score'),
      'credits.consumed_fen as consumedFen',
    ]);
}

export async function findCredit(db: Kysely<Tables>, caller: Caller, id: CustomerId): Promise<CreditScore | null> {
  const row = await withNames(scopedByCardsOrOwn(db.selectFrom('credits'), caller, 'credits.customer_id'))
    .where('credits.customer_id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

export const creditList = listSource({
  route: listCredits,
  filtered(db, caller, { phone, nickname, userType, customerId }) {
    let credits = scopedByCardsOrOwn(db.selectFrom('credits'), caller, 'credits.customer_id');
    if (phone !== undefined || nickname !== undefined) {
      let customers = db.selectFrom('customers').select('customers.id');
      if (phone !== undefined) {
        const byPart = hasPart('customers.phone', 'number', phone);
        customers = customers.where(findsPersonal(caller, 'customers.phone', phone, byPart));
      }
      if (nickname !== undefined) customers = customers.where(hasPart('customers.nickname', 'name', nickname));
      credits = credits.where('credits.customer_id', 'in', customers);
    }
    if (userType !== undefined) {
      credits = credits.where(userType === 'card_holder' ? holdsCard : sql<boolean>`not ${holdsCard}`);
    }
    if (customerId !== undefined) credits = credits.where('credits.customer_id', '=', customerId);
    return credits;
  },
  id: sql`credits.customer_id`,
  sorts: { score: sql`credits.score_e2`, consumedFen: sql`credits.consumed_fen` },
  sums: { consumedFen: sql`credits.consumed_fen` },
  rows: (db) => withNames(db.selectFrom('credits')),
  toItem: (row) => row,
});

/** Whoever sees a customer sees all points, but the orders behind them only where they are the caller's to see. */
function seesOrder({ agents, customerId }: Reach, agentId: string) {
  if (agents === 'all' || customerId !== null) return sql<boolean>`true`;
  return sql<boolean>`coalesce(${sql.ref(agentId)} = any(${[...agents]}), false)`;
}

/** The movements with the order and amount that the caller sees; null where it is another agent's. */
function movementsSeenBy(db: Kysely<Tables>, caller: Reach) {
  const isSeen = sql`(all_of.order_id is null or ${seesOrder(caller, 'o.agent_id')})`;
  return db.selectFrom(
    db
      .selectFrom('credit_movements as all_of')
      .leftJoin('orders as o', 'o.id', 'all_of.order_id')
      .select(['all_of.id', 'all_of.customer_id', 'all_of.kind', 'all_of.points_e2', 'all_of.after_e2'])
      .select(['all_of.reason', 'all_of.user_id', 'all_of.created_at'])
      .select([
        sql<OrderId | null>`case when ${isSeen} then all_of.order_id end`.as('order_id'),
        sql<string | null>`case when ${isSeen} then o.number end`.as('order_number'),
        sql<Fen | null>`case when ${isSeen} then all_of.amount_fen end`.as('amount_fen'),
      ])
      .as('m'),
  );
}

export const creditMovementList = listSource({
  route: listCreditMovements,
  filtered(db, caller, filter) {
    let movements = scopedByCardsOrOwn(movementsSeenBy(db, caller), caller, 'm.customer_id');
    const { orderNumber, phone, kind, customerId } = filter;
    if (orderNumber !== undefined) {
      movements = movements.where(sql<boolean>`m.order_id = (select id from orders where number = ${orderNumber})`);
    }
    if (phone !== undefined) {
      const byPart = hasPart('customers.phone', 'number', phone);
      const customers = db
        .selectFrom('customers')
        .select('customers.id')
        .where(findsPersonal(caller, 'customers.phone', phone, byPart));
      movements = movements.where('m.customer_id', 'in', customers);
    }
    if (customerId !== undefined) movements = movements.where('m.customer_id', '=', customerId);
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) movements = movements.where('m.created_at', '>=', from);
    if (to !== null) movements = movements.where('m.created_at', '<=', to);
    if (kind === undefined) return movements;
    const [first, ...others] = [...new Set(kind)].map((each) => movements.where('m.kind', '=', each));
    return first === undefined ? movements : [first, ...others];
  },
  id: sql`m.id`,
  sorts: { createdAt: sql`m.created_at` },
  sums: { amountFen: sql`m.amount_fen` },
  rowsFor: (db, { caller }) =>
    movementsSeenBy(db, caller)
      .innerJoin('customers', 'customers.id', 'm.customer_id')
      .leftJoin('users', 'users.id', 'm.user_id')
      .select([
        'm.id',
        'm.customer_id as customerId',
        'customers.nickname',
        'customers.phone',
        'm.order_id as orderId',
        'm.order_number as orderNumber',
        'm.kind',
        sql<number>`(floor(m.after_e2 / 100.0) - floor((m.after_e2 - m.points_e2) / 100.0))::bigint`.as('points'),
        wholePoints('m.after_e2').as('after'),
        'm.amount_fen as amountFen',
        'm.reason',
        shownName<string | null>(caller.language, 'user', 'users.real_name', 'users.real_name_key').as('userName'),
        'm.created_at as createdAt',
      ]),
  toItem: (row: Omit<CreditMovement, 'createdAt'> & { createdAt: Instant }): CreditMovement => ({
    ...row,
    createdAt: toIso(row.createdAt),
  }),
  neverShrinks: true,
});
