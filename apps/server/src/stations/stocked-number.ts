import type { ApiError } from '@voltdeck/contract/errors';
import type { StationForm } from '@voltdeck/contract/stations';
import type { Id } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import { isInScope } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';

/** A number that was made for a factory and waits for its station. */
export type StockedNumber = { id: Id<'station_identity'>; passwordHash: string | null };

/** The identity in stock with this number, locked; null if none. Another agent's number counts as taken. */
export async function lockStockedNumber(
  trx: Trx,
  caller: Caller,
  { number, protocol }: Pick<StationForm, 'number' | 'protocol'>,
): Promise<Result<StockedNumber | null, ApiError>> {
  const found = await trx
    .selectFrom('station_identities')
    .select(['id', 'protocol', 'password_hash as passwordHash', 'agent_id as agentId'])
    .where('number', '=', number)
    .where('station_id', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (found === undefined) return ok(null);
  if (!isInScope(caller, found.agentId)) return failed({ code: 'station.number_taken', params: { number } });
  if (found.protocol !== protocol) {
    return failed({ code: 'request.invalid', fields: [{ path: 'protocol', code: 'identity_protocol' }] });
  }
  return ok({ id: found.id, passwordHash: found.passwordHash });
}

/** Whether a number is reserved by an identity in stock. */
export async function isStocked(trx: Trx, number: string): Promise<boolean> {
  const found = await trx
    .selectFrom('station_identities')
    .select('id')
    .where('number', '=', number)
    .where('station_id', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}
