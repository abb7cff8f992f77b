import { approvalWaitsDays } from '@voltdeck/contract/approval-records';
import { dayMs, type Instant, instant } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import { auditMany } from '../caller/audit.ts';
import type { Tables } from '../database/tables.generated.ts';
import { factsColumn, readFacts, tellEndLater } from '../second-person/read-facts.ts';
import { actColumns, factsOfAct } from './approved-acts.ts';

/** Acts per transaction; the next run takes the rest. */
const lapsedAtOnce = 1_000;

/** Withdraws what has waited too long: its reasons no longer hold. Returns how many. */
export async function lapseApprovals(db: Kysely<Tables>, at: Instant): Promise<number> {
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
      const read = await readFacts(trx, () => factsOfAct(trx, act));
      await trx
        .updateTable('approvals')
        .set({ state: 'withdrawn', decided_at: at, facts: factsColumn(read) })
        .where('id', '=', act.id)
        .execute();
      await tellEndLater(trx, act.id, read);
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
    return lapsed.length;
  });
}
