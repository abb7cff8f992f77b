import { type Card, listCards } from '@voltdeck/contract/cards';
import type { CardId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { hasPart } from '../http/part-of-text.ts';
import { type PartsRow, partColumns, withBalance } from '../ledger/wallet-parts.ts';
import { findsPersonal } from '../personal/sees-personal.ts';
import { waitingActs } from '../second-person/waiting-acts.ts';

function cardRows(db: Kysely<Tables>) {
  return db
    .selectFrom('cards')
    .leftJoin('customers', 'customers.id', 'cards.customer_id')
    .leftJoin('agents', 'agents.id', 'cards.agent_id')
    .leftJoin('cards as successors', 'successors.id', 'cards.successor_id')
    .select([
      'cards.id',
      'cards.number',
      'cards.physical_number as physicalNumber',
      'cards.type',
      'cards.state',
      'cards.customer_id as customerId',
      'customers.phone as customerPhone',
      'customers.nickname as customerNickname',
      'cards.bound_at as boundAt',
      'cards.tap_amount_fen as tapAmountFen',
      'cards.successor_id as successorId',
      'successors.number as successorNumber',
      'cards.agent_id as agentId',
      'agents.name as agentName',
      'cards.expires_at as expiresAt',
      'cards.created_at as createdAt',
      ...partColumns('card', 'cards.id'),
      waitingActs('card', 'cards.id').as('waits'),
    ]);
}

type CardRow = PartsRow & { boundAt: Instant | null; expiresAt: Instant | null; createdAt: Instant };

function toCard<Row extends CardRow>(row: Row) {
  return {
    ...withBalance(row),
    boundAt: isoOrNull(row.boundAt),
    expiresAt: isoOrNull(row.expiresAt),
    createdAt: toIso(row.createdAt),
  };
}

export async function findCard(db: Kysely<Tables>, caller: Caller, id: CardId): Promise<Card | null> {
  const row = await scoped(cardRows(db), caller, 'cards.agent_id', 'cards.customer_id')
    .where('cards.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toCard(row);
}

export const cardList = listSource({
  route: listCards,
  filtered(db, caller, filter) {
    let cards = scoped(db.selectFrom('cards'), caller, 'cards.agent_id', 'cards.customer_id');
    if (filter.number !== undefined) {
      // The printed and the physical number.
      const number = filter.number.toUpperCase();
      const finds = (column: string) => findsPersonal(caller, column, number, hasPart(column, 'number', number));
      cards = cards.where((eb) => eb.or([finds('cards.number'), finds('cards.physical_number')]));
    }
    if (filter.type !== undefined) {
      // Literals, so that PostgreSQL sees that the index of offline cards serves it.
      cards = cards.where(sql<boolean>`cards.type in (${sql.join(filter.type.map((type) => sql.lit(type)))})`);
    }
    if (filter.state !== undefined) cards = cards.where('cards.state', 'in', filter.state);
    if (filter.phone !== undefined) {
      const holders = db
        .selectFrom('customers')
        .select('customers.id')
        .where(
          findsPersonal(caller, 'customers.phone', filter.phone, hasPart('customers.phone', 'number', filter.phone)),
        );
      cards = cards.where('cards.customer_id', 'in', holders);
    }
    if (filter.agentId !== undefined) cards = cards.where('cards.agent_id', '=', filter.agentId);
    if (filter.customerId !== undefined) cards = cards.where('cards.customer_id', '=', filter.customerId);
    return cards;
  },
  id: sql`cards.id`,
  sorts: { createdAt: sql`cards.created_at` },
  rows: cardRows,
  toItem: toCard,
});
