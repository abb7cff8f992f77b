import { type Customer, listCustomers } from '@voltdeck/contract/customers';
import type { CustomerId } from '@voltdeck/units/id';
import { type Instant, parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scopedByCardsOrOwn } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { hasPart } from '../http/part-of-text.ts';
import { type PartsRow, partColumns, withBalance } from '../ledger/wallet-parts.ts';
import { findsPersonal } from '../personal/sees-personal.ts';

function columnsOf<O>(query: SelectQueryBuilder<Tables, 'customers', O>) {
  return query.select([
    'customers.id',
    'customers.phone',
    'customers.nickname',
    'customers.state',
    'customers.created_at as createdAt',
    ...partColumns('customer', 'customers.id'),
  ]);
}

function toCustomer<Row extends PartsRow & { createdAt: Instant }>(row: Row) {
  return { ...withBalance(row), createdAt: toIso(row.createdAt) };
}

export async function findCustomer(db: Kysely<Tables>, caller: Caller, id: CustomerId): Promise<Customer | null> {
  const row = await columnsOf(scopedByCardsOrOwn(db.selectFrom('customers'), caller, 'customers.id'))
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
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) customers = customers.where('customers.created_at', '>=', from);
    if (to !== null) customers = customers.where('customers.created_at', '<=', to);
    return customers;
  },
  id: sql`customers.id`,
  sorts: { createdAt: sql`customers.created_at` },
  rows: (db) => columnsOf(db.selectFrom('customers')),
  toItem: toCustomer,
});
