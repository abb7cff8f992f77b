import type { decideApproval as route } from '@voltdeck/contract/approval-records';
import type { ApprovalKind } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { ApprovalId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { isInScope, scoped } from '../caller/scope.ts';
import { findRights } from '../caller/user-rights.ts';
import type { Trx } from '../database/transact.ts';
import { type Asker, meansTheSame } from '../second-person/approval-details.ts';
import { ChangedSinceAsked, hasGift, isRefund } from '../second-person/ask-second-person.ts';
import { mayCarryOut, whyNotDecide } from '../second-person/deciders.ts';
import type { ActSubject } from '../second-person/fact-figures.ts';
import { type FactsRead, factsColumn, readFacts, tellEndLater } from '../second-person/read-facts.ts';
import { actColumns, approvedActs, type CarriedOut, factsOfAct, type Outside } from './approved-acts.ts';

/** An approval that was decided, and what its act did; null where nothing was carried out. */
export type Decided = { id: ApprovalId; carriedOut: CarriedOut | null };

/**
 * Decides about an act of somebody else. Approving carries it out at once, as who asked for it and with the rights they
 * have now. Where the act is refused by then, nothing moves and the approval has failed.
 */
export async function decideApproval(
  trx: Trx,
  outside: Outside,
  caller: Caller,
  id: ApprovalId,
  { decision, reason = '' }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Decided, ApiError>> {
  const approval = await lockApproval(trx, caller, id);
  if (approval === undefined) return failed({ code: 'record.not_found' });
  const why = await whyNotDecide(trx, caller, approval);
  if (why !== null) return failed({ code: why });
  if (approval.state !== 'waiting') return failed({ code: 'approval.already_decided' });
  if (decision === 'refuse') {
    if (reason === '') return failed({ code: 'request.invalid', fields: [{ path: 'reason', code: 'required' }] });
    const read = await readFacts(trx, () => factsOfAct(trx, approval));
    await writeDecision(trx, caller, approval, { state: 'refused', reason, read }, at);
    return ok({ id, carriedOut: null });
  }
  const asker = await findAsker(trx, approval);
  if (!asker.ok) return asker;
  // Before the act changes them.
  const read = await readFacts(trx, () => factsOfAct(trx, approval));
  const carriedOut = await carryOut(trx, outside, asker.value, approval, at);
  const outcome: Outcome = carriedOut.ok
    ? { state: 'approved', reason, read, resultId: carriedOut.value.recordId }
    : { state: 'failed', reason, read, failure: carriedOut.error };
  await writeDecision(trx, caller, approval, outcome, at);
  return ok({ id, carriedOut: carriedOut.ok ? carriedOut.value : null });
}

type LockedApproval = ActSubject & {
  id: ApprovalId;
  number: string;
  state: string;
  kind: ApprovalKind;
  askerId: UserId;
  askedAt: Instant;
  isRefund: boolean;
  hasGift: boolean;
  detail: Asker;
};

async function lockApproval(trx: Trx, caller: Caller, id: ApprovalId): Promise<LockedApproval | undefined> {
  const row = await scoped(trx.selectFrom('approvals'), caller, 'approvals.agent_id')
    .select(['id', 'number', 'state', 'asker_id as askerId', 'asked_at as askedAt', ...actColumns])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const detail = row.detail as Asker;
  return { ...row, isRefund: isRefund(detail), hasGift: hasGift(detail), detail };
}

/** Who asked, as the caller of their act. */
async function findAsker(trx: Trx, approval: LockedApproval): Promise<Result<Caller, ApiError>> {
  const { id, askerId, agentId, detail } = approval;
  const rights = await findRights(trx, askerId);
  if (rights === null) return failed({ code: 'approval.asker_disabled' });
  if (!mayCarryOut(rights, approval) || !meansTheSame(rights, detail) || !isInScope(rights, agentId)) {
    return failed({ code: 'approval.asker_rights_lost' });
  }
  const { language, remoteAddress } = detail.caller;
  return ok({ ...rights, language, remoteAddress, approvalId: id });
}

/** Carries the act out, or leaves everything as it was. */
async function carryOut(
  trx: Trx,
  outside: Outside,
  asker: Caller,
  { kind, detail }: LockedApproval,
  at: Instant,
): Promise<Result<CarriedOut, ApiError>> {
  await sql`savepoint approved_act`.execute(trx);
  const result = await attempt(() => approvedActs[kind].carryOut(trx, asker, detail as never, at, outside));
  await sql.raw(result.ok ? 'release savepoint approved_act' : 'rollback to savepoint approved_act').execute(trx);
  return result;
}

async function attempt(act: () => Promise<Result<CarriedOut, ApiError>>): Promise<Result<CarriedOut, ApiError>> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ChangedSinceAsked) return failed({ code: 'approval.amount_changed' });
    throw error;
  }
}

type Outcome = { reason: string; read: FactsRead } & (
  | { state: 'refused' }
  | { state: 'approved'; resultId: number }
  | { state: 'failed'; failure: ApiError }
);

const actionOf = {
  refused: 'approval.refuse',
  approved: 'approval.approve',
  failed: 'approval.approve',
} as const satisfies Readonly<Record<Outcome['state'], string>>;

async function writeDecision(
  trx: Trx,
  caller: Caller,
  { id, number, kind }: LockedApproval,
  outcome: Outcome,
  at: Instant,
): Promise<void> {
  const { state, reason, read } = outcome;
  const failure = state === 'failed' ? outcome.failure : null;
  await trx
    .updateTable('approvals')
    .set({
      state,
      decider_id: caller.userId,
      decided_at: at,
      decision_reason: reason,
      facts: factsColumn(read),
      failure: failure === null ? null : JSON.stringify(failure),
      result_id: state === 'approved' ? outcome.resultId : null,
    })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    action: actionOf[state],
    recordKind: 'approval',
    recordId: id,
    before: { state: 'waiting' },
    after: { state, number, kind, reason, ...(failure === null ? {} : { failure: failure.code }) },
  });
  await tellEndLater(trx, id, read);
}
