import type { Advert } from '@voltdeck/contract/adverts';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AdvertId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { found } from '../../http/found.ts';
import { type AdvertForm, advertColumns, checkAdvert } from './check-advert.ts';
import { findAdvert } from './queries.ts';

/** Changes an advert; its sort and state stay where the form omits them. */
export async function changeAdvert(
  trx: Trx,
  caller: Caller,
  id: AdvertId,
  form: AdvertForm,
  at: Instant,
): Promise<Result<Advert, ApiError>> {
  const before = await findAdvert(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  const checked = await checkAdvert(trx, caller, form);
  if (!checked.ok) return checked;
  const whole = { ...form, sort: form.sort ?? before.sort, enabled: form.enabled ?? before.enabled };
  await trx
    .updateTable('adverts')
    .set({ ...advertColumns(whole), changed_at: at })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, { action: 'advert.change', recordKind: 'advert', recordId: id, before, after: whole });
  return found(await findAdvert(trx, caller, id));
}

export async function enableAdvert(
  trx: Trx,
  caller: Caller,
  id: AdvertId,
  enabled: boolean,
  at: Instant,
): Promise<Result<Advert, ApiError>> {
  const before = await findAdvert(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  await trx.updateTable('adverts').set({ enabled, changed_at: at }).where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'advert.change',
    recordKind: 'advert',
    recordId: id,
    before: { enabled: before.enabled },
    after: { enabled },
  });
  return found(await findAdvert(trx, caller, id));
}
