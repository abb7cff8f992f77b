import type { ApiError } from '@voltdeck/contract/errors';
import type { Site } from '@voltdeck/contract/sites';
import type { Instant } from '@voltdeck/units/instant';
import type { Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { checkSite, type SiteForm } from './check-site.ts';
import { findSite } from './queries.ts';

export async function createSite(
  trx: Trx,
  caller: Caller,
  form: SiteForm,
  at: Instant,
): Promise<Result<Site, ApiError>> {
  const checked = await checkSite(trx, caller, form);
  if (!checked.ok) return checked;
  const { id } = await trx
    .insertInto('sites')
    .values({ ...siteColumns(form), agent_id: checked.value.agentId, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(trx, caller, at, { action: 'site.create', recordKind: 'site', recordId: id, after: form });
  return found(await findSite(trx, caller, id));
}

/** The form's fields as the table has them. */
export function siteColumns(form: SiteForm) {
  return {
    name: form.name,
    region_code: form.regionCode,
    address: form.address,
    longitude: form.longitude,
    latitude: form.latitude,
    parking_fee: form.parkingFee,
    parking_info: form.parkingInfo ?? '',
    invoice_available: form.invoiceAvailable,
    facilities: [...new Set(form.facilities ?? [])],
    opening_hours: form.openingHours ?? '',
    service_phone: form.servicePhone ?? '',
  };
}
