import type { ApiError } from '@voltdeck/contract/errors';
import type { handleFeedbacks as route } from '@voltdeck/contract/feedbacks';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';

/** Handles or ignores all of them or none; one that somebody else handled first stays theirs. */
export async function handleFeedbacks(
  trx: Trx,
  caller: Caller,
  { ids, outcome, annotation, reply = '' }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<{ handled: number }, ApiError>> {
  const wanted = [...new Set(ids)];
  const rows = await scoped(trx.selectFrom('feedbacks'), caller, 'feedbacks.agent_id')
    .select(['feedbacks.id', 'feedbacks.state'])
    .where('feedbacks.id', 'in', wanted)
    // Locked in one order, so that overlapping requests never deadlock.
    .orderBy('feedbacks.id')
    .forUpdate()
    .execute();
  if (rows.length < wanted.length) return failed({ code: 'record.not_found' });
  if (rows.some(({ state }) => state !== 'waiting')) return failed({ code: 'feedback.already_handled' });
  const after = { state: outcome, annotation, reply };
  await trx
    .updateTable('feedbacks')
    .set({ ...after, handled_by: caller.userId, handled_at: at })
    .where('id', 'in', wanted)
    .execute();
  for (const { id, state } of rows) {
    await audit(trx, caller, at, {
      action: 'feedback.handle',
      recordKind: 'feedback',
      recordId: id,
      before: { state },
      after,
    });
  }
  return ok({ handled: rows.length });
}
