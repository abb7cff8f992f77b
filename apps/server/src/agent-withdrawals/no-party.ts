import type { ApiError } from '@voltdeck/contract/errors';
import type { DividerId } from '@voltdeck/units/id';

/** Why there is no party to withdraw for. */
export function noParty(dividerId: DividerId | undefined): ApiError {
  return { code: dividerId === undefined ? 'agent_withdrawal.no_balance' : 'record.not_found' };
}
