import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import { isWaiting } from '@voltdeck/contract/is-waiting';
import * as contract from '@voltdeck/contract/withdrawals';
import type { WithdrawalId } from '@voltdeck/units/id';
import { ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { ChannelRoom } from '../channels/channel-room.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { applyForCustomer } from './apply-withdrawal.ts';
import { askAboutEach, askAboutEarlier } from './earlier-payouts.ts';
import { findTerms } from './find-terms.ts';
import { payByHand, retryPayout } from './pay-withdrawal.ts';
import { findWithdrawal } from './queries.ts';
import { reviewMany, reviewWithdrawal } from './review-withdrawal.ts';
import { stateOutcome } from './state-outcome.ts';

export function bindWithdrawals({ bind }: Binder, context: Context<'console'>, room: ChannelRoom): void {
  const { channels } = context;
  const { db } = context.database;
  const answer = async (caller: Caller, id: WithdrawalId) => found(await findWithdrawal(db, caller, id));
  const replay = (recordId: number, { caller }: { caller: Caller }) => answer(caller, recordId as WithdrawalId);
  const shown = async (caller: Caller, acted: Result<WithdrawalId | Waits, ApiError>) => {
    if (!acted.ok) return acted;
    return isWaiting(acted.value) ? ok(acted.value) : answer(caller, acted.value);
  };
  const only = async (caller: Caller, acted: Result<WithdrawalId, ApiError>) =>
    acted.ok ? answer(caller, acted.value) : acted;

  bind(contract.getWithdrawal, ({ caller, params }) => answer(caller, params.id));
  bind(contract.getWithdrawalTerms, async ({ caller, query }) =>
    found(await findTerms(db, channels, caller, query.customerId)),
  );
  bind(
    contract.createWithdrawal,
    async ({ caller, body, at, transact }) => {
      const applied = await transact((trx) => applyForCustomer(trx, channels, caller, body, at), {
        recordOf: (id) => id,
      });
      return only(caller, applied);
    },
    { replay },
  );
  bind(
    contract.reviewWithdrawal,
    async ({ caller, params, body, at, transact }) => {
      const earlier = body.decision === 'reject' ? await askAboutEarlier(room, caller, params.id) : undefined;
      return shown(
        caller,
        await transact((trx) => reviewWithdrawal(trx, channels, caller, params.id, body, at, { earlier }), {
          recordOf: (value) => (isWaiting(value) ? null : value),
        }),
      );
    },
    { replay },
  );
  bind(contract.reviewWithdrawals, async ({ caller, body, at, transact }) => {
    const earlier = await askAboutEach(room, caller, body.decision === 'reject' ? body.ids : []);
    return transact((trx) => reviewMany(trx, channels, caller, body, earlier, at));
  });
  bind(
    contract.payWithdrawalByHand,
    async ({ caller, params, body, at, transact }) => {
      const earlier = await askAboutEarlier(room, caller, params.id);
      const paid = await transact((trx) => payByHand(trx, caller, params.id, body, earlier, at), {
        recordOf: (id) => id,
      });
      return only(caller, paid);
    },
    { replay },
  );
  bind(
    contract.stateWithdrawalOutcome,
    async ({ caller, params, body, at, transact }) =>
      shown(
        caller,
        await transact((trx) => stateOutcome(trx, channels, caller, params.id, body, at), {
          recordOf: (value) => (isWaiting(value) ? null : value),
        }),
      ),
    { replay },
  );
  bind(
    contract.retryWithdrawal,
    async ({ caller, params, at, transact }) => {
      const earlier = await askAboutEarlier(room, caller, params.id);
      const retried = await transact((trx) => retryPayout(trx, channels, caller, params.id, earlier, at), {
        recordOf: (id) => id,
      });
      return only(caller, retried);
    },
    { replay },
  );
}
