import {
  type Approval,
  type ApprovalDetail,
  type ApprovalFact,
  listApprovals,
  type UndecidableCode,
} from '@voltdeck/contract/approval-records';
import { type ApprovalKind, type ApprovalSubjectKind, approvalKinds } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AgentId, ApprovalId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { may } from '../caller/may.ts';
import { isInScope, scoped } from '../caller/scope.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { messageOf } from '../http/refusal.ts';
import { shownName } from '../http/shown-name.ts';
import { type Asker, meansTheSame } from '../second-person/approval-details.ts';
import { hasGift as hasGiftOf, isRefund as isRefundOf } from '../second-person/ask-second-person.ts';
import {
  haveOneGiver,
  haveOnePhone,
  isApplicant,
  isOfParty,
  mayCarryOut,
  mayDecide,
} from '../second-person/deciders.ts';
import { readFacts } from '../second-person/read-facts.ts';
import { factsOfAct } from './approved-acts.ts';

type Query<O> = SelectQueryBuilder<Tables, 'approvals', O>;

const isOwnPhone = ({ userId }: Caller): RawBuilder<boolean> =>
  haveOnePhone(sql`${userId}`, sql.ref('approvals.asker_id'));

const isOwnAccess = ({ userId }: Caller): RawBuilder<boolean> =>
  haveOneGiver(sql`${userId}::bigint`, sql.ref('approvals.asker_id'), sql.ref('approvals.asked_at'));

const isOwnPayout = ({ userId }: Caller): RawBuilder<boolean> =>
  sql`((approvals.kind = 'withdrawal' and ${isApplicant(sql`${userId}::bigint`, sql.ref('approvals.subject_id'))})
       or (approvals.kind in ('agent_withdrawal', 'agent_withdrawal_return')
           and ${isOfParty(sql`${userId}::bigint`, sql.ref('approvals.subject_id'))}))`;

/** Of a recharge that is given back, whether by a refund: the act names an amount. */
const isRefund = sql<boolean>`(approvals.kind = 'recharge_refund' and approvals.detail -> 'body' ? 'amountFen')`;

/** Of a recharge, whether it comes with a gift by hand. */
const hasGift = sql<boolean>`(approvals.kind = 'recharge'
                              and coalesce((approvals.detail #>> '{body,giftFen}')::bigint, 0) > 0)`;

function withNames<O>(query: Query<O>, caller: Caller) {
  const { language } = caller;
  return query
    .innerJoin('users as askers', 'askers.id', 'approvals.asker_id')
    .leftJoin('users as deciders', 'deciders.id', 'approvals.decider_id')
    .leftJoin('agents', 'agents.id', 'approvals.agent_id')
    .select([
      'approvals.id',
      'approvals.number',
      sql<ApprovalKind>`approvals.kind`.as('kind'),
      'approvals.state',
      'approvals.amount_fen as amountFen',
      'approvals.price_change_e5 as priceChangeE5',
      'approvals.agent_id as agentId',
      'agents.name as agentName',
      sql<ApprovalSubjectKind>`approvals.subject_kind`.as('subjectKind'),
      'approvals.subject_id as subjectId',
      'approvals.subject_text as subjectText',
      'approvals.reason',
      'approvals.asker_id as askerId',
      shownName(language, 'user', 'askers.real_name', 'askers.real_name_key').as('askerName'),
      'approvals.asked_at as askedAt',
      shownName<string | null>(language, 'user', 'deciders.real_name', 'deciders.real_name_key').as('deciderName'),
      'approvals.decided_at as decidedAt',
      'approvals.decision_reason as decisionReason',
      sql<ApiError | null>`approvals.failure`.as('failure'),
      'approvals.result_id as resultId',
      isOwnPhone(caller).as('hasOwnPhone'),
      sql<boolean>`approvals.state = 'waiting' and ${isOwnAccess(caller)}`.as('hasOwnAccess'),
      sql<boolean>`approvals.state = 'waiting' and ${isOwnPayout(caller)}`.as('hasApplied'),
      isRefund.as('isRefund'),
      hasGift.as('hasGift'),
    ]);
}

type Row = Omit<Approval, 'askedAt' | 'decidedAt' | 'failure' | 'undecidable'> & {
  askedAt: Instant;
  decidedAt: Instant | null;
  failure: ApiError | null;
  hasOwnPhone: boolean;
  hasOwnAccess: boolean;
  hasApplied: boolean;
  isRefund: boolean;
  hasGift: boolean;
};

function toApproval(
  { hasOwnPhone, hasOwnAccess, hasApplied, isRefund, hasGift, ...row }: Row,
  caller: Caller,
): Approval {
  const { failure } = row;
  return {
    ...row,
    askedAt: toIso(row.askedAt),
    decidedAt: isoOrNull(row.decidedAt),
    failure: failure === null ? null : { code: failure.code, message: messageOf(failure, caller.language) },
    undecidable:
      row.state === 'waiting'
        ? whyNot({ ...row, isRefund, hasGift, hasOwnPhone, hasOwnAccess, hasApplied }, caller)
        : null,
  };
}

type WhyNot = Pick<
  Row,
  'kind' | 'agentId' | 'askerId' | 'isRefund' | 'hasGift' | 'hasOwnPhone' | 'hasOwnAccess' | 'hasApplied'
>;

function whyNot(row: WhyNot, caller: Caller): UndecidableCode | null {
  if (row.askerId === caller.userId) return 'approval.own';
  if (!mayDecide(caller, row)) return 'approval.act_not_permitted';
  if (row.hasApplied) return 'withdrawal.own';
  if (row.hasOwnPhone) return 'approval.same_phone';
  return row.hasOwnAccess ? 'approval.access_given' : null;
}

/** One's own, and for who may read approvals those of the data scope. */
function visible(db: Kysely<Tables>, caller: Caller) {
  const own = db.selectFrom('approvals').where('approvals.asker_id', '=', caller.userId);
  return may(caller, 'approval.read') ? [own, scoped(db.selectFrom('approvals'), caller, 'approvals.agent_id')] : [own];
}

export async function findApproval(db: Kysely<Tables>, caller: Caller, id: ApprovalId): Promise<Approval | null> {
  for (const approvals of visible(db, caller)) {
    const row = await withNames(approvals, caller).where('approvals.id', '=', id).executeTakeFirst();
    if (row !== undefined) return toApproval(row, caller);
  }
  return null;
}

/**
 * With what the act changes: as it is now while the act waits, and as it was when the approval ended. Who asked gets no
 * facts when they may no longer do the act themselves.
 */
export async function findApprovalDetail(
  { database, log }: Pick<Context, 'database' | 'log'>,
  caller: Caller,
  id: ApprovalId,
): Promise<ApprovalDetail | null> {
  // Of one moment: an act that is decided meanwhile would show figures from after it as those before it.
  return database.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const approval = await findApproval(trx, caller, id);
      if (approval === null) return null;
      const { detail, facts } = await trx
        .selectFrom('approvals')
        .select(['detail', 'facts'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      if (!maySeeFacts(caller, approval, detail as Asker)) return { ...approval, facts: [] };
      // Those that ended before their facts were kept have none: recomputed ones would be today's.
      if (approval.state !== 'waiting') return { ...approval, facts: (facts ?? []) as ApprovalFact[] };
      const read = await readFacts(trx, () => factsOfAct(trx, { ...approval, detail }));
      const { number } = approval;
      if (read.unread !== null)
        log.error({ number, unread: read.unread }, 'the facts of an approval could not be read');
      return { ...approval, facts: read.facts ?? [] };
    });
}

/** Whether the caller reads approvals of its scope, or asked and could do the act still. */
function maySeeFacts(caller: Caller, { kind, agentId }: Approval, detail: Asker): boolean {
  if (may(caller, 'approval.read') && isInScope(caller, agentId)) return true;
  const act = { kind, agentId, isRefund: isRefundOf(detail), hasGift: hasGiftOf(detail) };
  return mayCarryOut(caller, act) && meansTheSame(caller, detail);
}

/** What the caller may decide now. */
function waitingFor<O>(approvals: Query<O>, caller: Caller): Query<O> {
  const ofAgents = 0 as AgentId;
  type Which = { isRefund: boolean; hasGift: boolean };
  const kindsOf = (agentId: AgentId | null, which: Which) =>
    approvalKinds.filter((kind) => mayDecide(caller, { kind, agentId, ...which }));
  const isOf = (kinds: readonly ApprovalKind[]) => sql<boolean>`approvals.kind = any(${[...kinds]}::text[])`;
  const isOfReach = (which: Which) =>
    sql<boolean>`(${isOf(kindsOf(null, which))}
                  or approvals.agent_id is not null and ${isOf(kindsOf(ofAgents, which))})`;
  return approvals
    .where('approvals.state', '=', 'waiting')
    .where('approvals.asker_id', '!=', caller.userId)
    .where(sql<boolean>`case when ${isRefund} then ${isOfReach({ isRefund: true, hasGift: false })}
                        when ${hasGift} then ${isOfReach({ isRefund: false, hasGift: true })}
                        else ${isOfReach({ isRefund: false, hasGift: false })} end`)
    .where(sql<boolean>`not ${isOwnPhone(caller)}`)
    .where(sql<boolean>`not ${isOwnAccess(caller)}`)
    .where(sql<boolean>`not ${isOwnPayout(caller)}`);
}

export const approvalList = listSource({
  route: listApprovals,
  filtered(db, caller, filter) {
    let approvals = scoped(db.selectFrom('approvals'), caller, 'approvals.agent_id');
    const { mine, state, kind, number, subject, askerId, agentId } = filter;
    if (mine === 'waits') approvals = waitingFor(approvals, caller);
    if (mine === 'asked') approvals = approvals.where('approvals.asker_id', '=', caller.userId);
    if (state !== undefined) approvals = approvals.where('approvals.state', 'in', state);
    if (kind !== undefined) approvals = approvals.where('approvals.kind', 'in', kind);
    if (number !== undefined) approvals = approvals.where('approvals.number', '=', number.toUpperCase());
    if (subject !== undefined) approvals = approvals.where('approvals.subject_text', '=', subject);
    if (askerId !== undefined) approvals = approvals.where('approvals.asker_id', '=', askerId);
    if (agentId !== undefined) approvals = approvals.where('approvals.agent_id', '=', agentId);
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) approvals = approvals.where('approvals.asked_at', '>=', from);
    if (to !== null) approvals = approvals.where('approvals.asked_at', '<=', to);
    return approvals;
  },
  id: sql`approvals.id`,
  sorts: { askedAt: sql`approvals.asked_at`, amountFen: sql`approvals.amount_fen` },
  sometimesAbsent: ['amountFen'],
  sums: { amountFen: sql`approvals.amount_fen` },
  rowsFor: (db, { caller }) => withNames(db.selectFrom('approvals'), caller),
  toItem: (row, { caller }) => toApproval(row, caller),
});
