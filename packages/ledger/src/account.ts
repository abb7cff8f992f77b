import type {
  AgentId,
  CardId,
  CustomerId,
  DividerId,
  GroupId,
  GroupMemberId,
  PartnerId,
  SiteId,
} from '@voltdeck/units/id';
import { type AccountKind, accountKinds, type Channel, channels, chart, type WalletOwner } from './chart.ts';

type Owners = {
  card: CardId;
  customer: CustomerId;
  group: GroupId;
  member: GroupMemberId;
  partner: PartnerId;
  agent: AgentId;
  divider: DividerId;
  site: SiteId;
  channel: Channel;
};

type AccountOf<Kind extends AccountKind> = (typeof chart)[Kind]['owner'] extends infer Owner extends keyof Owners
  ? { kind: Kind; owner: Owners[Owner] }
  : { kind: Kind };

export type Account = { [Kind in AccountKind]: AccountOf<Kind> }[AccountKind];

/** The money of somebody who pays for charges, named by the account of its paid part. */
export type Wallet = Extract<Account, { kind: WalletOwner }>;

/** A wallet of one person, which is recharged, given gifts and transferred from and to. */
export type PersonalWallet = Extract<Wallet, { kind: 'card' | 'customer' }>;

/** What was paid out to an agent or a divider and can be withdrawn. */
export type PartyBalance = Extract<Account, { kind: 'agent-balance' | 'divider-balance' }>;

declare const accountKey: unique symbol;
/** The stable text of an account, such as `card:12` or `electricity-income:site:3`: its key in the database. */
export type AccountKey = string & { readonly [accountKey]: true };

/** The paid money of a card, free to spend. */
export function cardAccount(owner: CardId): PersonalWallet {
  return { kind: 'card', owner };
}

/** The paid money of a customer, free to spend. */
export function customerAccount(owner: CustomerId): PersonalWallet {
  return { kind: 'customer', owner };
}

/** The money of a group that its members charge from together. */
export function groupAccount(owner: GroupId): Extract<Wallet, { kind: 'group' }> {
  return { kind: 'group', owner };
}

/** The pot that a group filled for one of its members. */
export function memberAccount(owner: GroupMemberId): Wallet {
  return { kind: 'member', owner };
}

/** What another operator deposited for the charges that it starts at our stations. */
export function partnerAccount(owner: PartnerId): Wallet {
  return { kind: 'partner', owner };
}

/** The paid money of a wallet that running charges hold. */
export function heldAccount(wallet: Wallet): Account {
  return accountBeside(wallet, 'held');
}

/** The gifts in a wallet, free to charge with. */
export function giftAccount(wallet: Wallet): Account {
  return accountBeside(wallet, 'gift');
}

/** The gifts in a wallet that running charges hold. */
export function heldGiftAccount(wallet: Wallet): Account {
  return accountBeside(wallet, 'gift-held');
}

/** Money of a wallet or a party's balance on its way out: withdrawn or refunded, until its payout is known. */
export function frozenAccount(of: Wallet | PartyBalance): Account {
  switch (of.kind) {
    case 'agent-balance':
      return { kind: 'agent-frozen', owner: of.owner };
    case 'divider-balance':
      return { kind: 'divider-frozen', owner: of.owner };
    default:
      return accountBeside(of, 'frozen');
  }
}

/** The debt of a wallet's owner; a debt is a balance below zero. */
export function receivableAccount(wallet: Wallet): Account {
  return accountBeside(wallet, 'receivable');
}

type WalletPart = 'held' | 'gift' | 'gift-held' | 'frozen' | 'receivable';

function accountBeside({ kind, owner }: Wallet, part: WalletPart): Account {
  return { kind: `${kind}-${part}`, owner } as Account;
}

/** What an agent prepaid, to recharge its customers' wallets from. */
export function prepaidAccount(owner: AgentId): Account {
  return { kind: 'agent-prepaid', owner };
}

/** What we owe another operator for charges of our customers at its stations. */
export function partnerPayableAccount(owner: PartnerId): Account {
  return { kind: 'partner-payable', owner };
}

/** What a site earned for electricity. */
export function electricityIncomeAccount(owner: SiteId): Account {
  return { kind: 'electricity-income', owner };
}

/** What a site earned for service. */
export function serviceIncomeAccount(owner: SiteId): Account {
  return { kind: 'service-income', owner };
}

/** What an agent earned of orders and was not yet credited. */
export function agentShareAccount(owner: AgentId): Account {
  return { kind: 'agent-share', owner };
}

/** What a divider earned of orders and was not yet credited. */
export function dividerShareAccount(owner: DividerId): Account {
  return { kind: 'divider-share', owner };
}

/** What was paid out to an agent and can be withdrawn. */
export function agentBalanceAccount(owner: AgentId): PartyBalance {
  return { kind: 'agent-balance', owner };
}

/** What was paid out to a divider and can be withdrawn. */
export function dividerBalanceAccount(owner: DividerId): PartyBalance {
  return { kind: 'divider-balance', owner };
}

/** What the platform kept of orders as its commission. */
export const commissionAccount: Account = { kind: 'commission' };

/** What the platform kept of orders for the fees of payment channels. */
export const channelFeeAccount: Account = { kind: 'channel-fee' };

/** A channel that money came in by; incoming money makes its balance negative. */
export function channelAccount(owner: Channel): Account {
  return { kind: 'channel', owner };
}

/** What was given away. */
export const giftExpenseAccount: Account = { kind: 'gift-expense' };

/** What coupons that the platform bears took off bills. */
export const couponExpenseAccount: Account = { kind: 'coupon-expense' };

/** Debts that were written off. */
export const badDebtAccount: Account = { kind: 'bad-debt' };

/** What withdrawals cost their customers. */
export const withdrawalFeeAccount: Account = { kind: 'withdrawal-fee' };

/** The counterpart of balances from before these books. */
export const openingAccount: Account = { kind: 'opening' };

/** @throws RangeError for an owner that is not a whole number from 1. */
export function keyOf(account: Account): AccountKey {
  const { prefix } = chart[account.kind];
  if (!('owner' in account)) return prefix as AccountKey;
  if (typeof account.owner === 'number' && !isIdentity(account.owner)) {
    throw new RangeError(`an account's owner must be a whole number from 1, got ${account.owner}`);
  }
  return `${prefix}:${account.owner}` as AccountKey;
}

/** The account of a key; null for anything that `keyOf` does not produce. */
export function parseAccountKey(text: string): Account | null {
  for (const kind of accountKinds) {
    const account = parseAs(kind, text);
    if (account !== null) return account;
  }
  return null;
}

/** `text` as an account key, once it has been checked; null when it is none. */
export function readAccountKey(text: string): AccountKey | null {
  return parseAccountKey(text) === null ? null : (text as AccountKey);
}

function parseAs(kind: AccountKind, text: string): Account | null {
  const { prefix, owner } = chart[kind];
  if (owner === null) return text === prefix ? ({ kind } as Account) : null;
  if (!text.startsWith(`${prefix}:`)) return null;
  const rest = text.slice(prefix.length + 1);
  if (owner === 'channel') {
    const channel = channels.find((known) => known === rest);
    return channel === undefined ? null : channelAccount(channel);
  }
  const id = Number(rest);
  return /^[1-9]\d{0,15}$/.test(rest) && isIdentity(id) ? ({ kind, owner: id } as Account) : null;
}

function isIdentity(id: number): boolean {
  return Number.isSafeInteger(id) && id >= 1;
}
