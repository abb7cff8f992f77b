import type { AgentWithdrawalTerms, setOwnPayoutAccount as route } from '@voltdeck/contract/agent-withdrawals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Settled } from '@voltdeck/ledger/settlement';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { lackedOf, noPayout, noteAccountChange, type Payout, payoutAfter } from '../ledger/payout-account.ts';
import { lockParty } from './find-party.ts';
import { findTerms } from './find-terms.ts';
import { ownParty } from './own-party.ts';

/**
 * Sets where the caller’s own agent or divider is paid. What was applied for keeps the account that it was applied with,
 * and withdrawals to this one wait for a second person for some days.
 */
export async function setOwnAccount(
  trx: Trx,
  caller: Caller,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<AgentWithdrawalTerms, ApiError>> {
  const own = ownParty(caller);
  const party = own === null ? null : await lockParty(trx, own);
  if (own === null || party === null) return failed({ code: 'agent_withdrawal.no_balance' });
  if (party.isFrozen) return failed({ code: 'agent_withdrawal.party_frozen' });
  const { payout: before } = party;
  const after = payoutAfter(form, noPayout);
  const lacked = lackedOf(after);
  if (lacked.length > 0) {
    const fields = lacked.map((path) => ({ path, code: 'required' as const }));
    return failed({ code: 'request.invalid', fields });
  }
  await write(trx, own, after);
  await noteAccountChange(trx, own, { before, after }, caller.userId, at);
  await audit(trx, caller, at, {
    action: 'payout_account.set',
    recordKind: own.kind,
    recordId: own.id,
    before: {
      payoutKind: before.payout_kind,
      payoutHolder: before.payout_holder,
      payoutBank: before.payout_bank,
      payoutBranch: before.payout_branch,
      payoutBankCode: before.payout_bank_code,
      payoutNumber: before.payout_number,
    },
    after: form,
  });
  return findTerms(trx, caller, {}, at);
}

async function write(trx: Trx, { kind, id }: Settled, payout: Payout): Promise<void> {
  if (kind === 'agent') await trx.updateTable('agents').set(payout).where('id', '=', id).execute();
  else await trx.updateTable('dividers').set(payout).where('id', '=', id).execute();
}
