import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { Position } from '@voltdeck/contract/positions';
import type { AgentId, PositionId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { found } from '../../http/found.ts';
import { nameAfter } from '../../http/shown-name.ts';
import { checkPosition, type PositionForm } from './check-position.ts';
import { lockPosition } from './lock-position.ts';
import { findPosition } from './queries.ts';

/** Changes a position; call `forgetRights` of the sessions after the commit. */
export async function changePosition(
  trx: Trx,
  caller: Caller,
  id: PositionId,
  form: PositionForm,
  at: Instant,
): Promise<Result<Position, ApiError>> {
  const locked = await lockPosition(trx, caller, id);
  if (!locked.ok) return locked;
  const { nameKey, ...before } = locked.value;
  // An agent's people cannot assign the platform.
  const keepsAgent = form.agentId === undefined || (form.agentId === null && caller.agents !== 'all');
  const checked = await checkPosition(trx, caller, { ...form, agentId: keepsAgent ? before.agentId : form.agentId });
  if (!checked.ok) return checked;
  const name = nameAfter(caller.language, { name: before.name, key: nameKey }, form.name);
  const after = {
    name: name.name,
    description: form.description ?? before.description,
    dataScope: form.dataScope,
    ...checked.value,
  };
  const holders = await checkHolders(trx, id, after);
  if (!holders.ok) return holders;
  const taken = await trx
    .selectFrom('positions')
    .select('id')
    .where('name', '=', after.name)
    .where(sql<boolean>`agent_id is not distinct from ${after.agentId}`)
    .where('id', '!=', id)
    .executeTakeFirst();
  if (taken !== undefined) return failed({ code: 'position.name_taken', params: { name: form.name } });
  await trx
    .updateTable('positions')
    .set({
      name: after.name,
      name_key: name.key,
      description: after.description,
      data_scope: after.dataScope,
      menu_codes: after.menuCodes,
      agent_id: after.agentId,
    })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, { action: 'position.change', recordKind: 'position', recordId: id, before, after });
  return found(await findPosition(trx, caller, id));
}

/**
 * Users of the position must be able to keep it: an agent's serves its own tree, a platform-wide one no agent's staff, one
 * for dividers their accounts and no others.
 */
async function checkHolders(
  trx: Trx,
  id: PositionId,
  after: { dataScope: Position['dataScope']; agentId: AgentId | null },
): Promise<Result<null, ApiError>> {
  const faults: FieldFault[] = [];
  if (after.dataScope === 'platform') {
    const staff = await trx
      .selectFrom('users')
      .select('id')
      .where('position_id', '=', id)
      .where('agent_id', 'is not', null)
      .limit(1)
      .executeTakeFirst();
    if (staff !== undefined) faults.push({ path: 'dataScope', code: 'in_use' });
  }
  const astray = await trx
    .selectFrom('users')
    .select('id')
    .where('position_id', '=', id)
    .where('divider_id', after.dataScope === 'divider' ? 'is' : 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (astray !== undefined && faults.length === 0) faults.push({ path: 'dataScope', code: 'in_use' });
  if (after.agentId !== null) {
    const { rows } = await sql`
      with recursive tree as (
        select id, 0 as depth from agents where id = ${after.agentId}
        union all
        select agents.id, tree.depth + 1 from agents join tree on agents.parent_id = tree.id where tree.depth < 20
      )
      select 1 from users
       where position_id = ${id} and (agent_id is null or agent_id not in (select id from tree)) limit 1`.execute(trx);
    if (rows.length > 0) faults.push({ path: 'agentId', code: 'in_use' });
  }
  return faults.length === 0 ? ok(null) : failed({ code: 'request.invalid', fields: faults });
}
