import type { AgentId, OrderId } from '@voltdeck/units/id';
import type { Fen } from '@voltdeck/units/money';
import type { Result } from '@voltdeck/units/result';
import {
  channelAccount,
  giftExpenseAccount,
  keyOf,
  prepaidAccount,
  receivableAccount,
  type Wallet,
} from './account.ts';
import type { Channel } from './chart.ts';
import { makeTransfer, type Transfer, type TransferFault } from './transfer.ts';

/** Money that came in by a channel goes into a wallet. `id` is the recharge's. */
export function rechargeTransfer(recharge: {
  id: number;
  channel: Channel;
  wallet: Wallet;
  amountFen: Fen;
}): Result<Transfer, TransferFault> {
  const { id, channel, wallet, amountFen } = recharge;
  const posting = { from: keyOf(channelAccount(channel)), to: keyOf(wallet), amountFen };
  return makeTransfer({ key: `recharge:${id}`, reason: 'recharge', postings: [posting] });
}

/** An agent's prepaid money goes into a wallet. `id` is the recharge's. */
export function prepaidRechargeTransfer(recharge: {
  id: number;
  agentId: AgentId;
  wallet: Wallet;
  amountFen: Fen;
}): Result<Transfer, TransferFault> {
  const { id, agentId, wallet, amountFen } = recharge;
  const posting = { from: keyOf(prepaidAccount(agentId)), to: keyOf(wallet), amountFen };
  return makeTransfer({ key: `recharge:${id}`, reason: 'recharge', postings: [posting] });
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

/** The operator gives money into a wallet. `id` is the gift's. */
export function giftTransfer(gift: { id: number; wallet: Wallet; amountFen: Fen }): Result<Transfer, TransferFault> {
  const { id, wallet, amountFen } = gift;
  const posting = { from: keyOf(giftExpenseAccount), to: keyOf(wallet), amountFen };
  return makeTransfer({ key: `gift:${id}`, reason: 'gift', postings: [posting] });
}

/** A wallet's money pays what its owner still owes for an order. `id` is the repayment's. */
export function repayTransfer(repayment: {
  id: number;
  orderId: OrderId;
  wallet: Wallet;
  amountFen: Fen;
}): Result<Transfer, TransferFault> {
  const { id, orderId, wallet, amountFen } = repayment;
  const posting = { from: keyOf(wallet), to: keyOf(receivableAccount(wallet)), amountFen };
  return makeTransfer({ key: `repayment:${id}`, reason: 'debt_repaid', orderId, postings: [posting] });
}
