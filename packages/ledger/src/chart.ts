/** Where money comes in from the outside or goes out to it. */
export const channels = ['front-desk', 'back-office', 'bank', 'wechat', 'alipay', 'embedded'] as const;
export type Channel = (typeof channels)[number];

type ChartRow = {
  /** The prefix of the account's key; the owner follows after a colon. */
  prefix: string;
  /** Who owns the account; null for the one account of its kind. */
  owner: WalletOwner | 'agent' | 'divider' | 'site' | 'channel' | null;
  /** Wallets, held and prepaid money are a promise to somebody, so they are never below zero. */
  mayBeNegative: boolean;
  /** Many transfers post to it at once and no decision depends on its balance, so it is kept in several parts. */
  isShared: boolean;
  /** The kind of wallet that an account of gift, held, frozen or owed money belongs to. */
  wallet: WalletOwner | null;
};

/**
 * Who has a wallet to charge from. A group’s members charge from its balance, or each from the pot that it filled for
 * them; what a partner deposited pays for the charges that it starts for its own customers.
 */
export const walletOwners = ['card', 'customer', 'group', 'member', 'partner'] as const;
export type WalletOwner = (typeof walletOwners)[number];

type WalletRows<Owner extends WalletOwner> = Record<Owner, ChartRow & { owner: Owner; wallet: null }> &
  Record<
    `${Owner}-${'held' | 'gift' | 'gift-held' | 'frozen' | 'receivable'}`,
    ChartRow & { owner: Owner; wallet: Owner }
  >;

/** The accounts of a wallet, which have the same parts whoever owns it. */
function walletRows<Owner extends WalletOwner>(owner: Owner): WalletRows<Owner> {
  const own = { owner, mayBeNegative: false, isShared: false } as const;
  const part = (name: string) => ({ ...own, prefix: `${owner}-${name}`, wallet: owner });
  return {
    [owner]: { ...own, prefix: owner, wallet: null },
    [`${owner}-held`]: part('held'),
    [`${owner}-gift`]: part('gift'),
    [`${owner}-gift-held`]: part('gift-held'),
    [`${owner}-frozen`]: part('frozen'),
    [`${owner}-receivable`]: { ...own, prefix: `receivable:${owner}`, mayBeNegative: true, wallet: owner },
  } as WalletRows<Owner>;
}

/**
 * Every kind of account. A posting takes from one account and gives to another, so all balances together are always
 * zero: what customers have (wallets, gifts, held and frozen money), what agents prepaid, what sites earned and what of it
 * agents, dividers and the platform share balances what came in by channels, what customers owe, and what was given
 * away.
 *
 * A wallet has a paid and a gift part in accounts of their own, which no transfer mixes: gifts can be charged with and
 * are never paid out.
 */
export const chart = {
  ...walletRows('card'),
  ...walletRows('customer'),
  ...walletRows('group'),
  ...walletRows('member'),
  ...walletRows('partner'),
  'agent-prepaid': { prefix: 'agent-prepaid', owner: 'agent', mayBeNegative: false, isShared: false, wallet: null },
  // A refund may follow after an income was paid out.
  'electricity-income': {
    prefix: 'electricity-income:site',
    owner: 'site',
    mayBeNegative: true,
    isShared: true,
    wallet: null,
  },
  'service-income': { prefix: 'service-income:site', owner: 'site', mayBeNegative: true, isShared: true, wallet: null },
  // What of the sites' income belongs to somebody else, and what the platform keeps of an agent's. A refund may take back
  // more than came in since the last payout.
  'agent-share': { prefix: 'agent-share', owner: 'agent', mayBeNegative: true, isShared: true, wallet: null },
  'divider-share': { prefix: 'divider-share', owner: 'divider', mayBeNegative: true, isShared: true, wallet: null },
  // What was paid out to a party and not yet withdrawn: a promise, like a wallet.
  'agent-balance': { prefix: 'agent-balance', owner: 'agent', mayBeNegative: false, isShared: false, wallet: null },
  'divider-balance': {
    prefix: 'divider-balance',
    owner: 'divider',
    mayBeNegative: false,
    isShared: false,
    wallet: null,
  },
  // What of it is on its way out, from the application for a withdrawal to its end.
  'agent-frozen': { prefix: 'agent-frozen', owner: 'agent', mayBeNegative: false, isShared: false, wallet: null },
  'divider-frozen': { prefix: 'divider-frozen', owner: 'divider', mayBeNegative: false, isShared: false, wallet: null },
  // What we owe another operator for charges that our customers had at its stations. It may be paid ahead of its bills.
  'partner-payable': {
    prefix: 'payable:partner',
    owner: 'partner',
    mayBeNegative: true,
    isShared: true,
    wallet: null,
  },
  commission: { prefix: 'commission', owner: null, mayBeNegative: true, isShared: true, wallet: null },
  'channel-fee': { prefix: 'channel-fee', owner: null, mayBeNegative: true, isShared: true, wallet: null },
  channel: { prefix: 'channel', owner: 'channel', mayBeNegative: true, isShared: true, wallet: null },
  // What the platform gives up: gifts, the coupons it bears, and debts that nobody will pay.
  'gift-expense': { prefix: 'gift-expense', owner: null, mayBeNegative: true, isShared: true, wallet: null },
  'coupon-expense': { prefix: 'coupon-expense', owner: null, mayBeNegative: true, isShared: true, wallet: null },
  'bad-debt': { prefix: 'bad-debt', owner: null, mayBeNegative: true, isShared: true, wallet: null },
  'withdrawal-fee': { prefix: 'withdrawal-fee', owner: null, mayBeNegative: true, isShared: true, wallet: null },
  opening: { prefix: 'opening', owner: null, mayBeNegative: true, isShared: true, wallet: null },
} as const satisfies Record<string, ChartRow>;

export type AccountKind = keyof typeof chart;
export const accountKinds = Object.keys(chart) as [AccountKind, ...AccountKind[]];
