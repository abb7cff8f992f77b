import type { ShownCard } from '@voltdeck/charging/story/troubles';
import type { Instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { isInScope } from '../caller/scope.ts';
import { readParameter } from '../database/parameter.ts';
import type { Tables } from '../database/tables.generated.ts';
import { debtLimit } from '../ledger/debt.ts';
import { payerFrom } from '../orders/authorize-card.ts';

/** `isOwn`: the listener may know its money, not only that it was refused. */
export type CardSeen = ShownCard & { isOwn: boolean };

/**
 * A card as it was refused: its state as it is now, its money as it was then where a movement tells, less what was
 * held. Null for a card that nobody registered.
 */
export async function readShownCard(
  { db, caller }: { db: Kysely<Tables>; caller: Caller },
  cardNumber: string,
  at: Instant,
): Promise<CardSeen | null> {
  const { rows } = await payerFrom(cardNumber.toUpperCase(), {}).execute(db);
  const row = rows[0];
  if (row === undefined) return null;
  const before = await db
    .selectFrom('movements')
    .select(sql<number>`paid_after_fen + gift_after_fen`.as('afterFen'))
    .where('card_id', '=', row.payer_card_id)
    .where('created_at', '<=', at)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return {
    isOwn: isInScope(caller, row.payer_agent_id),
    state: row.payer_card_state,
    customerState: row.payer_customer_state,
    isExpired: row.payer_expires_at !== null && row.payer_expires_at <= at,
    isCharging: row.payer_charging,
    availableFen: before?.afterFen ?? (row.payer_paid_fen ?? 0) + (row.payer_gift_fen ?? 0),
    owedFen: row.payer_owed_fen,
    debtLimitFen: await readParameter(db, debtLimit),
  };
}
