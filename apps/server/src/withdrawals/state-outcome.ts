import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { stateWithdrawalOutcome as route } from '@voltdeck/contract/withdrawals';
import { paidOutKey } from '@voltdeck/ledger/payout';
import type { WithdrawalId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { lockPayouts } from '../channels/ask-about-payouts.ts';
import type { PayoutId } from '../channels/channel-room.ts';
import { endAsChecked, findUnclearPayouts } from '../channels/check-payouts.ts';
import type { OpenChannels } from '../channels/open-channels.ts';
import type { Trx } from '../database/transact.ts';
import { lockPresentWallet } from '../ledger/present-wallet.ts';
import { reverseTransfer } from '../ledger/reverse-transfer.ts';
import { askSecondPerson } from '../second-person/ask-second-person.ts';
import { closeWaitingActs } from '../second-person/close-waiting-acts.ts';
import { factsOfOutcome } from './payout-facts.ts';
import { completeWithdrawal, lockWithdrawal } from './review-withdrawal.ts';

type Row = NonNullable<Awaited<ReturnType<typeof lockWithdrawal>>>;

/**
 * A person has found out what became of the payouts of a withdrawal, which its channel cannot say. `paid` and
 * `not_paid`: while the money is frozen and a payout is at a channel that is off, or was reported with another amount.
 * `returned`: its payment came back, so that the money is frozen again and can be paid or rejected. `dealt_with`: what
 * needed a person is over, and nothing moves.
 */
export async function stateOutcome(
  trx: Trx,
  channels: OpenChannels,
  caller: Caller,
  id: WithdrawalId,
  body: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<WithdrawalId | Waits, ApiError>> {
  // Customers' money is the platform's to pay out.
  if (caller.agents !== 'all') return failed({ code: 'record.not_found' });
  const { outcome, reason } = body;
  await lockPayouts(trx, id);
  const row = await lockWithdrawal(trx, id);
  if (row === undefined) return failed({ code: 'record.not_found' });
  const stated = await checkOutcome(trx, channels, row, outcome);
  if (!stated.ok) return stated;
  if (outcome !== 'dealt_with') {
    const waitsFor = await askSecondPerson(
      trx,
      caller,
      {
        kind: 'withdrawal_outcome',
        amountFen: row.amount_fen,
        agentId: null,
        subject: { kind: 'withdrawal', id, text: row.number },
        detail: { withdrawalId: id, body },
        reason,
      },
      at,
    );
    if (waitsFor !== null) return ok({ waitsFor });
  }
  const closing = { kind: 'withdrawal_outcome', subject: { kind: 'withdrawal', id }, factsOf: factsOfOutcome } as const;
  await closeWaitingActs(trx, caller, closing, at);
  await stated.value.carryOut(reason, at);
  await audit(trx, caller, at, {
    action: 'withdrawal.outcome',
    recordKind: 'withdrawal',
    recordId: id,
    before: { state: row.state, attention: row.attention },
    after: { outcome, reason },
  });
  return ok(id);
}

/** What the outcome does, unless it cannot be stated of this withdrawal. */
async function checkOutcome(
  trx: Trx,
  channels: OpenChannels,
  row: Row,
  outcome: BodyOf<typeof route>['outcome'],
): Promise<Result<{ carryOut(reason: string, at: Instant): Promise<void> }, ApiError>> {
  switch (outcome) {
    case 'paid':
    case 'not_paid': {
      if (!row.frozen || row.state === 'waiting') return failed({ code: 'withdrawal.outcome_not_open' });
      const { unclear, isOtherOpen } = await findUnclearPayouts(trx, channels.byName, row);
      const [last] = unclear;
      if (last === undefined) return failed({ code: 'withdrawal.outcome_not_open' });
      if (isOtherOpen) return failed({ code: 'withdrawal.being_paid' });
      return ok({
        async carryOut(reason, at) {
          const made = outcome === 'paid' ? last.id : null;
          for (const { id } of unclear) await endAsChecked(trx, id, id === made ? 'done' : 'failed', at);
          if (made === null) await markNotPaid(trx, row, reason);
          else await markPaid(trx, row, { id: made, number: last.number }, at);
        },
      });
    }
    case 'returned': {
      if (row.attention !== 'sent_back' || row.state !== 'withdrawn') {
        return failed({ code: 'withdrawal.outcome_not_open' });
      }
      const present = await lockPresentWallet(trx, { cardId: null, customerId: row.customer_id });
      // The balance of a record that was merged is another's, and what returns would be on none.
      if (present.customerId !== row.customer_id) return failed({ code: 'withdrawal.customer_merged' });
      return ok({ carryOut: (reason, at) => freezeAgain(trx, row, reason, at) });
    }
    case 'dealt_with':
      if (row.attention === null || row.frozen) return failed({ code: 'withdrawal.outcome_not_open' });
      return ok({
        async carryOut() {
          await trx.updateTable('withdrawals').set({ attention: null }).where('id', '=', row.id).execute();
        },
      });
  }
}

async function markPaid(trx: Trx, row: Row, made: { id: PayoutId; number: string }, at: Instant): Promise<void> {
  await completeWithdrawal(trx, row, { state: 'withdrawn', receipt: made.number }, at);
  await trx.updateTable('withdrawals').set({ payout_id: made.id }).where('id', '=', row.id).execute();
}

async function markNotPaid(trx: Trx, row: Row, reason: string): Promise<void> {
  await trx
    .updateTable('withdrawals')
    .set({ state: 'failed', failure: reason, attention: null })
    .where('id', '=', row.id)
    .execute();
}

/** As it was before it was paid: its money is set aside, and the payout counts as failed. */
async function freezeAgain(trx: Trx, row: Row, reason: string, at: Instant): Promise<void> {
  const key = paidOutKey({ kind: 'withdrawal', id: row.id }, row.times_returned);
  if (!(await reverseTransfer(trx, key, at))) throw new Error(`the payment of withdrawal ${row.id} returned before`);
  if (row.payout_id !== null) {
    await trx.updateTable('channel_payouts').set({ state: 'failed' }).where('id', '=', row.payout_id).execute();
  }
  await trx
    .updateTable('withdrawals')
    .set({
      state: 'failed',
      frozen: true,
      failure: reason,
      receipt: null,
      attention: null,
      processed_at: null,
      times_returned: row.times_returned + 1,
    })
    .where('id', '=', row.id)
    .execute();
}
