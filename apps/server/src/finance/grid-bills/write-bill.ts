import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { changeGridBill, GridBill, GridBillForm, lockGridBill } from '@voltdeck/contract/grid-bills';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Id, SiteId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import { found } from '../../http/found.ts';
import { faultsOfBill, findOverlap, holdingOf, isUsableFile, lockSiteBills, overlapFault } from './check-bill.ts';
import { findBill } from './queries.ts';

type BillId = Id<'grid_bill'>;

/** Enters a bill; refused where the same account is billed for one of its days already. */
export async function createBill(
  trx: Trx,
  caller: Caller,
  form: GridBillForm,
  at: Instant,
): Promise<Result<GridBill, ApiError>> {
  await lockSiteBills(trx, [form.siteId]);
  const fields = await faultsIn(trx, caller, form, null, at);
  if (fields.length > 0) return failed({ code: 'request.invalid', fields });
  const { id } = await trx
    .insertInto('grid_bills')
    .values({
      ...columnsOf(form),
      created_by: caller.userId,
      created_at: at,
      changed_by: caller.userId,
      changed_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(trx, caller, at, { action: 'grid_bill.create', recordKind: 'grid_bill', recordId: id, after: form });
  return found(await findBill(trx, caller, id));
}

export async function changeBill(
  trx: Trx,
  caller: Caller,
  id: BillId,
  { version, ...form }: BodyOf<typeof changeGridBill>,
  at: Instant,
): Promise<Result<GridBill, ApiError>> {
  const before = await lockBill(trx, caller, id, [form.siteId]);
  if (!before.ok) return before;
  if (version !== before.value.version) return failed({ code: 'record.changed' });
  const fields = await faultsIn(trx, caller, form, before.value, at);
  if (fields.length > 0) return failed({ code: 'request.invalid', fields });
  await trx
    .updateTable('grid_bills')
    .set({ ...columnsOf(form), version: version + 1, changed_by: caller.userId, changed_at: at })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    action: 'grid_bill.change',
    recordKind: 'grid_bill',
    recordId: id,
    before: before.value,
    after: form,
  });
  return found(await findBill(trx, caller, id));
}

export async function deleteBill(trx: Trx, caller: Caller, id: BillId, at: Instant): Promise<Result<null, ApiError>> {
  const before = await lockBill(trx, caller, id, []);
  if (!before.ok) return before;
  await trx.deleteFrom('grid_bills').where('id', '=', id).execute();
  const entry = { action: 'grid_bill.delete', recordKind: 'grid_bill', recordId: id, before: before.value };
  await audit(trx, caller, at, entry);
  return ok(null);
}

/**
 * Locks a bill, or unlocks it with a reason; nothing happens to one that is so already. What the platform locked, also
 * over the lock of an agent, only the platform unlocks.
 */
export async function lockOrUnlock(
  trx: Trx,
  caller: Caller,
  id: BillId,
  { locked, reason = '' }: BodyOf<typeof lockGridBill>,
  at: Instant,
): Promise<Result<GridBill, ApiError>> {
  const row = await scopedBill(trx, caller, id).forUpdate('b').executeTakeFirst();
  if (row === undefined) return failed({ code: 'record.not_found' });
  if (!locked && reason === '') return failed({ code: 'grid_bill.unlock_reason_required' });
  const isPlatform = caller.agents === 'all';
  if (!locked && row.locked_by_platform && !isPlatform) return failed({ code: 'grid_bill.locked_by_platform' });
  const isStronger = locked && isPlatform && !row.locked_by_platform;
  if (locked !== (row.locked_at !== null) || isStronger) {
    await trx
      .updateTable('grid_bills')
      .set(
        locked
          ? { locked_at: at, locked_by: caller.userId, locked_by_platform: isPlatform }
          : { locked_at: null, locked_by: null, locked_by_platform: false },
      )
      .where('id', '=', id)
      .execute();
    const action = locked ? 'grid_bill.lock' : 'grid_bill.unlock';
    await audit(trx, caller, at, {
      action,
      recordKind: 'grid_bill',
      recordId: id,
      ...(reason === '' ? {} : { after: { reason } }),
    });
  }
  return found(await findBill(trx, caller, id));
}

function scopedBill(trx: Trx, caller: Caller, id: BillId) {
  return scoped(trx.selectFrom('grid_bills as b'), caller, 'b.agent_id')
    .select(['b.site_id', 'b.locked_at', 'b.locked_by_platform'])
    .where('b.id', '=', id);
}

/** A bill that may be changed, with the bills of its site, and of the sites that it may move to, locked. */
async function lockBill(
  trx: Trx,
  caller: Caller,
  id: BillId,
  others: readonly SiteId[],
): Promise<Result<GridBill, ApiError>> {
  const seen = await scopedBill(trx, caller, id).executeTakeFirst();
  if (seen === undefined) return failed({ code: 'record.not_found' });
  await lockSiteBills(trx, [seen.site_id, ...others]);
  const row = await scopedBill(trx, caller, id).forUpdate('b').executeTakeFirst();
  if (row === undefined) return failed({ code: 'record.not_found' });
  if (row.locked_at !== null) return failed({ code: 'grid_bill.locked' });
  return found(await findBill(trx, caller, id));
}

async function faultsIn(
  trx: Trx,
  caller: Caller,
  form: GridBillForm,
  before: GridBill | null,
  at: Instant,
): Promise<FieldFault[]> {
  const faults = faultsOfBill(form, at);
  const site = await scoped(trx.selectFrom('sites'), caller, 'sites.agent_id')
    .select('id')
    .where('id', '=', form.siteId)
    .executeTakeFirst();
  if (site === undefined) return [...faults, { path: 'siteId', code: 'unknown_reference' }];
  const isHeld = await holdingOf(trx, caller, [form.siteId]);
  if (!isHeld(form.siteId, form.toOn)) faults.push({ path: 'toOn', code: 'site_of_others' });
  const other = await findOverlap(trx, form.siteId, form, before?.id ?? null);
  if (other !== null) faults.push(overlapFault(form, other));
  if (!(await isUsableFile(trx, caller, form.fileId, before?.fileId ?? null))) {
    faults.push({ path: 'fileId', code: 'unknown_reference' });
  }
  return faults;
}

export function columnsOf(form: GridBillForm) {
  return {
    site_id: form.siteId,
    account_number: form.accountNumber,
    from_on: form.fromOn,
    to_on: form.toOn,
    sharp_wh: form.sharpWh ?? null,
    peak_wh: form.peakWh ?? null,
    flat_wh: form.flatWh ?? null,
    valley_wh: form.valleyWh ?? null,
    sharp_price_e5: form.sharpPriceE5 ?? null,
    peak_price_e5: form.peakPriceE5 ?? null,
    flat_price_e5: form.flatPriceE5 ?? null,
    valley_price_e5: form.valleyPriceE5 ?? null,
    energy_wh: form.energyWh,
    register_from_wh: form.registerFromWh ?? null,
    register_to_wh: form.registerToWh ?? null,
    multiplier: form.multiplier,
    amount_fen: form.amountFen,
    remark: form.remark,
    file_id: form.fileId ?? null,
  };
}
