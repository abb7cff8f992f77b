import type { ApiError } from '@voltdeck/contract/errors';
import type { openOwnSession as route } from '@voltdeck/contract/own';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import { customerOfPhone } from '../access/customer-of-phone.ts';
import { checkCode, useCode } from '../access/sms-codes.ts';
import { audit } from '../caller/audit.ts';
import type { CustomerSessions } from '../caller/customer-sessions.ts';
import type { Tables } from '../database/tables.generated.ts';
import { transact } from '../database/transact.ts';
import type { Origin } from '../http/bind.ts';

/**
 * Opens a session for whoever reads the messages of a phone; a phone that nobody has becomes a customer. Without the
 * right code nothing is revealed about the phone.
 */
export async function signIn(
  db: Kysely<Tables>,
  sessions: CustomerSessions,
  { phone, code }: BodyOf<typeof route>,
  origin: Origin,
  at: Instant,
): Promise<Result<AnswerOf<typeof route>, ApiError>> {
  const codeId = await checkCode(db, { purpose: 'sign_in', phone, code, remoteAddress: origin.remoteAddress }, at);
  if (codeId === null) return failed({ code: 'sms.code_wrong' });
  return transact(db, async (trx) => {
    const isFirst = await useCode(trx, codeId, at);
    if (!isFirst) return failed({ code: 'sms.code_wrong' });
    const { isNew, state, createdAt, ...customer } = await customerOfPhone(trx, phone, at);
    if (state === 'merged') return failed({ code: 'customer.phone_merged' });
    if (state !== 'normal') return failed({ code: 'my.disabled' });
    if (isNew) {
      await audit(trx, { userId: null, remoteAddress: origin.remoteAddress }, at, {
        action: 'customer.create',
        recordKind: 'customer',
        recordId: customer.id,
        after: { phone, nickname: customer.nickname },
      });
    }
    const token = await sessions.open(trx, customer.id, at, origin);
    return ok({ token, customer: { ...customer, createdAt: toIso(createdAt) } });
  });
}
