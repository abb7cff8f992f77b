import * as contract from '@voltdeck/contract/rehearsals';
import { announceTask } from '../background/announce-task.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { findRehearsal } from './queries.ts';
import { startRehearsal } from './start-rehearsal.ts';

export function bindRehearsals({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(contract.startRehearsal, ({ caller, body, at, transact }) =>
    announceTask(context, transact, (trx) => startRehearsal(trx, caller, body, at)),
  );
  bind(contract.getRehearsal, async ({ caller, params }) => found(await findRehearsal(db, caller, params.id)));
}
