import type { ApiError } from '@voltdeck/contract/errors';
import { frozenAccount } from '@voltdeck/ledger/account';
import { freezeKey, type PayoutCause } from '@voltdeck/ledger/payout';
import { balanceAccount, type Settled } from '@voltdeck/ledger/settlement';
import type { AgentId, AgentWithdrawalId, DividerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { lockAccounts } from '../ledger/lock-accounts.ts';
import { reverseTransfer } from '../ledger/reverse-transfer.ts';
import { hasPartyOf } from '../second-person/deciders.ts';
import { readSecondPersonLimit } from '../second-person/limits.ts';
import { holdParty } from './find-party.ts';
import { ofOwnParty } from './own-party.ts';

export type Locked = NonNullable<Awaited<ReturnType<typeof findLocked>>>;

/** A withdrawal that the caller decides about or pays, locked until the transaction ends. Both are the platform's. */
export async function lockForPlatform(
  trx: Trx,
  caller: Caller,
  id: AgentWithdrawalId,
): Promise<Result<Locked, ApiError>> {
  const row = await findLocked(trx, caller, id);
  if (row === undefined) return failed({ code: 'record.not_found' });
  return caller.agents === 'all' ? ok(row) : failed({ code: 'access.denied' });
}

function findLocked(trx: Trx, caller: Caller, id: AgentWithdrawalId) {
  return ofOwnParty(trx.selectFrom('agent_withdrawals'), caller)
    .select(['id', 'number', 'state', 'frozen', 'agent_id', 'divider_id', 'amount_fen', 'fee_fen', 'payee_number'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export function causeOf({ id }: Pick<Locked, 'id'>): PayoutCause {
  return { kind: 'agent-withdrawal', id };
}

export function partyOf(row: { agent_id: AgentId | null; divider_id: DividerId | null }): Settled {
  if (row.agent_id !== null) return { kind: 'agent', id: row.agent_id };
  if (row.divider_id !== null) return { kind: 'divider', id: row.divider_id };
  throw new Error('a withdrawal is of an agent or of a divider');
}

/**
 * Why a caller does not decide about a withdrawal or pay it: they are of the party that gets its money, by another
 * account too, unless withdrawals need no second person. Null where they may.
 */
export async function whyNotTheirs(trx: Trx, { userId }: Caller, id: AgentWithdrawalId): Promise<ApiError | null> {
  if ((await readSecondPersonLimit(trx, 'agent_withdrawal')) === 'off') return null;
  return (await hasPartyOf(trx, userId, id)) ? { code: 'withdrawal.own' } : null;
}

/** A frozen party keeps what it applied for frozen: it is neither passed nor paid, and can be rejected. */
export async function whyNotPaid(trx: Trx, row: Locked): Promise<ApiError | null> {
  const party = await holdParty(trx, partyOf(row));
  return party?.isFrozen === false ? null : { code: 'agent_withdrawal.party_frozen' };
}

/**
 * The balance of a party, in fen, locked until the transaction ends together with what is frozen of it. Every act that moves
 * money of a withdrawal begins with this: two postings of one act would otherwise lock both in either order.
 */
export async function lockBalance(trx: Trx, party: Settled): Promise<Fen> {
  const balance = balanceAccount(party);
  return (await lockAccounts(trx, [balance, frozenAccount(balance)]))(balance);
}

/** Its money is on the balance again. */
export async function unfreeze(trx: Trx, row: Locked, at: Instant): Promise<void> {
  const isReleased = await reverseTransfer(trx, freezeKey(causeOf(row)), at);
  if (!isReleased) throw new Error(`withdrawal ${row.number} was released before`);
}
