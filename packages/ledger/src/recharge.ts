import type { AgentId, OrderId } from '@voltdeck/units/id';
import { type Fen, zeroFen } from '@voltdeck/units/money';
import type { Result } from '@voltdeck/units/result';
import {
  type Account,
  badDebtAccount,
  channelAccount,
  giftAccount,
  giftExpenseAccount,
  keyOf,
  prepaidAccount,
  receivableAccount,
  type Wallet,
} from './account.ts';
import type { Channel } from './chart.ts';
import { freeShares, type Parts, totalOf } from './parts.ts';
import { flow } from './posting.ts';
import { makeTransfer, type Transfer, type TransferFault } from './transfer.ts';

/**
 * Money that came in by a channel goes into a wallet, with the gift of the promotion that applied. `id` is the
 * recharge's.
 */
export function rechargeTransfer(recharge: {
  id: number;
  channel: Channel;
  wallet: Wallet;
  amountFen: Fen;
  giftFen?: Fen;
}): Result<Transfer, TransferFault> {
  return fillWallet(recharge, channelAccount(recharge.channel));
}

/** The same from an agent's prepaid money; the gift is the platform's. */
export function prepaidRechargeTransfer(recharge: {
  id: number;
  agentId: AgentId;
  wallet: Wallet;
  amountFen: Fen;
  giftFen?: Fen;
}): Result<Transfer, TransferFault> {
  return fillWallet(recharge, prepaidAccount(recharge.agentId));
}

function fillWallet(
  { id, wallet, amountFen, giftFen = zeroFen }: { id: number; wallet: Wallet; amountFen: Fen; giftFen?: Fen },
  source: Account,
): Result<Transfer, TransferFault> {
  const gift = { from: keyOf(giftExpenseAccount), to: keyOf(giftAccount(wallet)), amountFen: giftFen };
  const postings = [{ from: keyOf(source), to: keyOf(wallet), amountFen }, ...(giftFen === 0 ? [] : [gift])];
  return makeTransfer({ key: `recharge:${id}`, reason: 'recharge', postings });
}

/** An agent prepays money. `id` is that of the agent's recharge. */
export function fillPrepaidTransfer(filling: {
  id: number;
  channel: Channel;
  agentId: AgentId;
  amountFen: Fen;
}): Result<Transfer, TransferFault> {
  const { id, channel, agentId, amountFen } = filling;
  const posting = { from: keyOf(channelAccount(channel)), to: keyOf(prepaidAccount(agentId)), amountFen };
  return makeTransfer({ key: `agent-recharge:${id}`, reason: 'prepaid_filled', postings: [posting] });
}

/** The operator gives money into the gift part of a wallet. `id` is the gift's. */
export function giftTransfer(gift: { id: number; wallet: Wallet; amountFen: Fen }): Result<Transfer, TransferFault> {
  const { id, wallet, amountFen } = gift;
  const posting = { from: keyOf(giftExpenseAccount), to: keyOf(giftAccount(wallet)), amountFen };
  return makeTransfer({ key: `gift:${id}`, reason: 'gift', postings: [posting] });
}

/** The operator takes gifts back. `id` is the deduction's. */
export function giftDeductionTransfer(deduction: {
  id: number;
  wallet: Wallet;
  amountFen: Fen;
}): Result<Transfer, TransferFault> {
  const { id, wallet, amountFen } = deduction;
  const posting = { from: keyOf(giftAccount(wallet)), to: keyOf(giftExpenseAccount), amountFen };
  return makeTransfer({ key: `gift-deduction:${id}`, reason: 'gift_deducted', postings: [posting] });
}

/**
 * Money moves between two wallets, each part into its like: paid money between people, everything to a replaced card or
 * a merged record. `id` is the transfer's own.
 */
export function walletTransfer(move: {
  id: number;
  from: Wallet;
  to: Wallet;
  moved: Parts;
}): Result<Transfer, TransferFault> {
  const { id, from, to, moved } = move;
  const postings = flow(freeShares(from, moved), freeShares(to, moved));
  return makeTransfer({ key: `transfer:${id}`, reason: 'transfer', postings });
}

/** A wallet's money pays what its owner still owes for an order. `id` is the repayment's. */
export function repayTransfer(repayment: {
  id: number;
  orderId: OrderId;
  wallet: Wallet;
  paid: Parts;
}): Result<Transfer, TransferFault> {
  const { id, orderId, wallet, paid } = repayment;
  const postings = flow(freeShares(wallet, paid), [
    { account: keyOf(receivableAccount(wallet)), amountFen: totalOf(paid) },
  ]);
  return makeTransfer({ key: `repayment:${id}`, reason: 'debt_repaid', orderId, postings });
}

/** What nobody will pay any more of an order's debt. `id` is the write-off's. */
export function writeOffTransfer(writeOff: {
  id: number;
  orderId: OrderId;
  wallet: Wallet;
  amountFen: Fen;
}): Result<Transfer, TransferFault> {
  const { id, orderId, wallet, amountFen } = writeOff;
  const posting = { from: keyOf(badDebtAccount), to: keyOf(receivableAccount(wallet)), amountFen };
  return makeTransfer({ key: `write-off:${id}`, reason: 'debt_written_off', orderId, postings: [posting] });
}
