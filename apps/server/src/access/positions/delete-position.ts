import type { ApiError } from '@voltdeck/contract/errors';
import type { PositionId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { lockPosition } from './lock-position.ts';

export async function deletePosition(
  trx: Trx,
  caller: Caller,
  id: PositionId,
  at: Instant,
): Promise<Result<null, ApiError>> {
  const locked = await lockPosition(trx, caller, id);
  if (!locked.ok) return locked;
  const { nameKey: _nameKey, ...before } = locked.value;
  const { users } = await trx
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('users'))
    .where('position_id', '=', id)
    .executeTakeFirstOrThrow();
  if (users > 0) return failed({ code: 'position.in_use', params: { users } });
  await trx.deleteFrom('positions').where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'position.delete',
    recordKind: 'position',
    recordId: id,
    before,
  });
  return ok(null);
}
