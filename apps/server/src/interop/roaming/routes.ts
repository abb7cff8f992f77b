import { isWaiting } from '@voltdeck/contract/is-waiting';
import * as contract from '@voltdeck/contract/roaming';
import type { PartnerChargeId, RoamingChargeId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import type { Caller } from '../../caller/caller.ts';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { found } from '../../http/found.ts';
import { PartnerCaller } from '../deliver/partner-caller.ts';
import { upholdPartnerCharge } from '../uphold-partner-charge.ts';
import { refundRoaming, upholdRoaming, writeOffRoaming } from './correct-roaming.ts';
import { findRoamingDetail } from './roaming-queries.ts';
import { settleByAgreement } from './settle-by-agreement.ts';
import { stopRoaming } from './stop-roaming.ts';

export function bindRoaming({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const calls = new PartnerCaller(context);
  const answer = async (caller: Caller, id: RoamingChargeId, at: Instant) =>
    found(await findRoamingDetail(db, caller, id, at));
  const again = {
    replay: (recordId: number, { caller, at }: { caller: Caller; at: Instant }) =>
      answer(caller, recordId as RoamingChargeId, at),
  };
  bind(contract.getRoamingCharge, ({ caller, params, at }) => answer(caller, params.id, at));
  bind(contract.stopRoamingCharge, async ({ caller, params, at }) => {
    const known = await answer(caller, params.id, at);
    return known.ok ? stopRoaming(context, calls, params.id, caller) : known;
  });
  bind(
    contract.settleRoamingCharge,
    async ({ caller, params, body, at, transact }) => {
      const settled = await transact((trx) => settleByAgreement(trx, caller, params.id, body, at), {
        recordOf: (id) => id,
      });
      return settled.ok ? answer(caller, settled.value, at) : settled;
    },
    again,
  );
  bind(
    contract.refundRoamingCharge,
    async ({ caller, params, body, at, transact }) => {
      const refunded = await transact((trx) => refundRoaming(trx, caller, params.id, body, at), {
        recordOf: (value) => (isWaiting(value) ? null : value),
      });
      if (!refunded.ok) return refunded;
      return isWaiting(refunded.value) ? ok(refunded.value) : answer(caller, refunded.value, at);
    },
    again,
  );
  bind(
    contract.writeOffRoamingDebt,
    async ({ caller, params, body, at, transact }) => {
      const written = await transact((trx) => writeOffRoaming(trx, caller, params.id, body, at), {
        recordOf: (value) => (isWaiting(value) ? null : value),
      });
      if (!written.ok) return written;
      return isWaiting(written.value) ? ok(written.value) : answer(caller, written.value, at);
    },
    again,
  );
  bind(
    contract.upholdRoamingCharge,
    async ({ caller, params, body, at, transact }) => {
      const upheld = await transact((trx) => upholdRoaming(trx, caller, params.id, body, at), {
        recordOf: (id) => id,
      });
      return upheld.ok ? answer(caller, upheld.value, at) : upheld;
    },
    again,
  );
  bind(
    contract.upholdPartnerCharge,
    async ({ caller, params, body, at, transact }) => {
      const upheld = await transact((trx) => upholdPartnerCharge(trx, caller, params.id, body, at), {
        recordOf: (id) => id,
      });
      return upheld.ok ? ok({ id: upheld.value }) : upheld;
    },
    { replay: async (id) => ok({ id: id as PartnerChargeId }) },
  );
}
