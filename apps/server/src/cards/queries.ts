import type { Card, listCards } from '@voltdeck/contract/cards';
import type { QueryOf } from '@voltdeck/contract/route';
import type { CardId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing, countUpTo, type Span, sortOf } from '../http/list-page.ts';

function cardRows(db: Kysely<Tables>) {
  return db
    .selectFrom('cards')
    .leftJoin('customers', 'customers.id', 'cards.customer_id')
    .select([
      'cards.id',
      'cards.number',
      'cards.physical_number as physicalNumber',
      'cards.state',
      'cards.customer_id as customerId',
      'customers.phone as customerPhone',
      'cards.agent_id as agentId',
      'cards.expires_at as expiresAt',
      'cards.created_at as createdAt',
      sql<number | null>`(select balance_fen from ledger_accounts where key = 'card:' || cards.id)`.as('balance'),
      sql<number | null>`(select balance_fen from ledger_accounts where key = 'card-held:' || cards.id)`.as('held'),
    ]);
}

type CardRow = { balance: number | null; held: number | null; expiresAt: Instant | null; createdAt: Instant };

function toCard<Row extends CardRow>({ balance, held, ...row }: Row) {
  return {
    ...row,
    balanceFen: fen(balance ?? 0),
    heldFen: fen(held ?? 0),
    expiresAt: row.expiresAt === null ? null : toIso(row.expiresAt),
    createdAt: toIso(row.createdAt),
  };
}

export async function findCard(db: Kysely<Tables>, caller: Caller, id: CardId): Promise<Card | null> {
  const row = await scoped(cardRows(db), caller, 'cards.agent_id', 'cards.customer_id')
    .where('cards.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toCard(row);
}

/** `number` finds the printed and the physical one. */
export async function listCardPage(db: Kysely<Tables>, caller: Caller, filter: QueryOf<typeof listCards>, span: Span) {
  let filtered = scoped(db.selectFrom('cards'), caller, 'cards.agent_id', 'cards.customer_id');
  if (filter.number !== undefined) {
    const pattern = containing(filter.number.toUpperCase());
    filtered = filtered.where((eb) =>
      eb.or([eb('cards.number', 'like', pattern), eb('cards.physical_number', 'like', pattern)]),
    );
  }
  if (filter.state !== undefined) filtered = filtered.where('cards.state', 'in', filter.state);
  if (filter.customerId !== undefined) filtered = filtered.where('cards.customer_id', '=', filter.customerId);
  const { direction } = sortOf(filter.sort ?? '-createdAt');
  const ids = filtered
    .select('cards.id')
    .orderBy('cards.created_at', direction)
    .orderBy('cards.id', direction)
    .limit(span.limit)
    .offset(span.offset);
  const [rows, total] = await Promise.all([
    cardRows(db)
      .where('cards.id', 'in', ids)
      .orderBy('cards.created_at', direction)
      .orderBy('cards.id', direction)
      .execute(),
    countUpTo(db, filtered),
  ]);
  return { items: rows.map(toCard), ...total };
}
