import * as contract from '@voltdeck/contract/rehearsals';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { findRehearsal } from './queries.ts';
import { startRehearsal } from './start-rehearsal.ts';

export function bindRehearsals({ bind }: Binder, { database: { db } }: Context<'console'>): void {
  bind(contract.startRehearsal, ({ caller, body, at, transact }) =>
    transact(async (trx) => {
      const started = await startRehearsal(trx, caller, body, at);
      return started.ok ? ok({ id: started.value }) : started;
    }),
  );
  bind(contract.getRehearsal, async ({ caller, params }) => found(await findRehearsal(db, caller, params.id)));
}
