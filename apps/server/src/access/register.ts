import type { ApiError } from '@voltdeck/contract/errors';
import type { register as route } from '@voltdeck/contract/registration';
import type { BodyOf } from '@voltdeck/contract/route';
import type { CustomerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Tables } from '../database/tables.generated.ts';
import { type Trx, transact } from '../database/transact.ts';
import { hashPassword } from './password.ts';
import { passwordFault } from './password-rule.ts';
import { checkCode, useCode } from './registration-codes.ts';

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
  const codeId = await checkCode(db, { phone, code }, at);
  if (codeId === null) return failed({ code: 'sms.code_wrong' });
  const passwordHash = await hashPassword(password);
  return transact(db, async (trx) => {
    const isFirst = await useCode(trx, codeId, at);
    if (!isFirst) return failed({ code: 'sms.code_wrong' });
    const customerId = await customerOf(trx, phone, at);
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

/** The customer with that phone, or the one it was merged into; created where there is none. */
async function customerOf(trx: Trx, phone: string, at: Instant): Promise<CustomerId> {
  const { id } = await trx
    .insertInto('customers')
    .values({ phone, nickname: maskedPhone(phone), created_at: at })
    .onConflict((conflict) => conflict.column('phone').doUpdateSet({ phone }))
    .returning(sql<CustomerId>`coalesce(merged_into_id, id)`.as('id'))
    .executeTakeFirstOrThrow();
  return id;
}

/** "138****5678": the name until the person chooses one. */
function maskedPhone(phone: string): string {
  return `${phone.slice(0, 3)}****${phone.slice(-4)}`;
}
