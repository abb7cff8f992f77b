import type {
  reviewAgentWithdrawals as manyRoute,
  reviewAgentWithdrawal as route,
} from '@voltdeck/contract/agent-withdrawals';
import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import { isWaiting } from '@voltdeck/contract/is-waiting';
import type { BodyOf } from '@voltdeck/contract/route';
import type { AgentWithdrawalId } from '@voltdeck/units/id';
import { type Instant, shanghaiDayStart } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { isNewAccount } from '../ledger/payout-account.ts';
import { askSecondPerson, lockCounted } from '../second-person/ask-second-person.ts';
import { closeWaitingActs } from '../second-person/close-waiting-acts.ts';
import { readSecondPersonLimit } from '../second-person/limits.ts';
import { lockForPlatform, partyOf, unfreeze, whyNotPaid, whyNotTheirs } from './lock-withdrawal.ts';
import { factsOfAgentWithdrawal } from './withdrawal-facts.ts';

/**
 * Passes an application, so that a person can pay it, or rejects it, which returns its money to the balance. One that was
 * passed, or that the bank did not pay, can still be rejected.
 */
export async function reviewAgentWithdrawal(
  trx: Trx,
  caller: Caller,
  id: AgentWithdrawalId,
  review: BodyOf<typeof route>,
  at: Instant,
  { waitsAnyway = false }: { waitsAnyway?: boolean } = {},
): Promise<Result<AgentWithdrawalId | Waits, ApiError>> {
  const { decision, reason = '' } = review;
  if (decision === 'pass') await lockPassed(trx, [id]);
  const locked = await lockForPlatform(trx, caller, id);
  if (!locked.ok) return locked;
  const row = locked.value;
  if (decision === 'reject' && reason === '') return failed({ code: 'review.reason_required' });
  const isOpen = row.state === 'waiting' || (decision === 'reject' && row.frozen);
  if (!isOpen) return failed({ code: 'withdrawal.already_reviewed' });
  const subject = { kind: 'agent_withdrawal', id, text: row.number } as const;
  const closing = { kind: 'agent_withdrawal', subject, factsOf: factsOfAgentWithdrawal } as const;
  const decided = { recordKind: 'agent_withdrawal', recordId: id, before: { state: row.state } } as const;
  if (decision === 'reject') {
    await closeWaitingActs(trx, caller, closing, at);
    await unfreeze(trx, row, at);
    await trx
      .updateTable('agent_withdrawals')
      .set({ state: 'failed', frozen: false, failure: reason, processed_at: at })
      .set({ reviewed_by: caller.userId, reviewed_at: at })
      .where('id', '=', id)
      .execute();
    await audit(trx, caller, at, { ...decided, action: 'agent_withdrawal.reject', after: { reason } });
    return ok(id);
  }
  const refusal = (await whyNotTheirs(trx, caller, id)) ?? (await whyNotPaid(trx, row));
  if (refusal !== null) return failed(refusal);
  const party = partyOf(row);
  const waitsFor = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'agent_withdrawal',
      amountFen: row.amount_fen,
      agentId: null,
      subject,
      detail: { agentWithdrawalId: id, body: review },
      reason,
      waitsAnyway: waitsAnyway || (await isNewAccount(trx, party, row.payee_number, at)),
      countsWith: { kind: party.kind, id: party.id, since: shanghaiDayStart(at) },
    },
    at,
  );
  if (waitsFor !== null) return ok({ waitsFor });
  await closeWaitingActs(trx, caller, closing, at);
  await trx
    .updateTable('agent_withdrawals')
    .set({ state: 'in_review', reviewed_by: caller.userId, reviewed_at: at })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    ...decided,
    action: 'agent_withdrawal.pass',
    after: { amountFen: row.amount_fen, reason },
  });
  return ok(id);
}

/** Decides them together or not at all. Where their sum is above the limit, each waits, because they are one act in parts. */
export async function reviewManyOfAgents(
  trx: Trx,
  caller: Caller,
  { ids, ...review }: BodyOf<typeof manyRoute>,
  at: Instant,
): Promise<Result<{ decided: number; waiting: number }, ApiError>> {
  let waiting = 0;
  const each = [...new Set(ids)].sort((a, b) => a - b);
  if (review.decision === 'pass') await lockPassed(trx, each);
  const limit = await readSecondPersonLimit(trx, 'agent_withdrawal');
  const waitsAnyway = review.decision === 'pass' && limit !== 'off' && (await sumOf(trx, each)) > limit;
  for (const id of each) {
    const reviewed = await reviewAgentWithdrawal(trx, caller, id, review, at, { waitsAnyway });
    if (!reviewed.ok) return reviewed;
    if (isWaiting(reviewed.value)) waiting += 1;
  }
  return ok({ decided: each.length - waiting, waiting });
}

/**
 * Has passes of each party take turns. Before the rows are locked, because whoever passes several holds some rows while
 * waiting for others.
 */
async function lockPassed(trx: Trx, ids: readonly AgentWithdrawalId[]): Promise<void> {
  const parties = await trx
    .selectFrom('agent_withdrawals')
    .select(['agent_id', 'divider_id'])
    .distinct()
    .where('id', 'in', ids)
    .orderBy('agent_id')
    .orderBy('divider_id')
    .execute();
  for (const row of parties) await lockCounted(trx, 'agent_withdrawal', partyOf(row));
}

async function sumOf(trx: Trx, ids: readonly AgentWithdrawalId[]): Promise<number> {
  const { sum } = await trx
    .selectFrom('agent_withdrawals')
    .select(sql<number>`coalesce(sum(amount_fen), 0)::bigint`.as('sum'))
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow();
  return sum;
}
