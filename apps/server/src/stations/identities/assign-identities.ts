import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { assignIdentities as route } from '@voltdeck/contract/station-identities';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { lockSite } from '../lock-site.ts';
import { lockStocked } from './lock-stocked.ts';
import { registerIdentities } from './register-identities.ts';

/** Registers the stations of identities in stock at a site, whose agent they get. */
export async function assignIdentities(
  trx: Trx,
  caller: Caller,
  { identityIds, siteId }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<{ assigned: number }, ApiError>> {
  const site = await lockSite(trx, caller, siteId);
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
