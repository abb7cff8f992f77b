import type { ApprovalKind, ApprovalSubjectKind } from '@voltdeck/contract/approvals';
import type { Instant } from '@voltdeck/units/instant';
import { auditMany } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { giveJob } from '../database/give-job.ts';
import type { Trx } from '../database/transact.ts';

/**
 * Closes the acts of a kind that wait for a record, because it was decided in another way. One that is being decided at
 * this moment is left alone: it holds its row, waits for the record, and fails.
 */
export async function closeWaitingActs(
  trx: Trx,
  caller: Caller,
  { kind, subject }: { kind: ApprovalKind; subject: { kind: ApprovalSubjectKind; id: number } },
  at: Instant,
): Promise<void> {
  const closed = await trx
    .updateTable('approvals')
    .set({ state: 'obsolete', decider_id: caller.userId, decided_at: at })
    .where('id', 'in', (waiting) =>
      waiting
        .selectFrom('approvals')
        .select('id')
        .where('state', '=', 'waiting')
        .where('kind', '=', kind)
        .where('subject_kind', '=', subject.kind)
        .where('subject_id', '=', subject.id)
        // The approved act that decides the record itself.
        .$if(caller.approvalId !== undefined, (others) => others.where('id', '!=', caller.approvalId ?? null))
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'number'])
    .execute();
  if (closed.length === 0) return;
  await auditMany(
    trx,
    caller,
    at,
    closed.map(({ id, number }) => ({
      action: 'approval.close',
      recordKind: 'approval',
      recordId: id,
      before: { state: 'waiting' },
      after: { state: 'obsolete', number, kind },
    })),
  );
  for (const { id } of closed) await giveJob(trx, 'tell-approval', { approvalId: id }, { key: `approval-${id}` });
}
