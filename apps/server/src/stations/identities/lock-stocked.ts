import type { ApiError } from '@voltdeck/contract/errors';
import type { Id } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import type { StockedIdentity } from './register-identities.ts';

/** All of the identities, by number; refused where one is not the caller's or not in stock. */
export async function lockStocked(
  trx: Trx,
  caller: Caller,
  asked: readonly Id<'station_identity'>[],
): Promise<Result<StockedIdentity[], ApiError>> {
  const ids = [...new Set(asked)];
  const rows = await scoped(trx.selectFrom('station_identities'), caller, 'station_identities.agent_id')
    .select([
      'id',
      'number',
      'protocol',
      'type',
      'equipment_type as equipmentType',
      'connector_count as connectorCount',
      'max_power_w as maxPowerW',
      'manufacturer',
      'equipment_model as equipmentModel',
      'password_hash as passwordHash',
      'station_id as stationId',
    ])
    .where(sql<boolean>`id = any(${ids})`)
    .orderBy('number')
    .forUpdate()
    .execute();
  if (rows.length < ids.length) return failed({ code: 'record.not_found' });
  const gone = rows.find(({ stationId }) => stationId !== null);
  if (gone !== undefined) return failed({ code: 'identity.not_in_stock', params: { number: gone.number } });
  return ok(rows);
}
