import type { AgentId, DividerId, SettlementPeriodId } from '@voltdeck/units/id';
import { addFen, type Fen, fen, minFen, zeroFen } from '@voltdeck/units/money';
import type { Result } from '@voltdeck/units/result';
import {
  type Account,
  agentBalanceAccount,
  agentShareAccount,
  dividerBalanceAccount,
  dividerShareAccount,
  keyOf,
  type PartyBalance,
} from './account.ts';
import { makeTransfer, type Transfer, type TransferFault } from './transfer.ts';

/** Days, weeks or months of shares; settled from the next day on. */
export const settlementCycles = ['t1', 't7', 'm1'] as const;
export type SettlementCycle = (typeof settlementCycles)[number];

/** Shares are added to an open period; a closed one is fixed; what it came to is then paid out to a balance. */
export const settlementStates = ['open', 'closed', 'paid_out'] as const;
export type SettlementState = (typeof settlementStates)[number];

/** Who is settled with. */
export type Settled = { kind: 'agent'; id: AgentId } | { kind: 'divider'; id: DividerId };

/** What a party earned and was not yet credited. */
export function shareAccount(party: Settled): Account {
  return party.kind === 'agent' ? agentShareAccount(party.id) : dividerShareAccount(party.id);
}

/** What was paid out to a party and can be withdrawn. */
export function balanceAccount(party: Settled): PartyBalance {
  return party.kind === 'agent' ? agentBalanceAccount(party.id) : dividerBalanceAccount(party.id);
}

/**
 * What a period carries over: of the one before, which came to `netFen`, a debt and nothing of a gain; and `restsFen`, what
 * earlier periods came to and could not pay out.
 */
export function carriedIn(netFen: Fen | null, restsFen: Fen): Fen {
  return addFen(netFen === null ? zeroFen : minFen(netFen, zeroFen), restsFen);
}

/**
 * What of a period's net is paid out: at most what its party's share account holds by then, since money may have gone back
 * after the period was closed. From zero up to the net.
 */
export function payableFen(netFen: Fen, shareFen: Fen): Fen {
  return fen(Math.max(0, Math.min(netFen, shareFen)));
}

/**
 * Pays out a period: the amount goes from the party's shares to its balance. Null for nothing or less. A key of its own
 * makes it happen once.
 */
export function payOutTransfer(
  id: SettlementPeriodId,
  party: Settled,
  amountFen: Fen,
): Result<Transfer, TransferFault> | null {
  if (amountFen <= 0) return null;
  const posting = { from: keyOf(shareAccount(party)), to: keyOf(balanceAccount(party)), amountFen };
  return makeTransfer({ key: `period:${id}:paid-out`, reason: 'shares_paid_out', postings: [posting] });
}
