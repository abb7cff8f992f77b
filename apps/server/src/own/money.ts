import type { listOwnMovements, OwnBalance } from '@voltdeck/contract/own';
import type { AnswerOf, QueryOf } from '@voltdeck/contract/route';
import { toIso } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import { ofCustomer } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { partColumns, withBalance } from '../ledger/wallet-parts.ts';
import { pageBy, toPage } from './page.ts';

export async function findOwnBalance(db: Kysely<Tables>, caller: CustomerCaller): Promise<OwnBalance> {
  const row = await ofCustomer(db.selectFrom('customers'), caller, 'customers.id')
    .select(partColumns('customer', 'customers.id'))
    .executeTakeFirstOrThrow();
  return withBalance(row);
}

export async function findOwnMovements(
  db: Kysely<Tables>,
  caller: CustomerCaller,
  page: QueryOf<typeof listOwnMovements>,
): Promise<AnswerOf<typeof listOwnMovements>> {
  const movements = ofCustomer(db.selectFrom('movements'), caller, 'movements.customer_id')
    .select(['id', 'number', 'type', 'paid_fen as paidFen', 'gift_fen as giftFen', 'order_id as orderId'])
    .select(['paid_after_fen as paidAfterFen', 'gift_after_fen as giftAfterFen', 'created_at as createdAt']);
  const rows = await pageBy(movements, page, { at: 'movements.created_at', id: 'movements.id' }).execute();
  return toPage(
    rows,
    page,
    ({ createdAt }) => createdAt,
    ({ createdAt, ...movement }) => ({ ...movement, createdAt: toIso(createdAt) }),
  );
}
