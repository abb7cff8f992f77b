import type { ApiError } from '@voltdeck/contract/errors';
import type { Position } from '@voltdeck/contract/positions';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { found } from '../../http/found.ts';
import { checkPosition, type PositionForm } from './check-position.ts';
import { findPosition } from './queries.ts';

export async function createPosition(
  trx: Trx,
  caller: Caller,
  form: PositionForm,
  at: Instant,
): Promise<Result<Position, ApiError>> {
  const checked = await checkPosition(trx, caller, form);
  if (!checked.ok) return checked;
  const after = {
    name: form.name,
    description: form.description ?? '',
    dataScope: form.dataScope,
    ...checked.value,
  };
  const created = await trx
    .insertInto('positions')
    .values({
      name: after.name,
      description: after.description,
      data_scope: after.dataScope,
      menu_codes: after.menuCodes,
      agent_id: after.agentId,
      created_at: at,
    })
    .onConflict((conflict) => conflict.constraint('positions_name').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (created === undefined) return failed({ code: 'position.name_taken', params: { name: form.name } });
  await audit(trx, caller, at, { action: 'position.create', recordKind: 'position', recordId: created.id, after });
  return found(await findPosition(trx, caller, created.id));
}
