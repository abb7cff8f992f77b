import { cardAccount, customerAccount, type PersonalWallet } from '@voltdeck/ledger/account';
import type { AgentId, CardId, CustomerId } from '@voltdeck/units/id';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';

type Owner = { cardId: CardId | null; customerId: CustomerId | null };

/** Exactly one of `cardId` and `customerId` is given. */
export type PresentWallet = Owner & {
  wallet: PersonalWallet;
  /** Of the card. */
  agentId: AgentId | null;
  /** A card that has given back its balance and has no successor. A lost or disabled card keeps its balance. */
  isCancelled: boolean;
};

/**
 * Where the money of a card or a customer is now: with the card that replaced it, the record that it was merged into.
 * Neither changes until the end of the transaction.
 * @throws Error where the owner names neither a card nor a customer.
 */
export function lockPresentWallet(trx: Trx, owner: Owner): Promise<PresentWallet> {
  return follow(trx, owner, { isLocked: true });
}

/** As `lockPresentWallet`, for reading: the answer may be outdated at once. */
export function findPresentWallet(db: Kysely<Tables>, owner: Owner): Promise<PresentWallet> {
  return follow(db, owner, { isLocked: false });
}

async function follow(
  db: Kysely<Tables>,
  { cardId, customerId }: Owner,
  { isLocked }: { isLocked: boolean },
): Promise<PresentWallet> {
  if (cardId !== null) {
    const { successorId, agentId, state } = await db
      .selectFrom('cards')
      .select(['state', 'agent_id as agentId', 'successor_id as successorId'])
      .where('id', '=', cardId)
      .$if(isLocked, (card) => card.forShare())
      .executeTakeFirstOrThrow();
    if (successorId !== null) return follow(db, { cardId: successorId, customerId: null }, { isLocked });
    const isCancelled = state === 'cancelled';
    return { wallet: cardAccount(cardId), cardId, customerId: null, agentId, isCancelled };
  }
  if (customerId === null) throw new Error('a wallet without an owner');
  const { intoId } = await db
    .selectFrom('customers')
    .select('merged_into_id as intoId')
    .where('id', '=', customerId)
    .$if(isLocked, (customer) => customer.forShare())
    .executeTakeFirstOrThrow();
  if (intoId !== null) return follow(db, { cardId: null, customerId: intoId }, { isLocked });
  return { wallet: customerAccount(customerId), cardId: null, customerId, agentId: null, isCancelled: false };
}
