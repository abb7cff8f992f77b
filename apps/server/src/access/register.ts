import type { ApiError } from '@voltdeck/contract/errors';
import type { register as route } from '@voltdeck/contract/registration';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Tables } from '../database/tables.generated.ts';
import { transact } from '../database/transact.ts';
import { customerOfPhone, maskedPhone } from './customer-of-phone.ts';
import { hashPassword } from './password.ts';
import { passwordFault } from './password-rule.ts';
import { checkCode, useCode } from './sms-codes.ts';

/**
 * Creates a user for a phone that its code proved, and links or creates the customer with that phone. Without the right
 * code nothing is revealed about the phone.
 */
export async function register(
  db: Kysely<Tables>,
  { phone, code, password, confirmPassword }: BodyOf<typeof route>,
  remoteAddress: string,
  at: Instant,
): Promise<Result<null, ApiError>> {
  if (password !== confirmPassword) {
    return failed({ code: 'request.invalid', fields: [{ path: 'confirmPassword', code: 'passwords_differ' }] });
  }
  const fault = passwordFault(password, { userName: phone, phone });
  if (fault !== null) return failed({ code: fault });
  const codeId = await checkCode(db, { purpose: 'register', phone, code, remoteAddress }, at);
  if (codeId === null) return failed({ code: 'sms.code_wrong' });
  const passwordHash = await hashPassword(password);
  return transact(db, async (trx) => {
    const isFirst = await useCode(trx, codeId, at);
    if (!isFirst) return failed({ code: 'sms.code_wrong' });
    const { id: customerId, state } = await customerOfPhone(trx, phone, at);
    if (state === 'merged') return failed({ code: 'customer.phone_merged' });
    const user = await trx
      .insertInto('users')
      .values({
        user_name: phone,
        phone,
        real_name: maskedPhone(phone),
        kind: 'registered',
        customer_id: customerId,
        password_hash: passwordHash,
        password_changed_at: at,
        created_at: at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (user === undefined) return failed({ code: 'register.phone_taken' });
    await audit(trx, { userId: user.id, remoteAddress }, at, {
      action: 'user.register',
      recordKind: 'user',
      recordId: user.id,
      after: { userName: phone, customerId },
    });
    return ok(null);
  });
}
