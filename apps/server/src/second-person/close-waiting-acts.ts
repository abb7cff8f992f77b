import type { ApprovalKind, ApprovalKindOfPrices, ApprovalSubjectKind } from '@voltdeck/contract/approvals';
import type { Instant } from '@voltdeck/units/instant';
import { auditMany } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import type { ApprovalDetails } from './approval-details.ts';
import type { FactsOf } from './fact-figures.ts';
import { factsColumn, readFacts, tellEndLater } from './read-facts.ts';

type Closing<Kind extends ApprovalKind> = {
  kind: Kind;
  subject: { kind: ApprovalSubjectKind; id: number };
  factsOf: FactsOf<Kind>;
};

/**
 * Closes the acts of a kind that wait for a record, because it ends in another way. The caller is null where nobody
 * decided that. One that is being decided at this moment is left alone: it holds its row, waits for the record, and
 * fails. Call it before anything is changed, because it keeps the facts as they are.
 */
export async function closeWaitingActs<Kind extends Exclude<ApprovalKind, ApprovalKindOfPrices>>(
  trx: Trx,
  caller: Caller | null,
  { kind, subject, factsOf }: Closing<Kind>,
  at: Instant,
): Promise<void> {
  const ownId = caller?.approvalId;
  const closed = await trx
    .selectFrom('approvals')
    .select(['id', 'number', 'detail', 'amount_fen as amountFen', 'agent_id as agentId'])
    .where('state', '=', 'waiting')
    .where('kind', '=', kind)
    .where('subject_kind', '=', subject.kind)
    .where('subject_id', '=', subject.id)
    // The approved act that decides the record itself.
    .$if(ownId !== undefined, (others) => others.where('id', '!=', ownId ?? null))
    .forUpdate()
    .skipLocked()
    .execute();
  if (closed.length === 0) return;
  for (const { id, detail, amountFen, agentId } of closed) {
    const act = { amountFen, agentId, priceChangeE5: null, subjectKind: subject.kind, subjectId: subject.id };
    const read = await readFacts(trx, () => factsOf(trx, detail as ApprovalDetails[Kind], act));
    await trx
      .updateTable('approvals')
      .set({ state: 'obsolete', decider_id: caller?.userId ?? null, decided_at: at, facts: factsColumn(read) })
      .where('id', '=', id)
      .execute();
    await tellEndLater(trx, id, read);
  }
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
}
