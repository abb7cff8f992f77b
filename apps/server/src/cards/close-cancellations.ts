import type { ApprovalFact } from '@voltdeck/contract/approval-records';
import { cardAccount } from '@voltdeck/ledger/account';
import type { CardId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { zeroFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { readBalance } from '../ledger/read-balance.ts';
import type { ApprovalDetails } from '../second-person/approval-details.ts';
import { closeWaitingActs } from '../second-person/close-waiting-acts.ts';
import { findPhone, money } from '../second-person/fact-figures.ts';

/** What was paid goes out, or to the holder's balance. */
export async function factsOfCancellation(
  db: Kysely<Tables>,
  { cardId, body, holderId }: ApprovalDetails['card_cancellation'],
): Promise<ApprovalFact[]> {
  const { balanceFen } = await readBalance(db, cardAccount(cardId));
  return [
    money('balance', balanceFen, zeroFen),
    { name: 'payout', kind: 'word', before: null, after: `approval-payout.${body.payout ?? 'cash'}` },
    ...(holderId === undefined
      ? []
      : [{ name: 'receiver', kind: 'text', before: null, after: await findPhone(db, holderId) } as const]),
  ];
}

/** Closes the cancellations that wait for a card which is about to end. Call it with the card locked, before it does. */
export function closeCancellations(trx: Trx, caller: Caller, cardId: CardId, at: Instant): Promise<void> {
  const subject = { kind: 'card', id: cardId } as const;
  return closeWaitingActs(trx, caller, { kind: 'card_cancellation', subject, factsOf: factsOfCancellation }, at);
}
