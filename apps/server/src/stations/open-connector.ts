import type { Connector } from '@voltdeck/contract/connectors';
import type { ApiError } from '@voltdeck/contract/errors';
import type { ConnectorId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { openConnectors } from './open-connectors.ts';
import { findConnector } from './queries.ts';

/** Opens or closes a gun port. A closed one starts no new charge. */
export async function openConnector(
  trx: Trx,
  caller: Caller,
  id: ConnectorId,
  open: boolean,
  at: Instant,
): Promise<Result<Connector, ApiError>> {
  const changed = await openConnectors(trx, caller, { connectorIds: [id], open }, at);
  return changed.ok ? found(await findConnector(trx, caller, id)) : changed;
}
