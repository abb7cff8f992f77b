import * as contract from '@voltdeck/contract/station-identities';
import { announceTask } from '../../background/announce-task.ts';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { assignIdentities } from './assign-identities.ts';
import { removeIdentities } from './remove-identities.ts';
import { startIdentities } from './start-identities.ts';

export function bindStationIdentities({ bind }: Binder, context: Context<'console'>): void {
  bind(contract.makeIdentities, ({ caller, body, at, transact }) =>
    announceTask(context, transact, (trx) => startIdentities(trx, caller, body, at)),
  );
  bind(contract.assignIdentities, ({ caller, body, at, transact }) =>
    transact((trx) => assignIdentities(trx, caller, body, at)),
  );
  bind(contract.removeIdentities, ({ caller, body, at, transact }) =>
    transact((trx) => removeIdentities(trx, caller, body, at)),
  );
}
