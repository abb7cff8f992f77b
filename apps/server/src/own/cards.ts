import type { ApiError } from '@voltdeck/contract/errors';
import type { OwnCard } from '@voltdeck/contract/own';
import type { CardId } from '@voltdeck/units/id';
import { type Instant, isoOrNull } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import { ofCustomer } from '../caller/scope.ts';
import { giveJob } from '../database/give-job.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { partColumns, withBalance } from '../ledger/wallet-parts.ts';

/** Cards of one customer that are answered. */
const cardsMax = 100;

function ownCards(db: Kysely<Tables>, caller: CustomerCaller) {
  return ofCustomer(db.selectFrom('cards'), caller, 'cards.customer_id')
    .select(['cards.id', 'cards.number', 'cards.state', 'cards.expires_at as expiresAt'])
    .select(partColumns('card', 'cards.id'));
}

type CardRow = Awaited<ReturnType<ReturnType<typeof ownCards>['executeTakeFirstOrThrow']>>;

function toOwnCard(row: CardRow): OwnCard {
  const { balanceFen, id, number, state, owedFen, expiresAt } = withBalance(row);
  return { id, number, state, balanceFen, owedFen, expiresAt: isoOrNull(expiresAt) };
}

export async function findOwnCards(db: Kysely<Tables>, caller: CustomerCaller): Promise<OwnCard[]> {
  const rows = await ownCards(db, caller)
    .orderBy(sql`cards.state = 'active'`, 'desc')
    .orderBy('cards.id', 'desc')
    .limit(cardsMax)
    .execute();
  return rows.map(toOwnCard);
}

/** Blocks a card of the customer. A running charge continues: it began with a usable card. */
export async function reportLost(
  trx: Trx,
  caller: CustomerCaller,
  id: CardId,
  at: Instant,
): Promise<Result<OwnCard, ApiError>> {
  const card = await ofCustomer(trx.selectFrom('cards'), caller, 'cards.customer_id')
    .select('state')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (card === undefined) return failed({ code: 'record.not_found' });
  if (card.state === 'cancelled') return failed({ code: 'card.cancelled' });
  if (card.state === 'lost') return failed({ code: 'card.lost' });
  await trx.updateTable('cards').set({ state: 'lost', lost_at: at }).where('id', '=', id).execute();
  await giveJob(trx, 'clear-blocked-card', { cardId: id }, { key: `clear-blocked-card:${id}` });
  await audit(trx, caller, at, {
    action: 'card.lose',
    recordKind: 'card',
    recordId: id,
    before: { state: card.state },
    after: { state: 'lost', customerId: caller.customerId },
  });
  return ok(toOwnCard(await ownCards(trx, caller).where('cards.id', '=', id).executeTakeFirstOrThrow()));
}
