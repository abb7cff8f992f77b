import type { ApiError } from '@voltdeck/contract/errors';
import type { Connector } from '@voltdeck/contract/stations';
import type { ConnectorId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { findConnector } from './queries.ts';

/** Renames, opens or closes a gun port. A closed one starts no new charge. */
export async function changeConnector(
  trx: Trx,
  caller: Caller,
  id: ConnectorId,
  change: { name?: string | undefined; open?: boolean | undefined },
  at: Instant,
): Promise<Result<Connector, ApiError>> {
  const before = await findConnector(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  const name = change.name ?? before.name;
  const open = change.open ?? before.open;
  if (name === before.name && open === before.open) return ok(before);
  await trx.updateTable('connectors').set({ name, open }).where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'connector.change',
    recordKind: 'connector',
    recordId: id,
    before: { name: before.name, open: before.open },
    after: { name, open },
  });
  return found(await findConnector(trx, caller, id));
}
