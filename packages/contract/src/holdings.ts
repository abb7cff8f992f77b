import { type AccountKind, type WalletOwner, walletOwners } from '@voltdeck/ledger/chart';
import * as z from 'zod/mini';
import { accountParty, ownerNameOf } from './books.ts';
import { dayField, fenField, filter, idField, instantField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** `owed` to others, `held` by us or owed to us, and `own`: what is left when both are set against each other. */
export const holdingSides = ['owed', 'held', 'own'] as const;
export type HoldingSide = (typeof holdingSides)[number];

/** The accounts of a wallet but its debt. */
function moneyOf<Owner extends WalletOwner>(owner: Owner) {
  return [owner, `${owner}-held`, `${owner}-gift`, `${owner}-gift-held`, `${owner}-frozen`] as const;
}

/** The rows of what is owed and held, in their order. Every kind of account belongs to exactly one. */
export const holdings = {
  customers_paid: { side: 'owed', kinds: ['card', 'card-held', 'customer', 'customer-held'] },
  customers_gift: { side: 'owed', kinds: ['card-gift', 'card-gift-held', 'customer-gift', 'customer-gift-held'] },
  withdrawals: { side: 'owed', kinds: ['card-frozen', 'customer-frozen'] },
  groups: { side: 'owed', kinds: [...moneyOf('group'), ...moneyOf('member')] },
  partners: { side: 'owed', kinds: moneyOf('partner') },
  partner_payables: { side: 'owed', kinds: ['partner-payable'] },
  agents_prepaid: { side: 'owed', kinds: ['agent-prepaid'] },
  agent_shares: { side: 'owed', kinds: ['agent-share'] },
  agent_balances: { side: 'owed', kinds: ['agent-balance'] },
  divider_shares: { side: 'owed', kinds: ['divider-share'] },
  divider_balances: { side: 'owed', kinds: ['divider-balance'] },
  party_withdrawals: { side: 'owed', kinds: ['agent-frozen', 'divider-frozen'] },
  channels: { side: 'held', kinds: ['channel'] },
  debts: { side: 'held', kinds: walletOwners.map((owner) => `${owner}-receivable` as const) },
  income: { side: 'own', kinds: ['electricity-income', 'service-income'] },
  commission: { side: 'own', kinds: ['commission'] },
  channel_fees: { side: 'own', kinds: ['channel-fee'] },
  withdrawal_fees: { side: 'own', kinds: ['withdrawal-fee'] },
  gifts: { side: 'own', kinds: ['gift-expense'] },
  coupons: { side: 'own', kinds: ['coupon-expense'] },
  bad_debts: { side: 'own', kinds: ['bad-debt'] },
  opening: { side: 'own', kinds: ['opening'] },
} as const satisfies Record<string, { side: HoldingSide; kinds: readonly AccountKind[] }>;
export type Holding = keyof typeof holdings;
export const holdingNames = Object.keys(holdings) as [Holding, ...Holding[]];

/** Channels whose money is on its way to the bank, and those where it has arrived. */
export const cashPlaces = ['on_its_way', 'cash'] as const;

const holdingRow = z.object({
  holding: z.enum(holdingNames),
  side: z.enum(holdingSides),
  /** What is owed, what is held, or what is left; each more than zero in the usual case. */
  amountFen: fenField,
});
export type HoldingRow = z.output<typeof holdingRow>;

export const getHoldings = route({
  method: 'GET',
  path: '/holdings',
  summary: 'What was owed and held at the end of a day, by the books',
  permission: 'finance.holdings',
  readsMuch: 'always',
  /** Today until now without it. */
  query: z.object({ day: z.optional(dayField) }),
  answer: z.object({
    day: dayField,
    /** Null for the end of a day that is over. */
    until: z.nullable(instantField),
    rows: z.array(holdingRow),
    /** Of what is held, by channel. */
    channels: z.array(z.object({ channel: z.string(), place: z.enum(cashPlaces), amountFen: fenField })),
    owedFen: fenField,
    heldFen: fenField,
    ownFen: fenField,
    /** Held less owed less what is left: zero in sound books. */
    differenceFen: fenField,
    /** What coupons that are given and not used would take off bills at the most; those in percent without a cap count nothing. */
    openCouponsFen: fenField,
  }),
  errors: ['finance.day_to_come'],
});

export const holdingAccount = z.object({
  id: idField<'account'>(),
  ...accountParty.shape,
  holding: z.enum(holdingNames),
  balanceFen: fenField,
});
export type HoldingAccount = z.output<typeof holdingAccount>;

export const listHoldingAccounts = listRoute({
  name: 'listHoldingAccounts',
  path: '/holdings/accounts',
  summary: 'The accounts behind what is owed and held, with their balances at an instant',
  permission: 'finance.holdings',
  sorts: ['id'],
  first: '-id',
  filters: {
    holding: filter.choice(holdingNames),
    /** Balances at this instant; now without it. */
    to: filter.instant(),
  },
  item: holdingAccount,
  readsMuch: 'always',
  columns: columnsOf<HoldingAccount>()({
    key: { kind: 'number', title: 'books.key' },
    holding: { kind: 'choice', title: 'finance.holding', words: 'holding' },
    kind: { kind: 'choice', title: 'books.kind', words: 'account-kind' },
    owner: { kind: 'text', title: 'books.owner', of: ownerNameOf },
    balanceFen: { kind: 'money', title: 'finance.balanceThen', hint: 'books.balanceHint' },
  }),
});
