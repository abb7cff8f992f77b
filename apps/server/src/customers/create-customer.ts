import type { Customer, createCustomer as route } from '@voltdeck/contract/customers';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { toIso } from '@voltdeck/units/instant';
import { zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';

export async function createCustomer(
  trx: Trx,
  caller: Caller,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Customer, ApiError>> {
  const created = await trx
    .insertInto('customers')
    .values({ phone: form.phone, nickname: form.nickname, created_at: at })
    .onConflict((conflict) => conflict.column('phone').doNothing())
    .returning(['id', 'phone', 'nickname', 'state'])
    .executeTakeFirst();
  if (created === undefined) return failed({ code: 'customer.phone_taken', params: { phone: form.phone } });
  await audit(trx, caller, at, {
    action: 'customer.create',
    recordKind: 'customer',
    recordId: created.id,
    after: form,
  });
  // Not read back: an agent sees a customer only once the customer holds one of its cards.
  return ok({ ...created, balanceFen: zeroFen, heldFen: zeroFen, createdAt: toIso(at) });
}
