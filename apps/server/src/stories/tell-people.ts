import type { Approval } from '@voltdeck/contract/approval-records';
import type { AuditEntry } from '@voltdeck/contract/audit';
import { auditList } from '../access/audit-log.ts';
import { approvalList } from '../approvals/queries.ts';
import type { Telling } from './telling.ts';

type Period = { from: string; to: string };

/** Acts that waited for a second person. `subject` is the whole number that the approval names its record by. */
export async function tellApprovals(
  telling: Telling,
  subject: string,
  of: { kind: string; id: number },
  period: Period,
) {
  const found = await telling.read<Approval>('approval', approvalList, { subject, ...period });
  for (const approval of found) {
    if (approval.subjectKind !== of.kind || approval.subjectId !== of.id) continue;
    const link = { to: 'approval', number: approval.number } as const;
    const act = { approvalKind: approval.kind, amountFen: approval.amountFen };
    const asked = { ...act, userName: approval.askerName, remark: approval.reason };
    telling.tell(approval.askedAt, { kind: 'approval_asked', params: asked }, { link });
    if (approval.decidedAt === null) continue;
    const decided = { ...act, approvalState: approval.state, userName: approval.deciderName };
    telling.tell(approval.decidedAt, { kind: 'approval_decided', params: decided }, { link });
  }
}

/** Who did what to the record, except for what the story tells already. */
export async function tellActs(
  telling: Telling,
  record: { recordKind: string; recordId: number },
  period: Period,
  toldAlready: readonly string[] = [],
): Promise<void> {
  const filter = { recordKind: record.recordKind, recordId: String(record.recordId), ...period };
  for (const { at, action, userName } of await telling.read<AuditEntry>('person', auditList, filter)) {
    if (toldAlready.includes(action)) continue;
    telling.tell(at, { kind: 'person_acted', params: { action, userName } });
  }
}
