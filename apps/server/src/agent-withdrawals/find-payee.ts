import type { getAgentWithdrawalPayee } from '@voltdeck/contract/agent-withdrawals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { AgentWithdrawalId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { subtractFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { whyNotTheirs } from './lock-withdrawal.ts';
import { ofOwnParty } from './own-party.ts';

/** Where a withdrawal is paid, in full, while it can be paid, for who may pay it. The audit log has each reading. */
export async function findPayee(
  trx: Trx,
  caller: Caller,
  id: AgentWithdrawalId,
  at: Instant,
): Promise<Result<AnswerOf<typeof getAgentWithdrawalPayee>, ApiError>> {
  const row = await ofOwnParty(trx.selectFrom('agent_withdrawals'), caller)
    .select(['number', 'state', 'frozen', 'amount_fen', 'fee_fen'])
    .select(['payee_kind as payeeKind', 'payee_holder as payeeHolder', 'payee_bank as payeeBank'])
    .select(['payee_branch as payeeBranch', 'payee_bank_code as payeeBankCode', 'payee_number as account'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return failed({ code: 'record.not_found' });
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  const refusal = await whyNotTheirs(trx, caller, id);
  if (refusal !== null) return failed(refusal);
  const { number, state, frozen, amount_fen, fee_fen, ...payee } = row;
  if (!frozen || state === 'waiting') return failed({ code: 'withdrawal.not_payable' });
  await audit(trx, caller, at, {
    action: 'agent_withdrawal.read_account',
    recordKind: 'agent_withdrawal',
    recordId: id,
    after: { number, payoutHolder: payee.payeeHolder, payoutBank: payee.payeeBank, payoutNumber: payee.account },
  });
  return ok({ ...payee, payoutFen: subtractFen(amount_fen, fee_fen) });
}
