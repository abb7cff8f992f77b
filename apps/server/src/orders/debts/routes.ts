import * as contract from '@voltdeck/contract/debts';
import { isWaiting } from '@voltdeck/contract/is-waiting';
import type { OrderId } from '@voltdeck/units/id';
import { ok } from '@voltdeck/units/result';
import type { Caller } from '../../caller/caller.ts';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { found } from '../../http/found.ts';
import { findOrder } from '../queries.ts';
import { writeOffDebt } from './write-off-debt.ts';

export function bindDebts({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const answer = async (caller: Caller, id: OrderId) => found(await findOrder(db, caller, id));
  bind(
    contract.writeOffDebt,
    async ({ caller, params, body, at, transact }) => {
      const made = await transact((trx) => writeOffDebt(trx, caller, params.id, body, at), {
        recordOf: (value) => (isWaiting(value) ? null : value.id),
      });
      if (!made.ok) return made;
      return isWaiting(made.value) ? ok(made.value) : answer(caller, made.value.id);
    },
    { replay: (recordId, { caller }) => answer(caller, recordId as OrderId) },
  );
}
