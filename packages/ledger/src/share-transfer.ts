import type { OrderId, SiteId } from '@voltdeck/units/id';
import { fen } from '@voltdeck/units/money';
import type { Result } from '@voltdeck/units/result';
import {
  type Account,
  type AccountKey,
  agentShareAccount,
  channelFeeAccount,
  commissionAccount,
  dividerShareAccount,
  electricityIncomeAccount,
  keyOf,
  serviceIncomeAccount,
} from './account.ts';
import type { Posting } from './posting.ts';
import type { Share } from './share.ts';
import { makeTransfer, type Transfer, type TransferFault } from './transfer.ts';

/**
 * Takes shares of an order from the income of its site to their parties, or back where they are below zero. What is
 * left to the platform stays with the site, and a coupon was paid for when the order was settled. Null where nothing
 * moves. `number` counts the transfers of shares of the order, from 1.
 */
export function shareTransfer(shared: {
  orderId: OrderId;
  siteId: SiteId;
  number: number;
  shares: readonly Share[];
}): Result<Transfer, TransferFault> | null {
  const { orderId, siteId, number, shares } = shared;
  const moved = new Map<string, { income: AccountKey; account: AccountKey; amountFen: number }>();
  for (const share of shares) {
    const account = accountOf(share);
    if (account === null) continue;
    const way = { income: keyOf(incomeOf(share, siteId)), account: keyOf(account) };
    const name = `${way.income} ${way.account}`;
    moved.set(name, { ...way, amountFen: (moved.get(name)?.amountFen ?? 0) + share.amountFen });
  }
  const postings = [...moved.values()].flatMap(({ income, account, amountFen }): Posting[] => {
    if (amountFen === 0) return [];
    const [from, to] = amountFen > 0 ? [income, account] : [account, income];
    return [{ from, to, amountFen: fen(Math.abs(amountFen)) }];
  });
  if (postings.length === 0) return null;
  return makeTransfer({ key: `order:${orderId}:shares:${number}`, reason: 'order_shared', orderId, postings });
}

/** Null where the money stays where it is. */
function accountOf({ party, reason }: Share): Account | null {
  if (party.kind === 'agent') return agentShareAccount(party.id);
  if (party.kind === 'divider') return dividerShareAccount(party.id);
  if (reason === 'commission') return commissionAccount;
  return reason === 'channel_fee' ? channelFeeAccount : null;
}

function incomeOf({ fee }: Share, siteId: SiteId): Account {
  return fee === 'electricity' ? electricityIncomeAccount(siteId) : serviceIncomeAccount(siteId);
}
