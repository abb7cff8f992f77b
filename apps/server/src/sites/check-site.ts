import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { createSite } from '@voltdeck/contract/sites';
import type { AgentId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import { agentOfNewRecord } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { isRegionCode } from './region-code.ts';

export type SiteForm = BodyOf<typeof createSite>;

/** Checks what a form cannot: that the region exists, and that the caller may use the agent. */
export async function checkSite(
  trx: Trx,
  caller: Caller,
  form: SiteForm,
): Promise<Result<{ agentId: AgentId | null }, ApiError>> {
  const fields: FieldFault[] = [];
  if (!isRegionCode(form.regionCode)) fields.push({ path: 'regionCode', code: 'not_region' });
  const agentId = agentOfNewRecord(caller, form.agentId);
  if (agentId === undefined) return failed({ code: 'access.denied' });
  if (agentId !== null) {
    const agent = await trx.selectFrom('agents').select('id').where('id', '=', agentId).executeTakeFirst();
    if (agent === undefined) fields.push({ path: 'agentId', code: 'unknown_reference' });
  }
  return fields.length > 0 ? failed({ code: 'request.invalid', fields }) : ok({ agentId });
}
