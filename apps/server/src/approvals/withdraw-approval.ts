import type { ApiError } from '@voltdeck/contract/errors';
import type { ApprovalId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { factsColumn, readFacts, tellEndLater } from '../second-person/read-facts.ts';
import { actColumns, factsOfAct } from './approved-acts.ts';

/** Takes back an act that the caller asked for. */
export async function withdrawApproval(
  trx: Trx,
  caller: Caller,
  id: ApprovalId,
  at: Instant,
): Promise<Result<ApprovalId, ApiError>> {
  const approval = await trx
    .selectFrom('approvals')
    .select(['state', 'number', ...actColumns])
    .where('id', '=', id)
    .where('asker_id', '=', caller.userId)
    .forUpdate()
    .executeTakeFirst();
  if (approval === undefined) return failed({ code: 'record.not_found' });
  if (approval.state !== 'waiting') return failed({ code: 'approval.already_decided' });
  const read = await readFacts(trx, () => factsOfAct(trx, approval));
  await trx
    .updateTable('approvals')
    .set({ state: 'withdrawn', decider_id: caller.userId, decided_at: at, facts: factsColumn(read) })
    .where('id', '=', id)
    .execute();
  const { number, kind } = approval;
  await audit(trx, caller, at, {
    action: 'approval.withdraw',
    recordKind: 'approval',
    recordId: id,
    before: { state: 'waiting' },
    after: { state: 'withdrawn', number, kind },
  });
  await tellEndLater(trx, id, read);
  return ok(id);
}
