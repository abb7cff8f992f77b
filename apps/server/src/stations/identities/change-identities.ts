import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type {
  assignIdentities as assignRoute,
  removeIdentities as removeRoute,
} from '@voltdeck/contract/station-identities';
import type { Id } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import { registerIdentities, type StockedIdentity } from './register-identities.ts';
import { siteInScope } from './start-identities.ts';

/** Registers the stations of identities in stock at a site, whose agent they get. */
export async function assignIdentities(
  trx: Trx,
  caller: Caller,
  { identityIds, siteId }: BodyOf<typeof assignRoute>,
  at: Instant,
): Promise<Result<{ assigned: number }, ApiError>> {
  const site = await siteInScope(trx, caller, siteId);
  if (site === undefined) {
    return failed({ code: 'request.invalid', fields: [{ path: 'siteId', code: 'unknown_reference' }] });
  }
  const stocked = await lockStocked(trx, caller, identityIds);
  if (!stocked.ok) return stocked;
  const numbers = stocked.value.map(({ number }) => number);
  const taken = await trx
    .selectFrom('stations')
    .select('number')
    .where(sql<boolean>`number = any(${numbers})`)
    .orderBy('number')
    .execute();
  if (taken[0] !== undefined) {
    return failed({ code: 'identity.number_taken', params: { number: taken[0].number, count: taken.length } });
  }
  await registerIdentities(trx, caller, stocked.value, { siteId, agentId: site.agentId }, at);
  return ok({ assigned: stocked.value.length });
}

/** Removes identities in stock; their numbers are free again. */
export async function removeIdentities(
  trx: Trx,
  caller: Caller,
  { identityIds }: BodyOf<typeof removeRoute>,
  at: Instant,
): Promise<Result<{ removed: number }, ApiError>> {
  const stocked = await lockStocked(trx, caller, identityIds);
  if (!stocked.ok) return stocked;
  const ids = stocked.value.map(({ id }) => id);
  await trx.deleteFrom('station_identities').where(sql<boolean>`id = any(${ids})`).execute();
  const numbers = stocked.value.map(({ number }) => number);
  await audit(trx, caller, at, {
    action: 'identity.remove',
    recordKind: 'station_identity',
    recordId: numbers[0] ?? '',
    before: { numbers },
  });
  return ok({ removed: ids.length });
}

/** All of the identities, by number; refused where one is not the caller's or not in stock. */
async function lockStocked(
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
