import type { ApiError } from '@voltdeck/contract/errors';
import * as contract from '@voltdeck/contract/settings';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import type { MapSettings } from '../environment.ts';
import type { Binder } from '../http/bind.ts';
import { addConfig } from './add-config.ts';
import { deleteConfig } from './delete-config.ts';
import { editConfig } from './edit-config.ts';
import { mapTilesOf } from './map-tiles.ts';

export function bindSettings({ bind }: Binder, { secrets }: Context, map: MapSettings): void {
  bind(contract.getMapTiles, async ({ caller }) => ok(mapTilesOf(map, caller.language)));
  bind(contract.addConfig, ({ caller, body, at, transact }) =>
    forPlatformOnly(caller, () => transact((trx) => addConfig(trx, secrets, caller, body, at))),
  );
  bind(contract.editConfig, ({ caller, body, at, transact }) =>
    forPlatformOnly(caller, () => transact((trx) => editConfig(trx, secrets, caller, body, at))),
  );
  bind(contract.deleteConfig, ({ caller, query, at, transact }) =>
    forPlatformOnly(caller, () => transact((trx) => deleteConfig(trx, caller, query.id, at))),
  );
}

/**
 * Parameters belong to the installation: an agent's people can neither read nor change them, whatever their position
 * grants.
 */
async function forPlatformOnly<Answer>(
  caller: Caller,
  act: () => Promise<Result<Answer, ApiError>>,
): Promise<Result<Answer, ApiError>> {
  return caller.agents === 'all' ? act() : failed({ code: 'access.denied' });
}
