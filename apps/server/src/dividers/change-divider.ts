import type { Divider, changeDivider as route } from '@voltdeck/contract/dividers';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { DividerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Result } from '@voltdeck/units/result';
import { changeUser } from '../access/users/change-user.ts';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { noteAccountChange, type Payout } from '../ledger/payout-account.ts';
import { checkPayout } from './check-payout.ts';
import { accountOf, lockDivider } from './lock-divider.ts';
import { findDivider } from './queries.ts';

/** Changes a divider; omitted fields stay. Its account has the same name and phone. */
export async function changeDivider(
  trx: Trx,
  caller: Caller,
  id: DividerId,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Divider, ApiError>> {
  const locked = await lockDivider(trx, caller, id);
  if (!locked.ok) return locked;
  const before = locked.value;
  const after = {
    name: form.name ?? before.name,
    phone: form.phone === undefined ? before.phone : form.phone,
    enteredOn: form.enteredOn ?? before.enteredOn,
    remark: form.remark ?? before.remark,
  };
  const payout = checkPayout(caller, form, before);
  if (!payout.ok) return payout;
  const account = await accountOf(trx, id);
  if (account !== null && (after.phone !== before.phone || after.name !== before.name)) {
    const { positionId } = account;
    const named = { realName: after.name.slice(0, 32), phone: after.phone, positionId, agentId: before.agentId };
    const changed = await changeUser(trx, caller, account.id, named, at);
    if (!changed.ok) return changed;
  }
  await trx
    .updateTable('dividers')
    .set({ name: after.name, phone: after.phone, entered_on: after.enteredOn, remark: after.remark, ...payout.value })
    .where('id', '=', id)
    .execute();
  await noteAccountChange(trx, { kind: 'divider', id }, { before, after: payout.value }, caller.userId, at);
  await audit(trx, caller, at, {
    action: 'divider.change',
    recordKind: 'divider',
    recordId: id,
    before: shownOf(before),
    after: shownOf({ ...after, ...payout.value }),
  });
  return found(await findDivider(trx, caller, id, at));
}

type Changeable = { name: string; phone: string | null; enteredOn: string; remark: string } & Payout;

/** As the audit log has it; a number of an account is masked there by its name. */
function shownOf({ name, phone, enteredOn, remark, ...payout }: Changeable) {
  return {
    name,
    phone,
    enteredOn,
    remark,
    payoutKind: payout.payout_kind,
    payoutHolder: payout.payout_holder,
    payoutBank: payout.payout_bank,
    payoutBranch: payout.payout_branch,
    payoutBankCode: payout.payout_bank_code,
    payoutNumber: payout.payout_number,
  };
}
