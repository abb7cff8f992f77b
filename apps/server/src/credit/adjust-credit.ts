import type { adjustCredit as route } from '@voltdeck/contract/credit';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { CustomerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { scopedByCards } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { countingOf } from '../ledger/credit.ts';

/**
 * A person adds points to a score or takes some away, which cannot be more than there are. Points are the platform's, as
 * customers and gifts are, so only its own people do it.
 */
export async function adjustCredit(
  trx: Trx,
  caller: Caller,
  customerId: CustomerId,
  { points, reason }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<{ id: CustomerId }, ApiError>> {
  const customer = await scopedByCards(trx.selectFrom('customers'), caller, 'customers.id')
    .select('state')
    .where('id', '=', customerId)
    .forShare('customers')
    .executeTakeFirst();
  if (customer === undefined) return failed({ code: 'record.not_found' });
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  if (customer.state === 'merged') return failed({ code: 'customer.merged' });
  const kept = await trx
    .selectFrom('credits')
    .select('score_e2')
    .where('customer_id', '=', customerId)
    .forUpdate()
    .executeTakeFirst();
  const before = Math.floor((kept?.score_e2 ?? 0) / 100);
  if (before + points < 0) return failed({ code: 'credit.too_low', params: { available: String(before) } });
  const counted = { kind: 'adjusted', amountFen: zeroFen, pointsE2: points * 100, orderId: null } as const;
  await sql`select ${countingOf({ ...counted, customerId, reason, userId: caller.userId }, at)}`.execute(trx);
  await audit(trx, caller, at, {
    action: 'credit.adjust',
    recordKind: 'customer',
    recordId: customerId,
    before: { score: before },
    after: { score: before + points, points, reason },
  });
  return ok({ id: customerId });
}
