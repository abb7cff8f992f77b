import type { PayoutKind } from '@voltdeck/contract/agents';
import type { Settled } from '@voltdeck/ledger/settlement';
import type { AgentId } from '@voltdeck/units/id';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { type Payout, payoutColumns } from '../ledger/payout-account.ts';

export type PayoutAccount = {
  payeeKind: PayoutKind;
  payeeHolder: string;
  payeeBank: string;
  payeeBranch: string | null;
  payeeBankCode: string | null;
  payeeAccount: string;
};

export type Party = {
  name: string;
  /** Nobody signs in for it, and it is not paid. */
  isFrozen: boolean;
  /** The agent itself, or the holder of a divider; null for a divider of the platform. */
  holderId: AgentId | null;
  /** Null while none is set. */
  account: PayoutAccount | null;
  /** The same as the party has it. */
  payout: Payout;
};

/** Who is paid, and where. Null where there is no such party. */
export function findParty(db: Kysely<Tables>, party: Settled): Promise<Party | null> {
  return party.kind === 'agent' ? findAgent(agentOf(db, party)) : findDivider(dividerOf(db, party));
}

/** The same, locked until the transaction ends, so that applications of a party take turns. */
export function lockParty(trx: Trx, party: Settled): Promise<Party | null> {
  return party.kind === 'agent'
    ? findAgent(agentOf(trx, party).forNoKeyUpdate())
    : findDivider(dividerOf(trx, party).forNoKeyUpdate());
}

/** The same, so that it is not frozen before the transaction ends. */
export function holdParty(trx: Trx, party: Settled): Promise<Party | null> {
  return party.kind === 'agent'
    ? findAgent(agentOf(trx, party).forShare())
    : findDivider(dividerOf(trx, party).forShare());
}

function agentOf(db: Kysely<Tables>, { id }: Extract<Settled, { kind: 'agent' }>) {
  return db.selectFrom('agents').select(['id', 'name', 'frozen_at']).select(payoutColumns).where('id', '=', id);
}

async function findAgent(query: ReturnType<typeof agentOf>): Promise<Party | null> {
  const row = await query.executeTakeFirst();
  if (row === undefined) return null;
  const { id: holderId, name, frozen_at: frozenAt, ...payout } = row;
  return { name, isFrozen: frozenAt !== null, holderId, account: accountOf(payout), payout };
}

function dividerOf(db: Kysely<Tables>, { id }: Extract<Settled, { kind: 'divider' }>) {
  return db.selectFrom('dividers').select(['name', 'enabled', 'agent_id']).select(payoutColumns).where('id', '=', id);
}

async function findDivider(query: ReturnType<typeof dividerOf>): Promise<Party | null> {
  const row = await query.executeTakeFirst();
  if (row === undefined) return null;
  const { name, enabled, agent_id: holderId, ...payout } = row;
  return { name, isFrozen: !enabled, holderId, account: accountOf(payout), payout };
}

function accountOf(payout: Payout): PayoutAccount | null {
  const { payout_kind: kind, payout_holder: holder, payout_bank: bank, payout_number: number } = payout;
  if (kind === null || holder === null || bank === null || number === null) return null;
  return {
    payeeKind: kind,
    payeeHolder: holder,
    payeeBank: bank,
    payeeBranch: payout.payout_branch,
    payeeBankCode: payout.payout_bank_code,
    payeeAccount: number,
  };
}
