import type { createAdvert } from '@voltdeck/contract/adverts';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';

export type AdvertForm = BodyOf<typeof createAdvert>;

/** The picture must have been uploaded for an advert; it is locked against deletion until the commit. */
export async function checkAdvert(trx: Trx, caller: Caller, form: AdvertForm): Promise<Result<null, ApiError>> {
  const picture = await scoped(trx.selectFrom('files'), caller, 'files.agent_id')
    .select('files.id')
    .where('files.id', '=', form.pictureFileId)
    .where('files.purpose', '=', 'advert')
    .forKeyShare()
    .executeTakeFirst();
  if (picture !== undefined) return ok(null);
  return failed({ code: 'request.invalid', fields: [{ path: 'pictureFileId', code: 'unknown_reference' }] });
}

/** The form's fields as the table has them. */
export function advertColumns(form: AdvertForm) {
  return {
    title: form.title,
    picture_file_id: form.pictureFileId,
    page: form.page,
    link: form.link ?? '',
    sort: form.sort ?? 0,
    enabled: form.enabled ?? true,
  };
}
