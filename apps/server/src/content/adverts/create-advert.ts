import type { Advert } from '@voltdeck/contract/adverts';
import type { ApiError } from '@voltdeck/contract/errors';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { found } from '../../http/found.ts';
import { type AdvertForm, advertColumns, checkAdvert } from './check-advert.ts';
import { findAdvert } from './queries.ts';

export async function createAdvert(
  trx: Trx,
  caller: Caller,
  form: AdvertForm,
  at: Instant,
): Promise<Result<Advert, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  const checked = await checkAdvert(trx, caller, form);
  if (!checked.ok) return checked;
  const { id } = await trx
    .insertInto('adverts')
    .values({ ...advertColumns(form), created_at: at, changed_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(trx, caller, at, { action: 'advert.create', recordKind: 'advert', recordId: id, after: form });
  return found(await findAdvert(trx, caller, id));
}
