import * as contract from '@voltdeck/contract/station-identities';
import { publishTask } from '../../bus/publish-task.ts';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { assignIdentities, removeIdentities } from './change-identities.ts';
import { startIdentities } from './start-identities.ts';

export function bindStationIdentities({ bind }: Binder, context: Context<'console'>): void {
  bind(contract.makeIdentities, async ({ caller, body, at, transact }) => {
    const started = await transact((trx) => startIdentities(trx, caller, body, at));
    if (started.ok) {
      const { taskId: id, count: totalCount } = started.value;
      publishTask(context, { id, userId: caller.userId, state: 'waiting', doneCount: 0, totalCount });
    }
    return started;
  });
  bind(contract.assignIdentities, ({ caller, body, at, transact }) =>
    transact((trx) => assignIdentities(trx, caller, body, at)),
  );
  bind(contract.removeIdentities, ({ caller, body, at, transact }) =>
    transact((trx) => removeIdentities(trx, caller, body, at)),
  );
}
