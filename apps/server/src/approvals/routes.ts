import * as contract from '@voltdeck/contract/approval-records';
import type { ApprovalId } from '@voltdeck/units/id';
import type { Caller } from '../caller/caller.ts';
import type { Sessions } from '../caller/sessions.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { decideApproval } from './decide-approval.ts';
import { findApproval, findApprovalDetail } from './queries.ts';
import { withdrawApproval } from './withdraw-approval.ts';

export function bindApprovals({ bind }: Binder, context: Context<'console'>, sessions: Sessions): void {
  const { db } = context.database;
  const outside = { channels: context.channels, sessions };
  const answer = async (caller: Caller, id: ApprovalId) => found(await findApproval(db, caller, id));
  const replay = (recordId: number, { caller }: { caller: Caller }) => answer(caller, recordId as ApprovalId);

  bind(contract.getApproval, async ({ caller, params }) => found(await findApprovalDetail(context, caller, params.id)));
  bind(
    contract.decideApproval,
    async ({ caller, params, body, at, transact }) => {
      const decided = await transact((trx) => decideApproval(trx, outside, caller, params.id, body, at), {
        recordOf: ({ id }) => id,
      });
      if (!decided.ok) return decided;
      decided.value.carriedOut?.tell(context);
      return answer(caller, params.id);
    },
    { replay },
  );
  bind(
    contract.withdrawApproval,
    async ({ caller, params, at, transact }) => {
      const withdrawn = await transact((trx) => withdrawApproval(trx, caller, params.id, at), {
        recordOf: (id) => id,
      });
      return withdrawn.ok ? answer(caller, params.id) : withdrawn;
    },
    { replay },
  );
}
