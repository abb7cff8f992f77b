import * as contract from '@voltdeck/contract/positions';
import { ok } from '@voltdeck/units/result';
import type { Sessions } from '../../caller/sessions.ts';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { found } from '../../http/found.ts';
import { say } from '../../http/say.ts';
import { scopesWithin } from '../own-rights.ts';
import { changePosition } from './change-position.ts';
import { createPosition } from './create-position.ts';
import { deletePosition } from './delete-position.ts';
import { findPosition } from './queries.ts';

export function bindPositions({ bind }: Binder, context: Context<'console'>, sessions: Sessions): void {
  const { db } = context.database;
  bind(contract.getPosition, async ({ caller, params }) => found(await findPosition(db, caller, params.id)));
  bind(contract.createPosition, ({ caller, body, at, transact }) =>
    transact((trx) => createPosition(trx, caller, body, at)),
  );
  bind(contract.changePosition, async ({ caller, params, body, at, transact }) => {
    const result = await transact((trx) => changePosition(trx, caller, params.id, body, at));
    if (result.ok) sessions.forgetRights();
    return result;
  });
  bind(contract.deletePosition, ({ caller, params, at, transact }) =>
    transact((trx) => deletePosition(trx, caller, params.id, at)),
  );
  bind(contract.getDataScopeList, async ({ caller }) =>
    ok(scopesWithin(caller).map((value) => ({ value, name: say(caller.language, `data-scope.${value}`) }))),
  );
}
