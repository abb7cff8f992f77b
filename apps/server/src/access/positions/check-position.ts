import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import { dataScopes } from '@voltdeck/contract/permissions';
import type { createPosition } from '@voltdeck/contract/positions';
import type { BodyOf } from '@voltdeck/contract/route';
import type { AgentId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../../caller/caller.ts';
import { lockAgent } from '../../caller/lock-agent.ts';
import { agentOfNewRecord } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import { isWithinOwn } from '../own-rights.ts';

export type PositionForm = BodyOf<typeof createPosition>;
export type CheckedPosition = { menuCodes: string[]; agentId: AgentId | null };

/**
 * Checks what a form cannot: that menus and agent exist, and that the caller has everything it would grant. Groups are
 * dropped from the codes, since they are included automatically.
 */
export async function checkPosition(
  trx: Trx,
  caller: Caller,
  form: PositionForm,
): Promise<Result<CheckedPosition, ApiError>> {
  const fields: FieldFault[] = [];
  const agentId = agentOfNewRecord(caller, form.agentId ?? undefined);
  if (agentId === undefined) return failed({ code: 'access.denied' });
  if (agentId !== null) {
    if (!(await lockAgent(trx, caller, agentId))) fields.push({ path: 'agentId', code: 'unknown_reference' });
    // An agent's people never see beyond their agent, whoever created the position.
    if (form.dataScope === 'platform') {
      fields.push({ path: 'dataScope', code: 'not_choice', params: { choices: dataScopes.slice(1).join(', ') } });
    }
  }
  const asked = new Set(form.menuCodes);
  const known = await trx
    .selectFrom('menus')
    .select(['code', 'kind', 'frontend_url'])
    .where('code', 'in', ['', ...asked])
    .orderBy('code')
    .execute();
  if (known.length < asked.size) fields.push({ path: 'menuCodes', code: 'unknown_reference' });
  if (fields.length > 0) return failed({ code: 'request.invalid', fields });
  const menuCodes = known
    .filter(({ kind, frontend_url }) => kind === 'button' || frontend_url !== null)
    .map(({ code }) => code);
  if (!isWithinOwn(caller, { menuCodes, dataScope: form.dataScope })) return failed({ code: 'position.beyond_own' });
  return ok({ menuCodes, agentId });
}
