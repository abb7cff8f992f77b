import type { ApiError } from '@voltdeck/contract/errors';
import { type endReconciliationDifference, isDifferenceOpen } from '@voltdeck/contract/reconciliation';
import type { BodyOf } from '@voltdeck/contract/route';
import type { ReconciliationDifferenceId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { holdDay } from './reconcile-day.ts';
import { noteState } from './write-comparison.ts';

/** Puts the caller's name on a difference, also where somebody else had taken it. */
export async function takeDifference(
  trx: Trx,
  caller: Caller,
  id: ReconciliationDifferenceId,
  at: Instant,
): Promise<Result<ReconciliationDifferenceId, ApiError>> {
  const locked = await lockDifference(trx, caller, id, at);
  if (!locked.ok) return locked;
  if (locked.value.takenBy === caller.userId) return ok(id);
  await trx
    .updateTable('reconciliation_differences')
    .set({ state: 'taken', taken_by: caller.userId, taken_at: at })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    action: 'reconciliation.take',
    recordKind: 'reconciliation_difference',
    recordId: id,
    before: { takenBy: locked.value.takenBy },
    after: { day: locked.value.day, number: locked.value.number },
  });
  return ok(id);
}

/** Ends a difference with a reason. Money moves by the acts of its records alone, never here. */
export async function endDifference(
  trx: Trx,
  caller: Caller,
  id: ReconciliationDifferenceId,
  { outcome, reason }: BodyOf<typeof endReconciliationDifference>,
  at: Instant,
): Promise<Result<ReconciliationDifferenceId, ApiError>> {
  const locked = await lockDifference(trx, caller, id, at);
  if (!locked.ok) return locked;
  const { day, counterpart, number, takenBy } = locked.value;
  await trx
    .updateTable('reconciliation_differences')
    .set({
      state: 'done',
      ...(takenBy === null ? { taken_by: caller.userId, taken_at: at } : {}),
      ended_by: caller.userId,
      ended_at: at,
      outcome,
      reason,
    })
    .where('id', '=', id)
    .execute();
  await noteState(trx, day, counterpart);
  await audit(trx, caller, at, {
    action: 'reconciliation.end',
    recordKind: 'reconciliation_difference',
    recordId: id,
    after: { day, number, outcome, reason },
  });
  return ok(id);
}

/** The day comes first, then its comparison, then its differences, as it does where a day is compared or sealed. */
export async function lockDifference(trx: Trx, caller: Caller, id: ReconciliationDifferenceId, at: Instant) {
  const known = await trx
    .selectFrom('reconciliation_differences')
    .select(['day', 'counterpart'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (known === undefined || caller.agents !== 'all') return failed({ code: 'record.not_found' as const });
  const held = await holdDay(trx, known.day, 'shared', at);
  if (!held.ok) return held;
  await sql`
    select 1 from reconciliations where day = ${known.day}::date and counterpart = ${known.counterpart} for update`.execute(
    trx,
  );
  const difference = await trx
    .selectFrom('reconciliation_differences')
    .select(['day', 'counterpart', 'number', 'state', 'taken_by as takenBy'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (!isDifferenceOpen(difference.state)) return failed({ code: 'reconciliation.difference_over' as const });
  return ok(difference);
}
