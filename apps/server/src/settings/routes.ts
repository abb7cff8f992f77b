import type { ApiError } from '@voltdeck/contract/errors';
import * as contract from '@voltdeck/contract/settings';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { spanOf } from '../http/list-page.ts';
import { addConfig } from './add-config.ts';
import { deleteConfig } from './delete-config.ts';
import { editConfig } from './edit-config.ts';
import { listConfigPage } from './queries.ts';

export function bindSettings({ bind }: Binder, { database: { db }, secrets }: Context): void {
  bind(contract.listConfigs, async ({ caller, query }) => {
    const span = spanOf(query);
    return ofThePlatform(caller, async () =>
      span.ok ? ok(await listConfigPage(db, secrets, query, span.value)) : span,
    );
  });
  bind(contract.addConfig, ({ caller, body, at, transact }) =>
    ofThePlatform(caller, () => transact((trx) => addConfig(trx, secrets, caller, body, at))),
  );
  bind(contract.editConfig, ({ caller, body, at, transact }) =>
    ofThePlatform(caller, () => transact((trx) => editConfig(trx, secrets, caller, body, at))),
  );
  bind(contract.deleteConfig, ({ caller, query, at, transact }) =>
    ofThePlatform(caller, () => transact((trx) => deleteConfig(trx, caller, query.id, at))),
  );
}

/** Parameters are the installation's: no agent's people read or change them, whatever their position grants. */
async function ofThePlatform<Answer>(
  caller: Caller,
  act: () => Promise<Result<Answer, ApiError>>,
): Promise<Result<Answer, ApiError>> {
  return caller.agents === 'all' ? act() : failed({ code: 'access.denied' });
}
