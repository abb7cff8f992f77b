import { movementTypes } from '@voltdeck/charging/states';
import { type getMovementSums, listMovements, summedMovementsMax } from '@voltdeck/contract/movements';
import type { AnswerOf, QueryOf } from '@voltdeck/contract/route';
import { type Instant, parseIso, toIso } from '@voltdeck/units/instant';
import { addFen, type Fen } from '@voltdeck/units/money';
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { type FilterOf, listSource } from '../../http/list-source.ts';
import { hasPart, isWhole } from '../../http/part-of-text.ts';
import { shownName } from '../../http/shown-name.ts';
import { findsPersonal } from '../../personal/sees-personal.ts';

type Filter = FilterOf<typeof listMovements>;
type Found = SelectQueryBuilder<Tables, 'movements', object>;

/** Whose wallet moved: the registered user, or the one who holds the card. */
const ownerId = sql`coalesce(movements.customer_id,
  (select held.customer_id from cards as held where held.id = movements.card_id))`;

/** The movements that match, within the caller's scope. */
function filterMovements(db: Kysely<Tables>, caller: Caller, filter: Filter): Found | readonly [Found, Found] {
  let found: Found = scoped(db.selectFrom('movements'), caller, 'movements.agent_id', ownerId);
  const { type, channel, state, agentId, cardId, orderId, number, cardNumber } = filter;
  if (type !== undefined) found = found.where('movements.type', 'in', type);
  if (channel !== undefined) found = found.where('movements.channel', 'in', channel);
  // Literals: a plan for any state would not use the index of the few that are not done.
  if (state !== undefined)
    found = found.where(
      'movements.state',
      'in',
      state.map((each) => sql.lit(each)),
    );
  if (agentId !== undefined) found = found.where('movements.agent_id', '=', agentId);
  if (cardId !== undefined) found = found.where('movements.card_id', '=', cardId);
  if (orderId !== undefined) found = found.where('movements.order_id', '=', orderId);
  // What a partner has left is between it and the platform; its movements are a list of their own (interop).
  found = found.where('movements.partner_id', 'is', null);
  if (filter.groupId !== undefined) found = found.where('movements.group_id', '=', filter.groupId);
  if (filter.ofGroup !== undefined) {
    found = found.where('movements.group_id', filter.ofGroup ? 'is not' : 'is', null);
  }
  if (number !== undefined) found = found.where('movements.number', '=', number.toUpperCase());
  const from = filter.from === undefined ? null : parseIso(filter.from);
  const to = filter.to === undefined ? null : parseIso(filter.to);
  if (from !== null) found = found.where('movements.created_at', '>=', from);
  if (to !== null) found = found.where('movements.created_at', '<=', to);
  if (cardNumber !== undefined) {
    const wanted = cardNumber.toUpperCase();
    const isWanted = findsPersonal(caller, 'cards.number', wanted, hasPart('cards.number', 'number', wanted));
    const operator = isWhole('cards.number', wanted) ? '=' : 'in';
    found = found.where('movements.card_id', operator, db.selectFrom('cards').select('cards.id').where(isWanted));
  }
  const people = peopleOf(db, caller, filter);
  if (people === null) return found;
  // Apart, so that each is read by its own index.
  return [
    found.where('movements.customer_id', 'in', people),
    found.where('movements.card_id', 'in', db.selectFrom('cards').select('id').where('customer_id', 'in', people)),
  ];
}

/** The registered users that a filter names; null where it names none. */
function peopleOf(db: Kysely<Tables>, caller: Caller, { phone, customerId }: Filter) {
  const isOwn = caller.agents !== 'all' && caller.agents.length === 0 && caller.customerId !== null;
  if (phone === undefined && customerId === undefined && !isOwn) return null;
  let people = db.selectFrom('customers').select('customers.id');
  if (customerId !== undefined) people = people.where('customers.id', '=', customerId);
  if (isOwn) people = people.where('customers.id', '=', caller.customerId);
  if (phone === undefined) return people;
  return people.where(findsPersonal(caller, 'customers.phone', phone, hasPart('customers.phone', 'number', phone)));
}

function movementsAsShown(db: Kysely<Tables>, { language }: Pick<Caller, 'language'>) {
  return db
    .selectFrom('movements')
    .leftJoin('cards', 'cards.id', 'movements.card_id')
    .leftJoin('group_members', 'group_members.id', 'movements.member_id')
    .leftJoin('groups', (join) =>
      join.on('groups.id', '=', sql<never>`coalesce(movements.group_id, group_members.group_id)`),
    )
    .leftJoin('customers', (join) =>
      join.on(
        'customers.id',
        '=',
        sql<never>`coalesce(movements.customer_id, cards.customer_id, group_members.customer_id)`,
      ),
    )
    .leftJoin('agents', 'agents.id', 'movements.agent_id')
    .leftJoin('users', 'users.id', 'movements.user_id')
    .select([
      'movements.id',
      'movements.number',
      'movements.type',
      'movements.state',
      'movements.card_id as cardId',
      'cards.number as cardNumber',
      'movements.customer_id as customerId',
      'groups.id as groupId',
      'groups.name as groupName',
      'group_members.id as groupMemberId',
      'customers.phone as customerPhone',
      'customers.nickname',
      'movements.paid_fen as paidFen',
      'movements.gift_fen as giftFen',
      'movements.paid_after_fen as paidAfterFen',
      'movements.gift_after_fen as giftAfterFen',
      'movements.channel',
      'movements.order_id as orderId',
      'movements.recharge_id as rechargeId',
      'movements.transfer_id as transferId',
      'movements.agent_id as agentId',
      'agents.name as agentName',
      'movements.remark',
      'movements.created_at as createdAt',
    ])
    .select(shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('operatorName'));
}

type Row = { paidFen: Fen; giftFen: Fen; paidAfterFen: Fen; giftAfterFen: Fen; createdAt: Instant };

function toMovement<Shown extends Row>(row: Shown) {
  return {
    ...row,
    amountFen: addFen(row.paidFen, row.giftFen),
    balanceAfterFen: addFen(row.paidAfterFen, row.giftAfterFen),
    createdAt: toIso(row.createdAt),
  };
}

export const movementList = listSource({
  route: listMovements,
  neverShrinks: true,
  filtered: filterMovements,
  id: sql`movements.id`,
  sorts: { createdAt: sql`movements.created_at` },
  rows: (db, read) => movementsAsShown(db, read),
  toItem: toMovement,
});

type SumsRow = { type: (typeof movementTypes)[number]; count: number; paidFen: Fen; giftFen: Fen };

/** The sums of matching movements by type. The columns are those of the indexes, which answer it alone. */
export async function readMovementSums(
  db: Kysely<Tables>,
  caller: Caller,
  filter: QueryOf<typeof getMovementSums>,
): Promise<AnswerOf<typeof getMovementSums>> {
  const found = filterMovements(db, caller, filter);
  const parts: readonly Found[] = 'execute' in found ? [found] : found;
  const read = parts.map(
    (part): RawBuilder<unknown> => sql`${part.select(['movements.type', 'movements.paid_fen', 'movements.gift_fen'])}`,
  );
  const { rows } = await sql<SumsRow>`
    select type, count(*)::integer as count, sum(paid_fen)::bigint as "paidFen", sum(gift_fen)::bigint as "giftFen"
      from (select * from (${sql.join(read, sql` union all `)}) as found limit ${sql.lit(summedMovementsMax + 1)}) as m
     group by type`.execute(db);
  if (rows.reduce((sum, { count }) => sum + count, 0) > summedMovementsMax) return { sums: null };
  return { sums: movementTypes.flatMap((type) => rows.filter((row) => row.type === type)) };
}
