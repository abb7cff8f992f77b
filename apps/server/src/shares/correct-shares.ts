import type { ApprovalFact } from '@voltdeck/contract/approval-records';
import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { correctOrderShares as route } from '@voltdeck/contract/shares';
import type { SharePlan } from '@voltdeck/ledger/share';
import { sharePlanAt } from '@voltdeck/ledger/share-plan';
import type { OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { findSettledParties } from '../ledger/share-parties.ts';
import { compareByPlan, shareByPlan } from '../ledger/write-shares.ts';
import type { ApprovalDetails } from '../second-person/approval-details.ts';
import { askSecondPerson } from '../second-person/ask-second-person.ts';
import { money } from '../second-person/fact-figures.ts';

/**
 * Shares an order anew by what was in force when it settled. Agents, their rates and what the platform keeps stay those
 * of its plan; the terms of dividers are those known now for its time, where they were entered wrong or too late. What
 * was posted is reversed; both land in the periods that are open now. What changes hands is measured for a second person.
 */
export async function correctShares(
  trx: Trx,
  caller: Caller,
  id: OrderId,
  body: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<{ id: OrderId } | Waits, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'record.not_found' });
  const { rows } = await sql<{ number: string; state: string; ended_at: Instant | null }>`
    select number, state, ended_at from orders where id = ${id} for no key update`.execute(trx);
  const [order] = rows;
  if (order === undefined) return failed({ code: 'record.not_found' });
  if (order.state !== 'completed' || order.ended_at === null) return failed({ code: 'shares.not_settled' });
  const { before, plan } = await plansOf(trx, id, order.ended_at);
  const { movedFen, isSame } = await compareByPlan(trx, id, plan);
  if (isSame) return failed({ code: 'shares.same' });
  const waitsFor = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'share_correction',
      amountFen: movedFen,
      agentId: null,
      subject: { kind: 'order', id, text: order.number },
      detail: { orderId: id, body },
      reason: body.reason,
    },
    at,
  );
  if (waitsFor !== null) return ok({ waitsFor });
  await shareByPlan(trx, id, plan, at);
  await audit(trx, caller, at, {
    action: 'order.correct_shares',
    recordKind: 'order',
    recordId: id,
    before: { sharePlan: before },
    after: { sharePlan: plan, reason: body.reason },
  });
  return ok({ id });
}

/** What each kind of party has of the order, and would have. */
export async function factsOfShareCorrection(
  db: Kysely<Tables>,
  { orderId }: ApprovalDetails['share_correction'],
): Promise<ApprovalFact[]> {
  const order = await db.selectFrom('orders').select('ended_at').where('id', '=', orderId).executeTakeFirstOrThrow();
  if (order.ended_at === null) return [];
  const { plan } = await plansOf(db, orderId, order.ended_at);
  const { before, after } = await compareByPlan(db, orderId, plan);
  return [
    money('platformShare', before.platform, after.platform),
    money('agentShares', before.agent, after.agent),
    money('dividerShares', before.divider, after.divider),
  ];
}

/** The plan by which an order is shared, and the one by which it should be. */
async function plansOf(
  db: Kysely<Tables>,
  id: OrderId,
  endedAt: Instant,
): Promise<{ before: SharePlan | null; plan: SharePlan | null }> {
  const settled = await findSettledParties(db, id);
  if (settled === null) throw new Error(`there is no order ${id} to share`);
  return { before: settled.plan, plan: sharePlanAt(settled.parties, endedAt) };
}
