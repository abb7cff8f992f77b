import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { changePartner } from '@voltdeck/contract/partners';
import type { BodyOf } from '@voltdeck/contract/route';
import { isInterfaceName } from '@voltdeck/tcec102/messages/all';
import { readProfile } from '@voltdeck/tcec102/profile';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Trx } from '../database/transact.ts';
import { isAddressRange } from '../limits/address-ranges.ts';
import { lockVersionsInForce } from '../tariffs/rules-of-station.ts';
import { readOwnCode } from './own-code.ts';

export type PartnerForm = Omit<BodyOf<typeof changePartner>, 'version'>;

/** What a form says beyond the shape of its fields, and the columns that it sets: what it leaves out stays. */
export async function checkPartner(
  trx: Trx,
  form: PartnerForm,
  before: { id: number; profile: object } | null,
): Promise<Result<ReturnType<typeof columnsOf>, ApiError>> {
  const faults = [...addressFaults(form), ...interfaceFaults(form), ...(await tariffFaults(trx, form))];
  if (faults.length > 0) return failed({ code: 'request.invalid', fields: faults });
  if (form.operatorId !== undefined) {
    if (form.operatorId === (await readOwnCode(trx))) return failed({ code: 'partner.own_code' });
    const other = await trx
      .selectFrom('partners')
      .select('id')
      .where('operator_id', '=', form.operatorId)
      .executeTakeFirst();
    if (other !== undefined && other.id !== before?.id) return failed({ code: 'partner.code_taken' });
  }
  const profile = form.profile === undefined ? undefined : readProfile({ ...before?.profile, ...form.profile });
  if (profile?.ok === false) throw new Error(`the contract allowed ${profile.error.field} of a profile`);
  return ok(columnsOf({ ...form, profile: profile?.value }));
}

function addressFaults({ allowedAddresses = [] }: PartnerForm): FieldFault[] {
  return allowedAddresses.flatMap((text, index): FieldFault[] =>
    isAddressRange(text) ? [] : [{ path: `allowedAddresses.${index}`, code: 'address_range' }],
  );
}

function interfaceFaults({ interfaceUrls = {} }: PartnerForm): FieldFault[] {
  return Object.keys(interfaceUrls).flatMap((name): FieldFault[] =>
    isInterfaceName(name) ? [] : [{ path: `interfaceUrls.${name}`, code: 'unknown_field' }],
  );
}

async function tariffFaults(trx: Trx, { tariffId = null }: PartnerForm): Promise<FieldFault[]> {
  if (tariffId === null) return [];
  const usable = await lockVersionsInForce(trx, [tariffId]);
  return usable.has(tariffId) ? [] : [{ path: 'tariffId', code: 'unknown_reference' }];
}

function columnsOf(form: Omit<PartnerForm, 'profile'> & { profile: object | undefined }) {
  const json = (value: object | undefined) => (value === undefined ? undefined : JSON.stringify(value));
  return {
    operator_id: form.operatorId,
    name: form.name,
    role: form.role,
    environment: form.environment,
    credit_code: form.creditCode,
    platform_name: form.platformName,
    docking_code: form.dockingCode,
    contact: form.contact,
    contact_phone: form.contactPhone,
    service_phone: form.servicePhone,
    second_service_phone: form.secondServicePhone,
    address: form.address,
    remark: form.remark,
    base_url: form.baseUrl,
    interface_urls: json(form.interfaceUrls),
    allowed_addresses: form.allowedAddresses,
    profile: json(form.profile),
    pushing: form.pushing,
    pushes: form.pushes === undefined ? undefined : [...new Set(form.pushes)],
    pulling: form.pulling,
    rate_per_second: form.ratePerSecond,
    tariff_id: form.tariffId,
    start_balance_min_fen: form.startBalanceMinFen,
  };
}
