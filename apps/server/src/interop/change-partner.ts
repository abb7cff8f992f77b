import { openRoamingStates } from '@voltdeck/charging/roaming-charge';
import { liveOrderStates } from '@voltdeck/charging/states';
import type { ApiError } from '@voltdeck/contract/errors';
import type { PartnerDetail, changePartner as route } from '@voltdeck/contract/partners';
import type { BodyOf } from '@voltdeck/contract/route';
import type { PartnerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { checkPartner } from './check-partner.ts';
import { isDemandSide, isStationSide } from './partner.ts';
import { findPartnerDetail } from './queries.ts';

/** Changes a partner and how it is connected; what the form leaves out stays. */
export async function changePartner(
  trx: Trx,
  secrets: SecretBox,
  caller: Caller,
  id: PartnerId,
  { version, ...form }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<PartnerDetail, ApiError>> {
  const before = await lockPartner(trx, secrets, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  if (version !== undefined && version !== before.version) return failed({ code: 'record.changed' });
  const checked = await checkPartner(trx, form, before);
  if (!checked.ok) return checked;
  const isRenamed = form.operatorId !== undefined && form.operatorId !== before.operatorId;
  // Its orders and what it was told name it by the code.
  if (isRenamed && (await hasCharges(trx, id))) return failed({ code: 'partner.code_in_use' });
  if (form.role !== undefined && (await hasOpenCharges(trx, id, form.role)))
    return failed({ code: 'partner.role_in_use' });
  await trx
    .updateTable('partners')
    .set({ ...checked.value, version: before.version + 1, changed_at: at })
    .where('id', '=', id)
    .execute();
  // A token belongs to the address and the code that it was asked with.
  if (isRenamed || (form.baseUrl !== undefined && form.baseUrl !== before.baseUrl)) await forgetLogin(trx, id);
  await audit(trx, caller, at, { action: 'partner.change', recordKind: 'partner', recordId: id, before, after: form });
  return found(await findPartnerDetail({ db: trx, secrets }, caller, id));
}

/** Lets a partner call us and be told, or stops both. Charges that run go on, and their orders are told once it is back. */
export async function enablePartner(
  trx: Trx,
  secrets: SecretBox,
  caller: Caller,
  id: PartnerId,
  enabled: boolean,
  at: Instant,
): Promise<Result<PartnerDetail, ApiError>> {
  const before = await lockPartner(trx, secrets, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  if (before.enabled === enabled) return ok(before);
  await trx
    .updateTable('partners')
    .set({ enabled, version: before.version + 1, changed_at: at })
    .where('id', '=', id)
    .execute();
  // What it was let in with ends at once.
  if (!enabled) await trx.deleteFrom('partner_tokens').where('partner_id', '=', id).execute();
  await audit(trx, caller, at, {
    action: enabled ? 'partner.enable' : 'partner.disable',
    recordKind: 'partner',
    recordId: id,
    before: { enabled: before.enabled },
    after: { enabled },
  });
  return found(await findPartnerDetail({ db: trx, secrets }, caller, id));
}

/** Deletes a partner that nothing refers to, with its keys, its sites and what it was still to be told. */
export async function deletePartner(
  trx: Trx,
  secrets: SecretBox,
  caller: Caller,
  id: PartnerId,
  at: Instant,
): Promise<Result<null, ApiError>> {
  const before = await lockPartner(trx, secrets, caller, id, { toDelete: true });
  if (before === null) return failed({ code: 'record.not_found' });
  const { rows } = await sql`
    select 1 where exists (select 1 from partner_charges where partner_id = ${id})
                or exists (select 1 from roaming_charges where partner_id = ${id})
                or exists (select 1 from partner_payments where partner_id = ${id})
                or exists (select 1 from recharges where partner_id = ${id})
                or exists (select 1 from movements where partner_id = ${id})
                or exists (select 1 from orders where partner_id = ${id})`.execute(trx);
  if (rows.length > 0) return failed({ code: 'partner.in_use' });
  await trx.deleteFrom('partners').where('id', '=', id).execute();
  await audit(trx, caller, at, { action: 'partner.delete', recordKind: 'partner', recordId: id, before });
  return ok(null);
}

/** A partner locked for a change; null for everybody but the platform's own people. */
export async function lockPartner(
  trx: Trx,
  secrets: SecretBox,
  caller: Caller,
  id: PartnerId,
  { toDelete = false }: { toDelete?: boolean } = {},
): Promise<PartnerDetail | null> {
  const row = trx.selectFrom('partners').select('id').where('id', '=', id);
  // Deleting waits for whoever writes a record of the partner; changing it does not.
  await (toDelete ? row.forUpdate() : row.forNoKeyUpdate()).execute();
  return findPartnerDetail({ db: trx, secrets }, caller, id);
}

/** The next call to it asks for a token again. */
export async function forgetLogin(trx: Trx, id: PartnerId): Promise<void> {
  await trx.deleteFrom('partner_logins').where('partner_id', '=', id).execute();
}

async function hasCharges(trx: Trx, id: PartnerId): Promise<boolean> {
  const { rows } = await sql`
    select 1 where exists (select 1 from partner_charges where partner_id = ${id})
                or exists (select 1 from roaming_charges where partner_id = ${id})`.execute(trx);
  return rows.length > 0;
}

/** Whether charges are open that a partner of this role could say nothing more of. */
async function hasOpenCharges(trx: Trx, id: PartnerId, role: PartnerDetail['role']): Promise<boolean> {
  const { rows } = await sql`
    select 1 where (not ${isStationSide({ role })} and exists (
                     select 1 from roaming_charges
                      where partner_id = ${id} and state = any(${[...openRoamingStates]}::text[])))
                or (not ${isDemandSide({ role })} and exists (
                     select 1 from orders
                      where partner_id = ${id} and state = any(${[...liveOrderStates]}::text[])))`.execute(trx);
  return rows.length > 0;
}
