import type { Customer, enableCustomer as route } from '@voltdeck/contract/customers';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { CustomerId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { scopedByCards } from '../caller/scope.ts';
import type { Sessions } from '../caller/sessions.ts';
import type { Trx } from '../database/transact.ts';
import { findCustomer } from './queries.ts';

export type CustomerEnabled = {
  customer: Customer;
  /** Users whose sessions ended: call `forgetCached` for them after the commit. */
  signedOut: UserId[];
};

/**
 * Enables or disables a registered user. A disabled one begins no charge, by balance or by card, receives no money and
 * is signed out of the own account; charges that run go on and are settled. Customers are the platform's, so only its
 * own people do it.
 */
export async function enableCustomer(
  trx: Trx,
  sessions: Sessions,
  caller: Caller,
  id: CustomerId,
  { enabled, reason = '' }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<CustomerEnabled, ApiError>> {
  const before = await scopedByCards(trx.selectFrom('customers'), caller, 'customers.id')
    .select(['state', 'state_reason'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (before === undefined) return failed({ code: 'record.not_found' });
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  if (before.state === 'merged') return failed({ code: 'customer.merged' });
  const state = enabled ? 'normal' : 'disabled';
  const after = { state, reason: enabled ? '' : reason } as const;
  await trx.updateTable('customers').set({ state, state_reason: after.reason }).where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: enabled ? 'customer.enable' : 'customer.disable',
    recordKind: 'customer',
    recordId: id,
    before: { state: before.state, reason: before.state_reason },
    after: { state, reason },
  });
  const signedOut = enabled ? [] : await signOut(trx, sessions, id, at);
  const customer = await findCustomer(trx, caller, id);
  if (customer === null) throw new Error(`customer ${id} is gone`);
  return ok({ customer, signedOut });
}

/** Ends the sessions of a customer's own account. */
export async function signOut(trx: Trx, sessions: Sessions, id: CustomerId, at: Instant): Promise<UserId[]> {
  const users = await trx
    .selectFrom('users')
    .select('id')
    .where('customer_id', '=', id)
    .where('kind', '=', 'registered')
    .execute();
  for (const user of users) await sessions.endAll(trx, user.id, at, 'disabled');
  return users.map((user) => user.id);
}
