import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { removeIdentities as route } from '@voltdeck/contract/station-identities';
import type { Instant } from '@voltdeck/units/instant';
import { ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { lockStocked } from './lock-stocked.ts';

/** Removes identities in stock; their numbers are free again. */
export async function removeIdentities(
  trx: Trx,
  caller: Caller,
  { identityIds }: BodyOf<typeof route>,
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
