import type { Customer, listCustomers } from '@voltdeck/contract/customers';
import type { QueryOf } from '@voltdeck/contract/route';
import type { CustomerId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scopedByCardsOrOwn } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing, countUpTo, type Span, sortOf } from '../http/list-page.ts';

function columnsOf<O>(query: SelectQueryBuilder<Tables, 'customers', O>) {
  return query.select([
    'customers.id',
    'customers.phone',
    'customers.nickname',
    'customers.state',
    'customers.created_at as createdAt',
    sql<number | null>`(select balance_fen from ledger_accounts where key = 'customer:' || customers.id)`.as('balance'),
    sql<number | null>`(select balance_fen from ledger_accounts where key = 'customer-held:' || customers.id)`.as(
      'held',
    ),
  ]);
}

function toCustomer<Row extends { balance: number | null; held: number | null; createdAt: Instant }>({
  balance,
  held,
  ...row
}: Row) {
  return { ...row, balanceFen: fen(balance ?? 0), heldFen: fen(held ?? 0), createdAt: toIso(row.createdAt) };
}

export async function findCustomer(db: Kysely<Tables>, caller: Caller, id: CustomerId): Promise<Customer | null> {
  const row = await columnsOf(scopedByCardsOrOwn(db.selectFrom('customers'), caller, 'customers.id'))
    .where('customers.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toCustomer(row);
}

export async function listCustomerPage(
  db: Kysely<Tables>,
  caller: Caller,
  filter: QueryOf<typeof listCustomers>,
  span: Span,
) {
  let filtered = scopedByCardsOrOwn(db.selectFrom('customers'), caller, 'customers.id');
  if (filter.phone !== undefined) filtered = filtered.where('customers.phone', 'like', containing(filter.phone));
  if (filter.nickname !== undefined) {
    filtered = filtered.where('customers.nickname', 'ilike', containing(filter.nickname));
  }
  if (filter.state !== undefined) filtered = filtered.where('customers.state', 'in', filter.state);
  const { direction } = sortOf(filter.sort ?? '-createdAt');
  const [rows, total] = await Promise.all([
    columnsOf(filtered)
      .orderBy('customers.created_at', direction)
      .orderBy('customers.id', direction)
      .limit(span.limit)
      .offset(span.offset)
      .execute(),
    countUpTo(db, filtered),
  ]);
  return { items: rows.map(toCustomer), ...total };
}
