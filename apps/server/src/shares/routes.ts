import { isWaiting } from '@voltdeck/contract/is-waiting';
import * as terms from '@voltdeck/contract/share-terms';
import * as contract from '@voltdeck/contract/shares';
import type { OrderId } from '@voltdeck/units/id';
import { failed, ok } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { correctShares } from './correct-shares.ts';
import { findOrderShares } from './find-order-shares.ts';
import { clearAtSites, findDefaultShareTerms, setAtSites, setDefault } from './share-terms.ts';

export function bindShares({ bind }: Binder, { database }: Context<'console'>): void {
  const { db } = database;

  const answer = async (caller: Caller, id: OrderId) => found(await findOrderShares(db, caller, id));

  bind(contract.getOrderShares, ({ caller, params }) => answer(caller, params.id));
  bind(
    contract.correctOrderShares,
    async ({ caller, params, body, at, transact }) => {
      const corrected = await transact((trx) => correctShares(trx, caller, params.id, body, at), {
        recordOf: (value) => (isWaiting(value) ? null : value.id),
      });
      if (!corrected.ok) return corrected;
      return isWaiting(corrected.value) ? ok(corrected.value) : answer(caller, params.id);
    },
    { replay: (recordId, { caller }) => answer(caller, recordId as OrderId) },
  );
  bind(terms.getDefaultShareTerms, async ({ caller }) =>
    caller.agents === 'all' ? ok(await findDefaultShareTerms(db, caller)) : failed({ code: 'access.denied' }),
  );
  bind(terms.setDefaultShareTerms, ({ caller, body, at, transact }) =>
    transact((trx) => setDefault(trx, caller, body, at)),
  );
  bind(terms.setShareTerms, ({ caller, body, at, transact }) => transact((trx) => setAtSites(trx, caller, body, at)));
  bind(terms.clearShareTerms, ({ caller, body, at, transact }) =>
    transact((trx) => clearAtSites(trx, caller, body, at)),
  );
}
