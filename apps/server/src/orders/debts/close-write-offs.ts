import type { ApprovalFact } from '@voltdeck/contract/approval-records';
import type { OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { zeroFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Tables } from '../../database/tables.generated.ts';
import type { Trx } from '../../database/transact.ts';
import type { ApprovalDetails } from '../../second-person/approval-details.ts';
import { closeWaitingActs } from '../../second-person/close-waiting-acts.ts';
import { money } from '../../second-person/fact-figures.ts';

export async function factsOfWriteOff(
  db: Kysely<Tables>,
  { orderId }: ApprovalDetails['write_off'],
): Promise<ApprovalFact[]> {
  const { amount_fen, owed_fen } = await db
    .selectFrom('orders')
    .select(['amount_fen', 'owed_fen'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  return [money('bill', null, amount_fen), money('owed', owed_fen, zeroFen)];
}

/**
 * Closes the write-offs that wait for a debt which is about to end. Null where nobody decided that: it is repaid. Call it
 * with the order locked, before the debt ends.
 */
export function closeWriteOffs(trx: Trx, caller: Caller | null, orderId: OrderId, at: Instant): Promise<void> {
  const subject = { kind: 'order', id: orderId } as const;
  return closeWaitingActs(trx, caller, { kind: 'write_off', subject, factsOf: factsOfWriteOff }, at);
}
