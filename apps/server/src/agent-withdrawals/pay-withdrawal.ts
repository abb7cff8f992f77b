import type {
  failAgentWithdrawal as failRoute,
  payAgentWithdrawal as route,
} from '@voltdeck/contract/agent-withdrawals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import { payOutTransfer } from '@voltdeck/ledger/payout';
import { balanceAccount } from '@voltdeck/ledger/settlement';
import type { AgentWithdrawalId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { formatYuan } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { findByReceipt, receiptKeyOf } from '../ledger/bank-receipt.ts';
import { payableOfBalance } from '../ledger/party-play-money.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import {
  causeOf,
  type Locked,
  lockBalance,
  lockForPlatform,
  partyOf,
  whyNotPaid,
  whyNotTheirs,
} from './lock-withdrawal.ts';

/** A person has paid it: one that is passed, or one that the bank did not pay before. */
export async function payAgentWithdrawal(
  trx: Trx,
  caller: Caller,
  id: AgentWithdrawalId,
  { way = 'bank', receipt, remark = '' }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<AgentWithdrawalId, ApiError>> {
  const locked = await lockToPay(trx, caller, id);
  if (!locked.ok) return locked;
  const row = locked.value;
  const isPayable = row.frozen && row.state !== 'waiting';
  if (!isPayable) return failed({ code: 'withdrawal.not_payable' });
  const refusal = (await whyNotPaid(trx, row)) ?? (await whyNotRealMoney(trx, row));
  if (refusal !== null) return failed(refusal);
  const other = way === 'bank' ? await findByReceipt(trx, receipt) : null;
  if (other !== null) return failed({ code: 'agent_withdrawal.receipt_used', params: { receipt, number: other } });
  const paid = payOutTransfer({
    cause: causeOf(row),
    wallet: balanceAccount(partyOf(row)),
    target: { channel: way === 'bank' ? 'bank' : 'back-office' },
    amountFen: row.amount_fen,
    feeFen: row.fee_fen,
  });
  if (!paid.ok) throw new Error(`withdrawal ${row.number} cannot be paid: ${paid.error.code}`);
  if (!(await postTransfer(trx, paid.value, at))) throw new Error(`withdrawal ${row.number} was paid before`);
  await trx
    .updateTable('agent_withdrawals')
    .set({ state: way === 'bank' ? 'withdrawn' : 'processed', frozen: false, failure: null, way, receipt })
    .set({ receipt_key: way === 'bank' ? receiptKeyOf(receipt) : null })
    .set({ paid_by: caller.userId, paid_at: at, processed_at: at })
    .$if(remark !== '', (update) => update.set({ remark }))
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    action: 'agent_withdrawal.pay',
    recordKind: 'agent_withdrawal',
    recordId: id,
    before: { state: row.state },
    after: { way, receipt, remark },
  });
  return ok(id);
}

/** The bank did not pay a passed one. Its money stays frozen, to be paid again or rejected. */
export async function failAgentWithdrawal(
  trx: Trx,
  caller: Caller,
  id: AgentWithdrawalId,
  { reason }: BodyOf<typeof failRoute>,
  at: Instant,
): Promise<Result<AgentWithdrawalId, ApiError>> {
  const locked = await lockToPay(trx, caller, id);
  if (!locked.ok) return locked;
  const { state } = locked.value;
  if (state !== 'in_review') return failed({ code: 'agent_withdrawal.not_under_way' });
  await trx.updateTable('agent_withdrawals').set({ state: 'failed', failure: reason }).where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'agent_withdrawal.fail',
    recordKind: 'agent_withdrawal',
    recordId: id,
    before: { state },
    after: { reason },
  });
  return ok(id);
}

/** Charges with play money may have been shared since the application. Null where the money is real. */
async function whyNotRealMoney(trx: Trx, row: Locked): Promise<ApiError | null> {
  const party = partyOf(row);
  const balanceFen = await lockBalance(trx, party);
  const payableFen = await payableOfBalance(trx, party, { balanceFen, frozenFen: row.amount_fen });
  if (row.amount_fen <= payableFen) return null;
  return { code: 'agent_withdrawal.play_money', params: { max: formatYuan(payableFen) } };
}

/**
 * One that the bank did not pay is up for payment again, to the account that was reviewed: a party that has another one by
 * now applies anew.
 */
export async function retryAgentWithdrawal(
  trx: Trx,
  caller: Caller,
  id: AgentWithdrawalId,
  at: Instant,
): Promise<Result<AgentWithdrawalId, ApiError>> {
  const locked = await lockToPay(trx, caller, id);
  if (!locked.ok) return locked;
  const row = locked.value;
  if (row.state !== 'failed' || !row.frozen) return failed({ code: 'agent_withdrawal.not_failed' });
  const refusal = await whyNotPaid(trx, row);
  if (refusal !== null) return failed(refusal);
  await trx.updateTable('agent_withdrawals').set({ state: 'in_review', failure: null }).where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'agent_withdrawal.retry',
    recordKind: 'agent_withdrawal',
    recordId: id,
    before: { state: row.state },
  });
  return ok(id);
}

/** A withdrawal that the caller may pay, locked until the transaction ends. */
async function lockToPay(trx: Trx, caller: Caller, id: AgentWithdrawalId): Promise<Result<Locked, ApiError>> {
  const locked = await lockForPlatform(trx, caller, id);
  if (!locked.ok) return locked;
  const refusal = await whyNotTheirs(trx, caller, id);
  return refusal === null ? locked : failed(refusal);
}
