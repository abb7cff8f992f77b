import type { Customer, createCustomer as route } from '@voltdeck/contract/customers';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { toIso } from '@voltdeck/units/instant';
import { zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { readParameter } from '../database/parameter.ts';
import type { Trx } from '../database/transact.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { debtLimit } from '../ledger/debt.ts';

const emptyWallet = {
  balanceFen: zeroFen,
  paidFen: zeroFen,
  giftFen: zeroFen,
  heldFen: zeroFen,
  frozenFen: zeroFen,
  owedFen: zeroFen,
  cardBalanceFen: zeroFen,
  totalFen: zeroFen,
  stateReason: '',
  mergedIntoId: null,
};

/**
 * Taken phones a day that one user outside the platform may learn of: enough for mistakes, too few to search a list.
 */
export const takenPhonesPerDayMax = 20;

/**
 * Adds a registered user. A phone belongs to one person on the whole platform, so an agent learns that it is taken even
 * though it may not see the person; `takenPhones` counts how often.
 */
export async function createCustomer(
  trx: Trx,
  takenPhones: RateLimit,
  caller: Caller,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Customer, ApiError>> {
  const asker = caller.agents === 'all' ? null : String(caller.userId);
  const secondsLeft = asker === null ? 0 : takenPhones.secondsLeft(asker, at);
  if (secondsLeft > 0) return failed({ code: 'request.too_many', params: { seconds: secondsLeft } });
  const created = await trx
    .insertInto('customers')
    .values({ phone: form.phone, nickname: form.nickname, created_at: at })
    .onConflict((conflict) => conflict.column('phone').doNothing())
    .returning(['id', 'phone', 'nickname', 'state'])
    .executeTakeFirst();
  if (created === undefined) {
    if (asker !== null) takenPhones.secondsToWait(asker, at);
    return failed({ code: 'customer.phone_taken', params: { phone: form.phone } });
  }
  await audit(trx, caller, at, {
    action: 'customer.create',
    recordKind: 'customer',
    recordId: created.id,
    after: form,
  });
  // Not read back, because an agent sees a customer only once the customer holds one of its cards.
  return ok({ ...created, ...emptyWallet, debtLimitFen: await readParameter(trx, debtLimit), createdAt: toIso(at) });
}
