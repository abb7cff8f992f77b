import type { AgentId } from '@voltdeck/units/id';
import { addFen, type Fen, minFen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, type Result } from '@voltdeck/units/result';
import {
  channelAccount,
  frozenAccount,
  giftAccount,
  giftExpenseAccount,
  keyOf,
  type PartyBalance,
  prepaidAccount,
  type Wallet,
  withdrawalFeeAccount,
} from './account.ts';
import type { Channel } from './chart.ts';
import type { Posting } from './posting.ts';
import { makeTransfer, type Transfer, type TransferFault } from './transfer.ts';

/** Why money leaves to the outside; the record's id makes its keys. */
export type PayoutCause = {
  kind: 'withdrawal' | 'agent-withdrawal' | 'recharge-refund' | 'card-cancellation';
  id: number;
};

/** The key of the transfer that freezes a payout's money; undone by its reversal when the payout does not happen. */
export function freezeKey({ kind, id }: PayoutCause): string {
  return `${kind}:${id}:freeze`;
}

/** The key of the transfer by which a payout's money leaves, where it has come back `timesReturned` times, zero or more. */
export function paidOutKey({ kind, id }: PayoutCause, timesReturned = 0): string {
  return timesReturned === 0 ? `${kind}:${id}:paid` : `${kind}:${id}:paid:${timesReturned + 1}`;
}

/**
 * Sets paid money aside that is to leave a wallet, from its application to the known end, and takes back the gifts that
 * go with it (`giftFen`, zero or more).
 */
export function freezeTransfer(freeze: {
  cause: PayoutCause;
  wallet: Wallet;
  amountFen: Fen;
  giftFen: Fen;
}): Result<Transfer, TransferFault> {
  const { cause, wallet, amountFen, giftFen } = freeze;
  const gift = { from: keyOf(giftAccount(wallet)), to: keyOf(giftExpenseAccount), amountFen: giftFen };
  return setAside({ cause, from: wallet, amountFen }, giftFen === 0 ? [] : [gift]);
}

/** Sets money of a party's balance aside that is to leave it, from its application to the known end. */
export function freezeBalanceTransfer(freeze: {
  cause: PayoutCause;
  balance: PartyBalance;
  amountFen: Fen;
}): Result<Transfer, TransferFault> {
  const { cause, balance, amountFen } = freeze;
  return setAside({ cause, from: balance, amountFen });
}

type Aside = { cause: PayoutCause; from: Wallet | PartyBalance; amountFen: Fen };

function setAside({ cause, from, amountFen }: Aside, others: readonly Posting[] = []): Result<Transfer, TransferFault> {
  const postings = [{ from: keyOf(from), to: keyOf(frozenAccount(from)), amountFen }, ...others];
  return makeTransfer({ key: freezeKey(cause), reason: 'money_frozen', postings });
}

/** Where a payout's money goes: out by a channel, or back to the agent whose prepaid money it was. */
export type PayoutTarget = { channel: Channel } | { agentId: AgentId };

/** Frozen money has left: to its target, less the fee (zero up to the amount), which the platform keeps. */
export function payOutTransfer(payout: {
  cause: PayoutCause;
  wallet: Wallet | PartyBalance;
  target: PayoutTarget;
  amountFen: Fen;
  feeFen?: Fen;
  /** How often it was paid before and came back. */
  timesReturned?: number;
}): Result<Transfer, TransferFault> {
  const { cause, wallet, target, amountFen, feeFen = zeroFen, timesReturned = 0 } = payout;
  if (feeFen < 0 || feeFen > amountFen) {
    return failed({ code: 'ledger.amount_negative', field: 'feeFen', amountFen: feeFen });
  }
  const frozen = keyOf(frozenAccount(wallet));
  const to = keyOf('channel' in target ? channelAccount(target.channel) : prepaidAccount(target.agentId));
  const paidFen = subtractFen(amountFen, feeFen);
  const postings = [
    { from: frozen, to, amountFen: paidFen },
    { from: frozen, to: keyOf(withdrawalFeeAccount), amountFen: feeFen },
  ].filter((posting) => posting.amountFen > 0);
  const reason = cause.kind === 'recharge-refund' ? 'recharge_refund' : 'withdrawal';
  return makeTransfer({ key: paidOutKey(cause, timesReturned), reason, postings });
}

/** What the gifts of a payout are: as large a part of all gifts as the payout is of all paid money, rounded half up. */
export function giftsTakenBackFen(payout: { amountFen: Fen; paidFen: Fen; giftFen: Fen }): Fen {
  const { amountFen, paidFen, giftFen } = payout;
  if (paidFen <= 0) return zeroFen;
  const part = (BigInt(giftFen) * BigInt(amountFen) * 2n + BigInt(paidFen)) / (2n * BigInt(paidFen));
  return addFen(zeroFen, Number(part) as Fen);
}

/**
 * The most of a recharge whose gifts, by `giftsTakenBackFen`, are at most `takenFen`: what went back before counts. All
 * of it where nothing was given.
 */
export function mostRefundFen({ takenFen, paidFen, giftFen }: Record<'takenFen' | 'paidFen' | 'giftFen', Fen>): Fen {
  if (giftFen <= 0) return paidFen;
  const [most, of] = [BigInt(paidFen) * (2n * BigInt(takenFen) + 1n), 2n * BigInt(giftFen)];
  return minFen(paidFen, addFen(zeroFen, Number((most + of - 1n) / of - 1n) as Fen));
}
