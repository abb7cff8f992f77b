import type { ApiError } from '@voltdeck/contract/errors';
import type { Group, changeGroup as route } from '@voltdeck/contract/groups';
import type { BodyOf } from '@voltdeck/contract/route';
import type { GroupId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { formatYuan } from '@voltdeck/units/money';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { columnsOfForm, sitesOfForm, writeSites } from './group-columns.ts';
import { lockGroup } from './lock-group.ts';
import { findGroup } from './queries.ts';

/**
 * Changes a group; what is left out stays. Charges that run keep what held when they began. Members share the balance
 * again only once nothing is left in their pots, which nobody could spend then.
 */
export async function changeGroup(
  trx: Trx,
  caller: Caller,
  id: GroupId,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Group, ApiError>> {
  const locked = await lockGroup(trx, caller, id, 'update');
  if (!locked.ok) return locked;
  const before = await findGroup(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  const sites = await sitesOfForm(trx, caller, form);
  if (!sites.ok) return sites;
  if (form.funding === 'shared' && before.funding === 'allocated' && before.potsFen > 0) {
    return failed({ code: 'group.has_pots', params: { amount: formatYuan(before.potsFen) } });
  }
  const set = columnsOfForm(form);
  if (Object.keys(set).length > 0) await trx.updateTable('groups').set(set).where('id', '=', id).execute();
  await writeSites(trx, id, sites.value);
  const after = await findGroup(trx, caller, id);
  await audit(trx, caller, at, {
    action: 'group.change',
    recordKind: 'group',
    recordId: id,
    before: changedIn(before, form),
    after: form,
  });
  return found(after);
}

/** What the fields of a form were before. */
function changedIn(before: Group, form: BodyOf<typeof route>) {
  const was: Record<string, unknown> = { ...before, siteIds: before.sites.map(({ id }) => id) };
  return Object.fromEntries(Object.keys(form).map((field) => [field, was[field]]));
}
