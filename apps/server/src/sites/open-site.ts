import type { ApiError } from '@voltdeck/contract/errors';
import { lackedForOpening } from '@voltdeck/contract/site-opening';
import type { Site } from '@voltdeck/contract/sites';
import type { SiteId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { say } from '../http/say.ts';
import { findSite } from './queries.ts';

/** Opens a site to interconnected operators once it has all that the standard demands of it, or withdraws it. */
export async function openSite(
  trx: Trx,
  caller: Caller,
  id: SiteId,
  opened: boolean,
  at: Instant,
): Promise<Result<Site, ApiError>> {
  await trx.selectFrom('sites').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  const before = await findSite(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  if (before.opened === opened) return ok(before);
  const lacked = opened ? lackedForOpening(before) : [];
  if (lacked.length > 0) {
    const { language } = caller;
    const names = lacked.map((one) => say(language, `sites.lacks.${one}`)).join(say(language, 'list.comma'));
    return failed({ code: 'site.opening_failed', params: { lacked: names } });
  }
  await trx
    .updateTable('sites')
    .set({ opened_at: opened ? at : null, version: before.version + 1, changed_by: caller.userId, changed_at: at })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    action: opened ? 'site.open' : 'site.withdraw',
    recordKind: 'site',
    recordId: id,
    before: { opened: before.opened },
    after: { opened },
  });
  return found(await findSite(trx, caller, id));
}
