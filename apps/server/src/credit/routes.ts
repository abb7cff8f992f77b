import * as contract from '@voltdeck/contract/credit';
import type { CustomerId } from '@voltdeck/units/id';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { adjustCredit } from './adjust-credit.ts';
import { findCredit } from './queries.ts';

export function bindCredit({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const answer = async (caller: Caller, id: CustomerId) => found(await findCredit(db, caller, id));

  bind(contract.getCredit, ({ caller, params }) => answer(caller, params.id));
  bind(
    contract.adjustCredit,
    async ({ caller, params, body, at, transact }) => {
      const adjusted = await transact((trx) => adjustCredit(trx, caller, params.id, body, at), {
        recordOf: ({ id }) => id,
      });
      return adjusted.ok ? answer(caller, params.id) : adjusted;
    },
    { replay: (recordId, { caller }) => answer(caller, recordId as CustomerId) },
  );
}
