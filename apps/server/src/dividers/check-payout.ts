import type { PayoutForm } from '@voltdeck/contract/agents';
import type { ApiError } from '@voltdeck/contract/errors';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import { lackedOf, mayChangeFor, type Payout, payoutAfter } from '../ledger/payout-account.ts';

/** The payout account that a form leaves: whole, and one that is set only by the platform's people. */
export function checkPayout(caller: Caller, form: PayoutForm, before: Payout): Result<Payout, ApiError> {
  const payout = payoutAfter(form, before);
  if (!mayChangeFor(caller, before, payout)) return failed({ code: 'payout_account.already_set' });
  const fields = lackedOf(payout).map((path) => ({ path, code: 'required' as const }));
  return fields.length === 0 ? ok(payout) : failed({ code: 'request.invalid', fields });
}
