import type { ApprovalFact } from '@voltdeck/contract/approval-records';
import type { ApprovalKind, ApprovalKindOfPrices, ApprovalSubjectKind } from '@voltdeck/contract/approvals';
import type { Instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import { auditMany } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { giveJob } from '../database/give-job.ts';
import { isDatabaseAway } from '../database/is-database-away.ts';
import type { Trx } from '../database/transact.ts';
import type { ApprovalDetails } from './approval-details.ts';
import type { FactsOf } from './fact-figures.ts';

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
    const facts = await factsToKeep(trx, () => factsOf(trx, detail as ApprovalDetails[Kind], act));
    await trx
      .updateTable('approvals')
      .set({ state: 'obsolete', decider_id: caller?.userId ?? null, decided_at: at, facts })
      .where('id', '=', id)
      .execute();
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
  for (const { id } of closed) await giveJob(trx, 'tell-approval', { approvalId: id }, { key: `approval-${id}` });
}

/** Null where they cannot be read, or the record could not end either. `tellApproval` logs that they are missing. */
async function factsToKeep(trx: Trx, read: () => Promise<ApprovalFact[]>): Promise<string | null> {
  await sql`savepoint closed_act`.execute(trx);
  try {
    const facts = await read();
    await sql`release savepoint closed_act`.execute(trx);
    return JSON.stringify(facts);
  } catch (error) {
    await sql`rollback to savepoint closed_act`.execute(trx);
    if (isDatabaseAway(error)) throw error;
    return null;
  }
}
