import type { ApprovalFact } from '@voltdeck/contract/approval-records';
import type { RoamingChargeId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { zeroFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Tables } from '../../database/tables.generated.ts';
import type { Trx } from '../../database/transact.ts';
import type { ApprovalDetails } from '../../second-person/approval-details.ts';
import { closeWaitingActs } from '../../second-person/close-waiting-acts.ts';
import { money } from '../../second-person/fact-figures.ts';

export async function factsOfRoamingWriteOff(
  db: Kysely<Tables>,
  { chargeId }: ApprovalDetails['roaming_write_off'],
): Promise<ApprovalFact[]> {
  const { amount_fen, owed_fen } = await db
    .selectFrom('roaming_charges')
    .select(['amount_fen', 'owed_fen'])
    .where('id', '=', chargeId)
    .executeTakeFirstOrThrow();
  return [money('bill', null, amount_fen), money('owed', owed_fen, zeroFen)];
}

/**
 * Closes the write-offs that wait for a debt which is about to end. Null where nobody decided that: it is repaid. Call it
 * with the charge locked, before the debt ends.
 */
export function closeRoamingWriteOffs(
  trx: Trx,
  caller: Caller | null,
  chargeId: RoamingChargeId,
  at: Instant,
): Promise<void> {
  const subject = { kind: 'roaming_charge', id: chargeId } as const;
  return closeWaitingActs(trx, caller, { kind: 'roaming_write_off', subject, factsOf: factsOfRoamingWriteOff }, at);
}
