import type { ApiError } from '@voltdeck/contract/errors';
import type { PositionId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { isChangeable, visiblePositions } from './queries.ts';

/** The position, locked until the transaction ends; refused when the caller may not change it. */
export async function lockPosition(trx: Trx, caller: Caller, id: PositionId) {
  const position = await visiblePositions(trx, caller)
    .select([
      'name',
      'name_key as nameKey',
      'description',
      'data_scope as dataScope',
      'menu_codes as menuCodes',
      'agent_id as agentId',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  const result: Result<typeof position & {}, ApiError> =
    position === undefined
      ? failed({ code: 'record.not_found' })
      : isChangeable(caller, position)
        ? ok(position)
        : failed({ code: 'position.beyond_own' });
  return result;
}
