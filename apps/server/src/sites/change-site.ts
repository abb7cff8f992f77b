import type { ApiError } from '@voltdeck/contract/errors';
import type { Site } from '@voltdeck/contract/sites';
import type { SiteId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { checkSite, type SiteForm } from './check-site.ts';
import { siteColumns } from './create-site.ts';
import { findSite } from './queries.ts';

/** Changes a site. Its stations follow it to another agent; orders keep the agent they were placed with. */
export async function changeSite(
  trx: Trx,
  caller: Caller,
  id: SiteId,
  form: SiteForm,
  at: Instant,
): Promise<Result<Site, ApiError>> {
  const before = await findSite(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  const checked = await checkSite(trx, caller, form);
  if (!checked.ok) return checked;
  const { agentId } = checked.value;
  await trx
    .updateTable('sites')
    .set({ ...siteColumns(form), agent_id: agentId })
    .where('id', '=', id)
    .execute();
  if (agentId !== before.agentId) {
    await trx.updateTable('stations').set({ agent_id: agentId }).where('site_id', '=', id).execute();
  }
  await audit(trx, caller, at, { action: 'site.change', recordKind: 'site', recordId: id, before, after: form });
  return found(await findSite(trx, caller, id));
}
