import type { AgentWithdrawalTerms, getAgentWithdrawalTerms } from '@voltdeck/contract/agent-withdrawals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { QueryOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { readPartyIncome } from '../ledger/party-income.ts';
import { readAgentWithdrawalTerms } from '../ledger/withdrawal-terms.ts';
import { countToday } from './apply-withdrawal.ts';
import { findParty } from './find-party.ts';
import { noParty } from './no-party.ts';
import { partyFor } from './own-party.ts';

/** What the caller's own agent or divider, or the divider that they name, could withdraw now. */
export async function findTerms(
  db: Kysely<Tables>,
  caller: Caller,
  { dividerId }: QueryOf<typeof getAgentWithdrawalTerms>,
  at: Instant,
): Promise<Result<AgentWithdrawalTerms, ApiError>> {
  const own = await partyFor(db, caller, dividerId);
  const party = own === null ? null : await findParty(db, own);
  if (own === null || party === null) return failed(noParty(dividerId));
  const [{ balanceFen }, { minFen, feeBp, perDay }, today] = await Promise.all([
    readPartyIncome(db, own),
    readAgentWithdrawalTerms(db),
    countToday(db, own, at),
  ]);
  return ok({
    partyName: party.name,
    balanceFen,
    minFen,
    feeBp,
    leftToday: Math.max(0, perDay - today),
    payee: party.account,
  });
}
