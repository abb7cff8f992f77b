import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import { isWaiting } from '@voltdeck/contract/is-waiting';
import type { BodyOf } from '@voltdeck/contract/route';
import type { reviewWithdrawals as manyRoute, reviewWithdrawal as route } from '@voltdeck/contract/withdrawals';
import { customerAccount } from '@voltdeck/ledger/account';
import { freezeKey, payOutTransfer } from '@voltdeck/ledger/payout';
import type { WithdrawalId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { subtractFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { type EarlierPayouts, lockPayouts, noEarlierPayouts } from '../channels/ask-about-payouts.ts';
import { beginPayout } from '../channels/begin-return.ts';
import { notifyUrlOf } from '../channels/notifications-address.ts';
import type { OpenChannels } from '../channels/open-channels.ts';
import type { Trx } from '../database/transact.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { reverseTransfer } from '../ledger/reverse-transfer.ts';
import { askSecondPerson } from '../second-person/ask-second-person.ts';
import { closeWaitingActs } from '../second-person/close-waiting-acts.ts';
import { hasAppliedFor } from '../second-person/deciders.ts';
import { readSecondPersonLimit } from '../second-person/limits.ts';
import { channelOf } from './apply-withdrawal.ts';
import { whyHeldByEarlier } from './earlier-payouts.ts';
import { isByChannel } from './open-ways.ts';
import { factsOfWithdrawal } from './payout-facts.ts';

type Review = BodyOf<typeof route>;
type Row = NonNullable<Awaited<ReturnType<typeof lockWithdrawal>>>;

/**
 * Passes an application, which begins its payout, or rejects it, which returns its money and its gifts. One that its
 * channel refused and, asked about it again (`earlier`), has not paid can still be rejected. Who applied for it or gets its
 * money does not pass it, by another account neither, unless withdrawals need no second person.
 */
export async function reviewWithdrawal(
  trx: Trx,
  channels: OpenChannels,
  caller: Caller,
  id: WithdrawalId,
  review: Review,
  at: Instant,
  {
    waitsAnyway = false,
    earlier = noEarlierPayouts,
  }: { waitsAnyway?: boolean; earlier?: EarlierPayouts | undefined } = {},
): Promise<Result<WithdrawalId | Waits, ApiError>> {
  // Customers' money is the platform's to pay out.
  if (caller.agents !== 'all') return failed({ code: 'record.not_found' });
  const { decision, reason = '' } = review;
  if (decision === 'reject' && reason === '') return failed({ code: 'review.reason_required' });
  await lockPayouts(trx, id);
  const row = await lockWithdrawal(trx, id);
  if (row === undefined) return failed({ code: 'record.not_found' });
  if (earlier.outcome === 'paid') return failed({ code: 'withdrawal.paid_by_channel' });
  if (row.state === 'in_review' && row.payout_id !== null) return failed({ code: 'withdrawal.being_paid' });
  const isOpen = row.state === 'waiting' || (decision === 'reject' && row.frozen);
  if (!isOpen) return failed({ code: 'withdrawal.already_reviewed' });
  if (decision === 'reject') {
    const held = await whyHeldByEarlier(trx, id, earlier);
    if (held !== null) return failed(held);
    await closeWaitingActs(trx, caller, waitingFor(id), at);
    await release(trx, row, { failure: reason, userId: caller.userId }, at);
    await audit(trx, caller, at, {
      action: 'withdrawal.reject',
      recordKind: 'withdrawal',
      recordId: id,
      before: { state: row.state },
      after: { reason },
    });
    return ok(id);
  }
  if ((await readSecondPersonLimit(trx, 'withdrawal')) !== 'off' && (await hasAppliedFor(trx, caller.userId, id))) {
    return failed({ code: 'withdrawal.own' });
  }
  if (isByChannel(row.way) && !channels.byName.has(row.way)) return failed({ code: 'channel.off' });
  const waitsFor = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'withdrawal',
      amountFen: row.amount_fen,
      agentId: null,
      subject: { kind: 'withdrawal', id, text: row.number },
      detail: { withdrawalId: id, body: review },
      reason,
      waitsAnyway,
    },
    at,
  );
  if (waitsFor !== null) return ok({ waitsFor });
  await closeWaitingActs(trx, caller, waitingFor(id), at);
  await trx
    .updateTable('withdrawals')
    .set({ state: 'in_review', reviewed_by: caller.userId, reviewed_at: at })
    .where('id', '=', id)
    .execute();
  await beginPayoutOf(trx, channels, caller, row, at);
  await audit(trx, caller, at, {
    action: 'withdrawal.pass',
    recordKind: 'withdrawal',
    recordId: id,
    before: { state: row.state },
    after: { amountFen: row.amount_fen, way: row.way, reason },
  });
  return ok(id);
}

function waitingFor(id: WithdrawalId) {
  return { kind: 'withdrawal', subject: { kind: 'withdrawal', id }, factsOf: factsOfWithdrawal } as const;
}

/**
 * Decides them together or not at all, but for those that there was no time to ask the channel about (null in `earlier`),
 * which stay as they are. Where their sum is above the limit, each waits, because they are one act in parts.
 */
export async function reviewMany(
  trx: Trx,
  channels: OpenChannels,
  caller: Caller,
  { ids, ...review }: BodyOf<typeof manyRoute>,
  earlier: ReadonlyMap<WithdrawalId, EarlierPayouts | null>,
  at: Instant,
): Promise<Result<{ decided: number; waiting: number; unasked: number }, ApiError>> {
  let waiting = 0;
  const all = [...new Set(ids)].sort((a, b) => a - b);
  const each = all.filter((id) => earlier.get(id) !== null);
  const limit = await readSecondPersonLimit(trx, 'withdrawal');
  const waitsAnyway = review.decision === 'pass' && limit !== 'off' && (await sumOf(trx, each)) > limit;
  for (const id of each) {
    const reviewed = await reviewWithdrawal(trx, channels, caller, id, review, at, {
      waitsAnyway,
      earlier: earlier.get(id) ?? undefined,
    });
    if (!reviewed.ok) return reviewed;
    if (isWaiting(reviewed.value)) waiting += 1;
  }
  return ok({ decided: each.length - waiting, waiting, unasked: all.length - each.length });
}

async function sumOf(trx: Trx, ids: readonly WithdrawalId[]): Promise<number> {
  const { sum } = await trx
    .selectFrom('withdrawals')
    .select(sql<number>`coalesce(sum(amount_fen), 0)::bigint`.as('sum'))
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow();
  return sum;
}

/** Asks the channel to pay; money that goes by hand waits for a person to have paid it. */
export async function beginPayoutOf(
  trx: Trx,
  channels: OpenChannels,
  caller: Caller,
  row: Row,
  at: Instant,
): Promise<void> {
  if (!isByChannel(row.way) || row.payee_account === null) return;
  const payout = await beginPayout(
    trx,
    {
      withdrawalId: row.id,
      channel: row.way,
      payee: row.payee_account,
      payeeName: row.payee_name,
      amountFen: subtractFen(row.amount_fen, row.fee_fen),
      remark: row.number,
      notifyUrl: notifyUrlOf(channels, row.way),
      userId: caller.userId,
    },
    at,
  );
  await trx.updateTable('withdrawals').set({ payout_id: payout.id }).where('id', '=', row.id).execute();
}

/** Its money and gifts go back to the wallet, and the application is over. */
async function release(
  trx: Trx,
  row: Row,
  { failure, userId }: { failure: string; userId: Caller['userId'] },
  at: Instant,
): Promise<void> {
  const wallet = customerAccount(row.customer_id);
  const returned = { wallet, type: 'refund_failed', number: row.number, userId, remark: failure } as const;
  const movement = { ...returned, paidFen: row.amount_fen, giftFen: row.gift_fen };
  const isReleased = await reverseTransfer(trx, freezeKey({ kind: 'withdrawal', id: row.id }), at, [movement]);
  if (!isReleased) throw new Error(`withdrawal ${row.id} was released before`);
  await trx
    .updateTable('withdrawals')
    .set({
      state: 'failed',
      frozen: false,
      failure,
      reviewed_by: userId,
      reviewed_at: at,
      processed_at: at,
    })
    .where('id', '=', row.id)
    .execute();
}

/** Its frozen money has left by a way, and the application is over. */
export async function completeWithdrawal(
  trx: Trx,
  row: Row,
  { state, receipt }: { state: 'withdrawn' | 'processed'; receipt: string | null },
  at: Instant,
): Promise<void> {
  const paid = payOutTransfer({
    cause: { kind: 'withdrawal', id: row.id },
    wallet: customerAccount(row.customer_id),
    target: { channel: state === 'processed' && isByChannel(row.way) ? 'back-office' : channelOf(row.way) },
    amountFen: row.amount_fen,
    feeFen: row.fee_fen,
    timesReturned: row.times_returned,
  });
  if (!paid.ok) throw new Error(`withdrawal ${row.id} cannot be paid: ${paid.error.code}`);
  if (!(await postTransfer(trx, paid.value, at))) throw new Error(`withdrawal ${row.id} was paid before`);
  await trx
    .updateTable('withdrawals')
    .set({ state, frozen: false, failure: null, receipt, attention: null, processed_at: at })
    .where('id', '=', row.id)
    .execute();
}

/** An application, locked until the transaction ends. */
export function lockWithdrawal(trx: Trx, id: WithdrawalId) {
  return trx
    .selectFrom('withdrawals')
    .select([
      'id',
      'number',
      'state',
      'frozen',
      'way',
      'customer_id',
      'amount_fen',
      'gift_fen',
      'fee_fen',
      'payee_account',
      'payee_name',
      'payout_id',
      'applied_by',
      'attention',
      'times_returned',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}
