import * as contract from '@voltdeck/contract/agent-withdrawals';
import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import { isWaiting } from '@voltdeck/contract/is-waiting';
import type { AgentWithdrawalId } from '@voltdeck/units/id';
import { ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { applyForBalance } from './apply-withdrawal.ts';
import { findIncome } from './find-income.ts';
import { findPayee } from './find-payee.ts';
import { findTerms } from './find-terms.ts';
import { failAgentWithdrawal, payAgentWithdrawal, retryAgentWithdrawal } from './pay-withdrawal.ts';
import { findAgentWithdrawal } from './queries.ts';
import { returnPayment } from './return-payment.ts';
import { reviewAgentWithdrawal, reviewManyOfAgents } from './review-withdrawal.ts';
import { setOwnAccount } from './set-account.ts';

type Acted<Value> = Result<Value, ApiError>;

export function bindAgentWithdrawals({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const answer = async (caller: Caller, id: AgentWithdrawalId) => found(await findAgentWithdrawal(db, caller, id));
  const replay = (recordId: number, { caller }: { caller: Caller }) => answer(caller, recordId as AgentWithdrawalId);
  const only = async (caller: Caller, acted: Acted<AgentWithdrawalId>) =>
    acted.ok ? answer(caller, acted.value) : acted;
  const shown = async (caller: Caller, acted: Acted<AgentWithdrawalId | Waits>) => {
    if (!acted.ok) return acted;
    return isWaiting(acted.value) ? ok(acted.value) : answer(caller, acted.value);
  };
  const itself = { recordOf: (id: AgentWithdrawalId) => id };
  const unlessWaiting = {
    recordOf: (acted: AgentWithdrawalId | Waits) => (isWaiting(acted) ? null : acted),
  };

  bind(contract.getAgentWithdrawal, ({ caller, params }) => answer(caller, params.id));
  bind(contract.getPartyIncome, async ({ caller, query }) => found(await findIncome(db, caller, query)));
  bind(contract.getAgentWithdrawalTerms, ({ caller, query, at }) => findTerms(db, caller, query, at));
  bind(contract.setOwnPayoutAccount, ({ caller, body, at, transact }) =>
    transact((trx) => setOwnAccount(trx, caller, body, at)),
  );
  bind(contract.getAgentWithdrawalPayee, ({ caller, params, at, transact }) =>
    transact((trx) => findPayee(trx, caller, params.id, at)),
  );
  bind(
    contract.createAgentWithdrawal,
    async ({ caller, body, at, transact }) =>
      only(caller, await transact((trx) => applyForBalance(trx, caller, body, at), itself)),
    { replay },
  );
  bind(
    contract.reviewAgentWithdrawal,
    async ({ caller, params, body, at, transact }) =>
      shown(caller, await transact((trx) => reviewAgentWithdrawal(trx, caller, params.id, body, at), unlessWaiting)),
    { replay },
  );
  bind(contract.reviewAgentWithdrawals, ({ caller, body, at, transact }) =>
    transact((trx) => reviewManyOfAgents(trx, caller, body, at)),
  );
  bind(
    contract.payAgentWithdrawal,
    async ({ caller, params, body, at, transact }) =>
      only(caller, await transact((trx) => payAgentWithdrawal(trx, caller, params.id, body, at), itself)),
    { replay },
  );
  bind(
    contract.failAgentWithdrawal,
    async ({ caller, params, body, at, transact }) =>
      only(caller, await transact((trx) => failAgentWithdrawal(trx, caller, params.id, body, at), itself)),
    { replay },
  );
  bind(
    contract.retryAgentWithdrawal,
    async ({ caller, params, at, transact }) =>
      only(caller, await transact((trx) => retryAgentWithdrawal(trx, caller, params.id, at), itself)),
    { replay },
  );
  bind(
    contract.returnAgentWithdrawal,
    async ({ caller, params, body, at, transact }) =>
      shown(caller, await transact((trx) => returnPayment(trx, caller, params.id, body, at), unlessWaiting)),
    { replay },
  );
}
