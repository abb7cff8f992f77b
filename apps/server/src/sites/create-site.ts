import type { ApiError } from '@voltdeck/contract/errors';
import type { Site } from '@voltdeck/contract/sites';
import type { Instant } from '@voltdeck/units/instant';
import type { Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { checkSite, type SiteForm, writePictures } from './check-site.ts';
import { findSite } from './queries.ts';
import { siteColumns } from './site-columns.ts';

export async function createSite(
  trx: Trx,
  caller: Caller,
  form: SiteForm,
  at: Instant,
): Promise<Result<Site, ApiError>> {
  const checked = await checkSite(trx, caller, form, null);
  if (!checked.ok) return checked;
  const { id } = await trx
    .insertInto('sites')
    .values({
      ...siteColumns(form, null),
      agent_id: checked.value.agentId,
      created_by: caller.userId,
      created_at: at,
      changed_by: caller.userId,
      changed_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await writePictures(trx, id, checked.value);
  await audit(trx, caller, at, { action: 'site.create', recordKind: 'site', recordId: id, after: form });
  return found(await findSite(trx, caller, id));
}
