import { type Customer, type CustomerDetail, listCustomers } from '@voltdeck/contract/customers';
import type { CustomerId } from '@voltdeck/units/id';
import { type Instant, parseIso, toIso } from '@voltdeck/units/instant';
import { addFen, type Fen } from '@voltdeck/units/money';
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { type Reach, scopedByCardsOrOwn } from '../caller/scope.ts';
import { valueIn } from '../database/parameter.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { hasPart } from '../http/part-of-text.ts';
import { accountKey } from '../ledger/account-key.ts';
import { debtLimit } from '../ledger/debt.ts';
import { type PartsRow, partColumns, partOf, withBalance } from '../ledger/wallet-parts.ts';
import { findsPersonal } from '../personal/sees-personal.ts';

/** The cards `c` of a customer that the caller sees: an agent's people know nothing of other agents' cards. */
function cardsOfCustomer({ agents, customerId }: Reach): RawBuilder<unknown> {
  const seen = agents === 'all' || customerId !== null ? sql`` : sql` and c.agent_id = any(${[...agents]})`;
  return sql`from cards c where c.customer_id = customers.id${seen}`;
}

function columnsOf<O>(query: SelectQueryBuilder<Tables, 'customers', O>, reach: Reach) {
  return query.select([
    'customers.id',
    'customers.phone',
    'customers.nickname',
    'customers.state',
    'customers.state_reason as stateReason',
    'customers.merged_into_id as mergedIntoId',
    'customers.created_at as createdAt',
    ...partColumns('customer', 'customers.id'),
    sql<string | null>`(select value from configs where key = ${sql.lit(debtLimit.key)})`.as('debtLimit'),
    sql<Fen>`(
      select coalesce(sum(a.balance_fen), 0)::bigint from ledger_accounts a
       where a.key in (select unnest(array[${accountKey('card', 'c.id')}, ${accountKey('card-gift', 'c.id')}])
                         ${cardsOfCustomer(reach)}))`.as('cardBalanceFen'),
  ]);
}

type CustomerRow = PartsRow & { createdAt: Instant; debtLimit: string | null; cardBalanceFen: Fen };

function toCustomer<Row extends CustomerRow>({ debtLimit: limit, ...row }: Row) {
  const shown = withBalance(row);
  return {
    ...shown,
    totalFen: addFen(shown.balanceFen, row.cardBalanceFen),
    debtLimitFen: valueIn(debtLimit, limit),
    createdAt: toIso(row.createdAt),
  };
}

export async function findCustomer(db: Kysely<Tables>, caller: Caller, id: CustomerId): Promise<Customer | null> {
  const row = await columnsOf(scopedByCardsOrOwn(db.selectFrom('customers'), caller, 'customers.id'), caller)
    .where('customers.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toCustomer(row);
}

export async function findCustomerDetail(
  db: Kysely<Tables>,
  caller: Caller,
  id: CustomerId,
): Promise<CustomerDetail | null> {
  const cards = cardsOfCustomer(caller);
  const row = await columnsOf(scopedByCardsOrOwn(db.selectFrom('customers'), caller, 'customers.id'), caller)
    .select([
      sql<number>`(select count(*)::integer ${cards})`.as('cards'),
      sql<number>`(select count(*)::integer from vehicles v where v.card_id in (select c.id ${cards}))`.as('vehicles'),
      sql<number>`(
        select count(*)::integer from orders o
         where o.customer_id = customers.id and o.state in ('placed', 'charging'))`.as('runningCharges'),
      sql<string | null>`(select i.nickname from customers i where i.id = customers.merged_into_id)`.as(
        'mergedIntoNickname',
      ),
    ])
    .where('customers.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toCustomer(row);
}

export const customerList = listSource({
  route: listCustomers,
  filtered(db, caller, filter) {
    let customers = scopedByCardsOrOwn(db.selectFrom('customers'), caller, 'customers.id');
    if (filter.phone !== undefined) {
      const byPart = hasPart('customers.phone', 'number', filter.phone);
      customers = customers.where(findsPersonal(caller, 'customers.phone', filter.phone, byPart));
    }
    if (filter.nickname !== undefined) {
      customers = customers.where(hasPart('customers.nickname', 'name', filter.nickname));
    }
    if (filter.state !== undefined) customers = customers.where('customers.state', 'in', filter.state);
    if (filter.owes !== undefined) {
      // Few owe, and an index has only them.
      const debtors = sql`(select o.customer_id from orders o where o.owed_fen > 0 and o.payment_type = 'online')`;
      customers = customers.where(
        filter.owes
          ? sql<boolean>`customers.id in ${debtors}`
          : sql<boolean>`not coalesce(customers.id = any(array${debtors}), false)`,
      );
    }
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) customers = customers.where('customers.created_at', '>=', from);
    if (to !== null) customers = customers.where('customers.created_at', '<=', to);
    return customers;
  },
  id: sql`customers.id`,
  sorts: { createdAt: sql`customers.created_at` },
  sums: {
    balanceFen: sql`${partOf('customer', 'paid', 'customers.id')} + ${partOf('customer', 'gift', 'customers.id')}`,
    giftFen: partOf('customer', 'gift', 'customers.id'),
    owedFen: sql`-${partOf('customer', 'receivable', 'customers.id')}`,
  },
  rowsFor: (db, { caller }) => columnsOf(db.selectFrom('customers'), caller),
  toItem: toCustomer,
});
