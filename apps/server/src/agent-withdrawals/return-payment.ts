import type { returnAgentWithdrawal as route } from '@voltdeck/contract/agent-withdrawals';
import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import { paidOutKey } from '@voltdeck/ledger/payout';
import type { AgentWithdrawalId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { reverseTransfer } from '../ledger/reverse-transfer.ts';
import { askSecondPerson } from '../second-person/ask-second-person.ts';
import { closeWaitingActs } from '../second-person/close-waiting-acts.ts';
import { causeOf, lockBalance, lockForPlatform, partyOf, unfreeze, whyNotTheirs } from './lock-withdrawal.ts';
import { factsOfAgentWithdrawal } from './withdrawal-facts.ts';

/**
 * The payment of a withdrawal came back: its payment and its freeze are reversed, so that its whole amount, the fee
 * included, is on the balance again, from which the party applies anew.
 */
export async function returnPayment(
  trx: Trx,
  caller: Caller,
  id: AgentWithdrawalId,
  body: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<AgentWithdrawalId | Waits, ApiError>> {
  const { reason } = body;
  const locked = await lockForPlatform(trx, caller, id);
  if (!locked.ok) return locked;
  const row = locked.value;
  if (row.state !== 'withdrawn' && row.state !== 'processed') return failed({ code: 'agent_withdrawal.not_paid' });
  const refusal = await whyNotTheirs(trx, caller, id);
  if (refusal !== null) return failed(refusal);
  const subject = { kind: 'agent_withdrawal', id, text: row.number } as const;
  const waitsFor = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'agent_withdrawal_return',
      amountFen: row.amount_fen,
      agentId: null,
      subject,
      detail: { agentWithdrawalId: id, body },
      reason,
    },
    at,
  );
  if (waitsFor !== null) return ok({ waitsFor });
  await closeWaitingActs(
    trx,
    caller,
    { kind: 'agent_withdrawal_return', subject, factsOf: factsOfAgentWithdrawal },
    at,
  );
  await lockBalance(trx, partyOf(row));
  const isReversed = await reverseTransfer(trx, paidOutKey(causeOf(row)), at);
  if (!isReversed) throw new Error(`the payment of withdrawal ${row.number} returned before`);
  await unfreeze(trx, row, at);
  await trx
    .updateTable('agent_withdrawals')
    .set({ state: 'failed', failure: reason, returned_by: caller.userId, returned_at: at, processed_at: at })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    action: 'agent_withdrawal.return',
    recordKind: 'agent_withdrawal',
    recordId: id,
    before: { state: row.state },
    after: { reason },
  });
  return ok(id);
}
