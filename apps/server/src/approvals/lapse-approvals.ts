import { approvalWaitsDays } from '@voltdeck/contract/approval-records';
import { dayMs, type Instant, instant } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import { auditMany } from '../caller/audit.ts';
import { giveJob } from '../database/give-job.ts';
import type { Tables } from '../database/tables.generated.ts';
import { actColumns, factsToKeep, type TellUnread } from './approved-acts.ts';

/** Acts per transaction; the next run takes the rest. */
const lapsedAtOnce = 1_000;

/**
 * Withdraws what has waited too long: its reasons no longer hold. Returns how many.
 */
export async function lapseApprovals(db: Kysely<Tables>, at: Instant, tell: TellUnread): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const lapsed = await trx
      .selectFrom('approvals')
      .select(['id', 'number', ...actColumns])
      .where('state', '=', 'waiting')
      .where('asked_at', '<', instant(at - approvalWaitsDays * dayMs))
      .orderBy('asked_at')
      .limit(lapsedAtOnce)
      .forUpdate()
      .skipLocked()
      .execute();
    if (lapsed.length === 0) return 0;
    for (const act of lapsed) {
      const facts = await factsToKeep(trx, act, tell);
      await trx
        .updateTable('approvals')
        .set({ state: 'withdrawn', decided_at: at, facts })
        .where('id', '=', act.id)
        .execute();
    }
    await auditMany(
      trx,
      null,
      at,
      lapsed.map(({ id, number, kind }) => ({
        action: 'approval.lapse',
        recordKind: 'approval',
        recordId: id,
        before: { state: 'waiting' },
        after: { state: 'withdrawn', number, kind },
      })),
    );
    for (const { id } of lapsed) await giveJob(trx, 'tell-approval', { approvalId: id }, { key: `approval-${id}` });
    return lapsed.length;
  });
}
