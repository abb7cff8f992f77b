import type { ApprovalKind, ApprovalKindOfPrices, ApprovalSubjectKind, Waits } from '@voltdeck/contract/approvals';
import type { AgentId, ApprovalId, UserId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type RawBuilder, sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { giveJob } from '../database/give-job.ts';
import type { Trx } from '../database/transact.ts';
import { receiptNumber } from '../ledger/receipt-number.ts';
import { type ApprovalDetails, type StoredApproval, storedApproval } from './approval-details.ts';
import { hasDecider } from './deciders.ts';
import { kindCountedAs, readSecondPersonLimit } from './limits.ts';

/** How far back the parts of an act count together. */
export const countedTogetherMs = dayMs;

/** The record that an act concerns; the text is its number or its name. */
export type ApprovalSubject = { kind: ApprovalSubjectKind; id: number; text: string };

type CountedWith = { kind: 'agent' | 'divider'; id: number; since: Instant };

type Asking<Kind extends ApprovalKind> = {
  kind: Kind;
  /** Whose records it concerns; null for the platform's. */
  agentId: AgentId | null;
  subject: ApprovalSubject;
  detail: ApprovalDetails[Kind];
  /** Why, in the words of who asks. */
  reason?: string | undefined;
  /** It waits whatever its amount, unless acts of its kind never do. */
  waitsAnyway?: boolean;
  /**
   * Acts that count together whoever does them, instead of what the same user did to the same record: those for this
   * party since a moment. Hold `lockCounted` of it before the record is locked.
   */
  countsWith?: CountedWith;
} & (Kind extends ApprovalKindOfPrices
  ? {
      /** The largest change of a price, in 1e-5 yuan per kWh. */
      priceChangeE5: number;
    }
  : { amountFen: Fen });

/** What an act waits for. */
export type Approval = Waits['waitsFor'];

/**
 * Asks a second person where an act is larger than the parameter of its kind allows, together with what the same user
 * has done to the same record within a day, or with what it is said to count with. Null: carry it out now. Otherwise the act is recorded and waits, nothing may
 * be changed, and the route answers `{ waitsFor }` in place of its record. The same act that already waits is not recorded
 * again: it is what this one waits for. Call it when the act is known to be allowed
 * and its record is locked, before anything is changed.
 * @throws ChangedSinceAsked where an approved act is about to be carried out with another amount than was approved.
 */
export async function askSecondPerson<Kind extends ApprovalKind>(
  trx: Trx,
  caller: Caller,
  asking: Asking<Kind>,
  at: Instant,
): Promise<Approval | null> {
  const { kind, agentId, subject, detail, reason = '', waitsAnyway = false, countsWith } = asking;
  const measure = measureOf(asking);
  if (caller.approvalId !== undefined) {
    await proveUnchanged(trx, caller.approvalId, measure.amount);
    return null;
  }
  const limit = await readSecondPersonLimit(trx, kind);
  if (limit === 'off') return null;
  const act = { kind: kindCountedAs(kind), subject: countsWith ?? subject, amount: measure.amount, limit };
  if (!waitsAnyway && (await isWithin(trx, caller.userId, act, at))) return null;
  const stored = storedApproval(caller, detail);
  const waits = await findSame(trx, { kind, subject, measure, stored });
  if (waits !== undefined) {
    const { id, number, agent_id: ofAgent, asker_id: askerId, asked_at: askedAt } = waits;
    const decidable = {
      kind,
      agentId: ofAgent,
      askerId,
      askedAt,
      subjectId: subject.id,
      isRefund: isRefund(detail),
      hasGift: hasGift(detail),
    };
    return { id, number, hasDecider: await hasDecider(trx, decidable) };
  }
  const number = receiptNumber('P', at);
  const { id } = await trx
    .insertInto('approvals')
    .values({
      number,
      kind,
      ...measure.columns,
      agent_id: agentId,
      subject_kind: subject.kind,
      subject_id: subject.id,
      subject_text: subject.text,
      detail: JSON.stringify(stored),
      reason,
      asker_id: caller.userId,
      asked_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(trx, caller, at, {
    action: 'approval.ask',
    recordKind: 'approval',
    recordId: id,
    after: { number, kind, ...measure.told, subject: { kind: subject.kind, id: subject.id }, reason },
  });
  await giveJob(trx, 'tell-approval', { approvalId: id }, { key: `approval-${id}` });
  return {
    id,
    number,
    hasDecider: await hasDecider(trx, {
      kind,
      agentId,
      askerId: caller.userId,
      askedAt: at,
      subjectId: subject.id,
      isRefund: isRefund(detail),
      hasGift: hasGift(detail),
    }),
  };
}

type Asked = {
  kind: ApprovalKind;
  subject: ApprovalSubject;
  measure: ReturnType<typeof measureOf>;
  stored: StoredApproval<ApprovalKind>;
};

/**
 * The act that waits and is the same: of the same record, as large, called with the same but for its reason, by
 * somebody for whom it means the same. Any other is recorded, because its asker is told that it waits.
 */
async function findSame(trx: Trx, { kind, subject, measure, stored }: Asked) {
  // The same act that is asked for twice at once takes turns, because neither would see the other.
  const turn = `ask:${kind}:${subject.kind}:${subject.id}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${turn}, 0))`.execute(trx);
  const { agents } = stored.caller;
  return trx
    .selectFrom('approvals')
    .select(['id', 'number', 'agent_id', 'asker_id', 'asked_at'])
    .where('state', '=', 'waiting')
    .where('kind', '=', kind)
    .where('subject_kind', '=', subject.kind)
    .where('subject_id', '=', subject.id)
    .where(sql`coalesce(amount_fen, price_change_e5)`, '=', measure.amount)
    .where(sql<boolean>`${meaning(sql.ref('detail'))} = ${meaning(sql`${JSON.stringify(stored)}::jsonb`)}`)
    .where(sql<boolean>`detail #> '{caller,agents}' = ${JSON.stringify(agents)}::jsonb`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** What an act does, without who asks and why. */
function meaning(detail: RawBuilder<unknown>) {
  return sql`(${detail} - 'caller') #- '{body,reason}'`;
}

/** What was approved is not what would happen now: a price, a bill or who is paid has changed in the meantime. */
export class ChangedSinceAsked extends Error {
  readonly before: number | undefined;
  readonly now: number;
  constructor(before: number | undefined, now: number) {
    super(`approved for ${before}, now ${now}`);
    this.before = before;
    this.now = now;
  }
}

async function proveUnchanged(trx: Trx, id: ApprovalId, now: number): Promise<void> {
  const { before } = await trx
    .selectFrom('approvals')
    .select(sql<number>`coalesce(amount_fen, price_change_e5)`.as('before'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (before !== now) throw new ChangedSinceAsked(before, now);
}

/** Whether a recharge is refunded instead of reversed: its act names an amount. */
export function isRefund(detail: object): boolean {
  return 'rechargeId' in detail && 'body' in detail && 'amountFen' in (detail.body as object);
}

/** Whether a recharge comes with a gift by hand. */
export function hasGift(detail: object): boolean {
  if (!('body' in detail)) return false;
  const { body } = detail;
  return typeof body === 'object' && body !== null && 'giftFen' in body && Number(body.giftFen) > 0;
}

function measureOf(asking: { amountFen: Fen } | { priceChangeE5: number }) {
  return 'amountFen' in asking
    ? {
        amount: asking.amountFen as number,
        columns: { amount_fen: asking.amountFen, price_change_e5: null },
        told: { amountFen: asking.amountFen },
      }
    : {
        amount: asking.priceChangeE5,
        columns: { amount_fen: null, price_change_e5: asking.priceChangeE5 },
        told: { priceChangeE5: asking.priceChangeE5 },
      };
}

type Act = {
  kind: ApprovalKind;
  subject: { kind: ApprovalSubjectKind; id: number } | CountedWith;
  amount: number;
  limit: number;
};

/** Has acts that count together for a party take turns until the transaction ends. */
export async function lockCounted(
  trx: Trx,
  kind: ApprovalKind,
  { kind: party, id }: Pick<CountedWith, 'kind' | 'id'>,
): Promise<void> {
  const turn = `counted:${kind}:${party}:${id}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${turn}, 0))`.execute(trx);
}

/** Whether the act stays within the limit together with its earlier parts, among which it then counts. */
async function isWithin(
  trx: Trx,
  userId: UserId,
  { kind, subject, amount, limit }: Act,
  at: Instant,
): Promise<boolean> {
  if (limit === 0) return false;
  const isByAnybody = 'since' in subject;
  // Parts that are sent at once take turns, because each would count the others as not done yet.
  if (isByAnybody) await lockCounted(trx, kind, subject);
  else
    await sql`select pg_advisory_xact_lock(hashtextextended(${`act:${userId}:${kind}:${subject.kind}:${subject.id}`}, 0))`.execute(
      trx,
    );
  const { doneAmount } = await trx
    .selectFrom('unapproved_acts')
    .select(sql<number>`coalesce(sum(amount), 0)::bigint`.as('doneAmount'))
    .$if(!isByAnybody, (acts) => acts.where('user_id', '=', userId))
    .where('kind', '=', kind)
    .where('subject_kind', '=', subject.kind)
    .where('subject_id', '=', subject.id)
    .where('at', '>=', isByAnybody ? subject.since : instant(at - countedTogetherMs + 1))
    .executeTakeFirstOrThrow();
  if (doneAmount + amount > limit) return false;
  await trx
    .insertInto('unapproved_acts')
    .values({ user_id: userId, kind, subject_kind: subject.kind, subject_id: subject.id, amount, at })
    .execute();
  return true;
}

/** What was done to a record counts for the one that stands in for it: its money has moved there. */
export async function moveCounts(
  trx: Trx,
  { kind, fromId, toId }: { kind: ApprovalSubjectKind; fromId: number; toId: number },
): Promise<void> {
  await trx
    .updateTable('unapproved_acts')
    .set({ subject_id: toId })
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', fromId)
    .execute();
}
