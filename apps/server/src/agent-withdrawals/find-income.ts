import type { getPartyIncome, PartyIncome } from '@voltdeck/contract/agent-withdrawals';
import type { AnswerOf, QueryOf } from '@voltdeck/contract/route';
import type { Settled } from '@voltdeck/ledger/settlement';
import { type Fen, zeroFen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { readIncomeOfAll, readPartyIncome } from '../ledger/party-income.ts';
import { ofOwnParty, ofParty, ownParty, partyFor } from './own-party.ts';

/** Income and balance of one party or of all for the platform, of its own and of its dividers for an agent. */
export async function findIncome(
  db: Kysely<Tables>,
  caller: Caller,
  { agentId, dividerId }: QueryOf<typeof getPartyIncome>,
): Promise<AnswerOf<typeof getPartyIncome> | null> {
  const own = ownParty(caller);
  const isOwn = caller.agents === 'all' || agentId === undefined || (own?.kind === 'agent' && own.id === agentId);
  if (!isOwn) return null;
  const named: Settled | null =
    agentId === undefined ? await partyFor(db, caller, dividerId) : { kind: 'agent', id: agentId };
  if (named === null && dividerId !== undefined) return null;
  const party = named ?? own;
  const seen = ofOwnParty(db.selectFrom('agent_withdrawals'), caller).where('state', '=', 'waiting');
  const waiting = party === null ? seen : ofParty(seen, party);
  const [income, found] = await Promise.all([
    readIncome(db, caller, party),
    waiting
      .select((eb) => eb.fn.countAll<number>().as('waiting'))
      .select(sql<Fen>`coalesce(sum(amount_fen), 0)::bigint`.as('waitingFen'))
      .executeTakeFirstOrThrow(),
  ]);
  return { ...income, ...found };
}

async function readIncome(db: Kysely<Tables>, { agents }: Caller, party: Settled | null): Promise<PartyIncome> {
  if (party !== null) return readPartyIncome(db, party);
  return agents === 'all' ? readIncomeOfAll(db) : nothing;
}

/** Of who is of no party. */
const nothing: PartyIncome = {
  incomeFen: zeroFen,
  unpaidFen: zeroFen,
  balanceFen: zeroFen,
  frozenFen: zeroFen,
  withdrawnFen: zeroFen,
};
