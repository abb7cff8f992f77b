import * as income from '@voltdeck/contract/divider-income';
import * as contract from '@voltdeck/contract/dividers';
import { ok } from '@voltdeck/units/result';
import type { Sessions } from '../caller/sessions.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { addTerms, addTermsAtSites, followTerms } from './add-terms.ts';
import { changeDivider } from './change-divider.ts';
import { createDivider, openDividersAccount } from './create-divider.ts';
import { deleteDivider } from './delete-divider.ts';
import { findDividedPlace } from './divided-place.ts';
import { findDividerIncome } from './divider-income.ts';
import { enableDivider } from './enable-divider.ts';
import { endTerms, takeBackTerms } from './end-terms.ts';
import { findDivider } from './queries.ts';
import { resetDividerPassword } from './reset-divider-password.ts';

export function bindDividers({ bind }: Binder, context: Context<'console'>, sessions: Sessions): void {
  const { db } = context.database;
  bind(contract.getDivider, async ({ caller, params, at }) => found(await findDivider(db, caller, params.id, at)));
  bind(contract.createDivider, ({ caller, body, at, transact }) =>
    transact((trx) => createDivider(trx, caller, body, at)),
  );
  bind(contract.changeDivider, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeDivider(trx, caller, params.id, body, at)),
  );
  bind(contract.openDividerAccount, ({ caller, params, body, at, transact }) =>
    transact((trx) => openDividersAccount(trx, caller, params.id, body.loginName, at)),
  );
  bind(contract.enableDivider, async ({ caller, params, body, at, transact }) => {
    const enabled = await transact((trx) => enableDivider(trx, sessions, caller, params.id, body, at), {
      answerOf: ({ divider }) => divider,
    });
    if (!enabled.ok) return enabled;
    const { divider, signedOut } = enabled.value;
    if (signedOut !== null) sessions.forgetCached(signedOut);
    return ok(divider);
  });
  bind(contract.resetDividerPassword, async ({ caller, params, at, transact }) => {
    const reset = await transact((trx) => resetDividerPassword(trx, sessions, caller, params.id, at), {
      answerOf: ({ initialPassword }) => ({ initialPassword }),
    });
    if (!reset.ok) return reset;
    const { userId, initialPassword } = reset.value;
    sessions.forgetCached(userId);
    return ok({ initialPassword });
  });
  bind(contract.deleteDivider, ({ caller, params, at, transact }) =>
    transact((trx) => deleteDivider(trx, caller, params.id, at)),
  );
  bind(contract.addDividerTerms, ({ caller, params, body, at, transact }) =>
    transact((trx) => addTerms(trx, caller, params.id, body, at)),
  );
  bind(contract.addDividerTermsAtSites, ({ caller, params, body, at, transact }) =>
    transact((trx) => addTermsAtSites(trx, caller, params.id, body, at)),
  );
  bind(contract.followDividerTerms, ({ caller, params, body, at, transact }) =>
    transact((trx) => followTerms(trx, caller, params.id, body, at)),
  );
  bind(contract.endDividerTerms, ({ caller, params, body, at, transact }) =>
    transact((trx) => endTerms(trx, caller, params.id, body.lastOn ?? null, at)),
  );
  bind(contract.deleteDividerTerms, ({ caller, params, at, transact }) =>
    transact((trx) => takeBackTerms(trx, caller, params.id, at)),
  );
  bind(contract.getDividedPlace, ({ caller, params, query, at }) => findDividedPlace(db, caller, params.id, query, at));
  bind(income.getDividerIncome, ({ caller, query, at }) => findDividerIncome(db, caller, query, at));
}
