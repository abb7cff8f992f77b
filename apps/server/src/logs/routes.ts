import * as contract from '@voltdeck/contract/logs';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { listLogPage } from './queries.ts';

export function bindLogs({ bind }: Binder, context: Context): void {
  bind(contract.listInteractionLogs, async ({ caller, query, at }) =>
    ok(await listLogPage(context.database.db, caller, query, at)),
  );
}
