import { fen } from '@voltdeck/units/money';
import * as z from 'zod/mini';
import { orWaits } from './approvals.ts';
import { fenField, fenFieldUpTo, filter, idField, instantField, linesField, shown, textField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { rechargeFenMax } from './payments.ts';
import { route } from './route.ts';

/** Between people, to the card that replaces another one, or to the record that another one was merged into. */
export const transferKinds = ['between', 'card_replaced', 'merged'] as const;
export type TransferKind = (typeof transferKinds)[number];

/** What became of a gift or a transfer: it stands, or was reversed in the ledger. */
export const entryStates = ['done', 'reversed'] as const;
export type EntryState = (typeof entryStates)[number];

const reversed = {
  state: z.enum(entryStates),
  reversedAt: z.nullable(instantField),
  reversalReason: z.nullable(z.string()),
};

export const walletTransfer = z.object({
  id: idField<'wallet_transfer'>(),
  number: z.string(),
  kind: z.enum(transferKinds),
  fromCardId: z.nullable(idField<'card'>()),
  fromCardNumber: z.nullable(shown.card()),
  fromCustomerId: z.nullable(idField<'customer'>()),
  fromCustomerPhone: z.nullable(shown.phone()),
  /** Of the registered user, or of the one who holds the card. */
  fromNickname: z.nullable(z.string()),
  toCardId: z.nullable(idField<'card'>()),
  toCardNumber: z.nullable(shown.card()),
  toCustomerId: z.nullable(idField<'customer'>()),
  toCustomerPhone: z.nullable(shown.phone()),
  toNickname: z.nullable(z.string()),
  /** Paid money and gifts together. */
  amountFen: fenField,
  paidFen: fenField,
  /** Only where a whole balance moved: people transfer paid money. */
  giftFen: fenField,
  /** The part that repaid the receiver's debts at once. */
  repaidFen: fenField,
  reason: z.string(),
  /** Who entered it. */
  operatorName: z.nullable(z.string()),
  createdAt: instantField,
  ...reversed,
});
export type WalletTransfer = z.output<typeof walletTransfer>;

export const createTransfer = route({
  method: 'POST',
  path: '/transfers',
  summary: 'Move paid money from one card or registered user to another; debts of the receiver are repaid first',
  permission: 'transfer.create',
  /** Exactly one of each side; callers who see masked numbers send the id. */
  body: z.object({
    fromCustomerPhone: z.optional(textField(20)),
    fromCardNumber: z.optional(textField(20)),
    fromCustomerId: z.optional(idField<'customer'>()),
    fromCardId: z.optional(idField<'card'>()),
    toCustomerPhone: z.optional(textField(20)),
    toCardNumber: z.optional(textField(20)),
    toCustomerId: z.optional(idField<'customer'>()),
    toCardId: z.optional(idField<'card'>()),
    amountFen: fenFieldUpTo(rechargeFenMax),
    reason: z.optional(linesField(200, 0)),
  }),
  answer: orWaits(walletTransfer),
  errors: [
    'card.not_usable',
    'card.cancelled',
    'customer.disabled',
    'customer.merged',
    'transfer.same_wallet',
    'transfer.other_agent',
    'transfer.platform_only',
    'transfer.sender_owes',
    'transfer.too_high',
  ],
  idempotency: 'required',
});

export const listTransfers = listRoute({
  name: 'listTransfers',
  path: '/transfers',
  summary: 'Transfers between balances',
  permission: 'recharge.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    number: filter.text(),
    kind: filter.choice(transferKinds),
    state: filter.choice(entryStates),
    /** Of either side, as the other filters. */
    cardNumber: filter.card(),
    phone: filter.phone(),
    cardId: filter.id('card'),
    customerId: filter.id('customer'),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: walletTransfer,
  columns: columnsOf<WalletTransfer>()({
    number: { kind: 'number', title: 'transfers.number' },
    amountFen: { kind: 'money', title: 'transfers.amount', summed: true },
    kind: { kind: 'choice', title: 'transfers.kind', words: 'transfer-kind' },
    state: { kind: 'choice', title: 'transfers.state', words: 'entry-state' },
    fromCardNumber: { kind: 'number', title: 'transfers.fromCard', group: 'transfers.from' },
    fromCustomerPhone: { kind: 'number', title: 'transfers.fromPhone', group: 'transfers.from' },
    fromNickname: { kind: 'text', title: 'transfers.fromNickname', group: 'transfers.from' },
    toCardNumber: { kind: 'number', title: 'transfers.toCard', group: 'transfers.to' },
    toCustomerPhone: { kind: 'number', title: 'transfers.toPhone', group: 'transfers.to' },
    toNickname: { kind: 'text', title: 'transfers.toNickname', group: 'transfers.to' },
    giftFen: { kind: 'money', title: 'transfers.gift', summed: true },
    repaidFen: { kind: 'money', title: 'transfers.repaid', summed: true },
    reason: { kind: 'text', title: 'transfers.reason' },
    operatorName: { kind: 'text', title: 'transfers.operator' },
    createdAt: { kind: 'instant', title: 'transfers.createdAt' },
    reversedAt: { kind: 'instant', title: 'transfers.reversedAt' },
    reversalReason: { kind: 'text', title: 'transfers.reversalReason' },
  }),
});

export const giftKinds = ['given', 'deducted'] as const;
export type GiftKind = (typeof giftKinds)[number];

export const walletGift = z.object({
  id: idField<'wallet_gift'>(),
  number: z.string(),
  kind: z.enum(giftKinds),
  cardId: z.nullable(idField<'card'>()),
  cardNumber: z.nullable(shown.card()),
  customerId: z.nullable(idField<'customer'>()),
  customerPhone: z.nullable(shown.phone()),
  nickname: z.nullable(z.string()),
  amountFen: fenField,
  /** The part that repaid debts at once. */
  repaidFen: fenField,
  reason: z.string(),
  operatorName: z.nullable(z.string()),
  createdAt: instantField,
  ...reversed,
});
export type WalletGift = z.output<typeof walletGift>;

/** Exactly one of the first four; callers who see masked numbers send the id. */
const giftBody = z.object({
  customerPhone: z.optional(textField(20)),
  cardNumber: z.optional(textField(20)),
  customerId: z.optional(idField<'customer'>()),
  cardId: z.optional(idField<'card'>()),
  amountFen: fenFieldUpTo(rechargeFenMax),
  reason: linesField(200, 2),
});

export const createGift = route({
  method: 'POST',
  path: '/gifts',
  summary: 'Give a gift into a balance at the platform’s cost: it can be charged with and is never paid out',
  permission: 'gift.create',
  body: giftBody,
  answer: orWaits(walletGift),
  errors: ['card.not_usable', 'card.cancelled', 'customer.disabled', 'customer.merged', 'recharge.day_limit'],
  idempotency: 'required',
});

export const createGiftDeduction = route({
  method: 'POST',
  path: '/gift-deductions',
  summary: 'Take gifts back out of a balance, at most those that are free',
  permission: 'gift.deduct',
  body: giftBody,
  answer: orWaits(walletGift),
  errors: ['card.cancelled', 'customer.merged', 'gift.deduction_too_high'],
  idempotency: 'required',
});

export const listGifts = listRoute({
  name: 'listGifts',
  path: '/gifts',
  summary: 'Gifts that were given into balances or taken back, beside those of promotions',
  permission: 'recharge.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    number: filter.text(),
    kind: filter.choice(giftKinds),
    state: filter.choice(entryStates),
    cardNumber: filter.card(),
    phone: filter.phone(),
    cardId: filter.id('card'),
    customerId: filter.id('customer'),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: walletGift,
  columns: columnsOf<WalletGift>()({
    number: { kind: 'number', title: 'gifts.number' },
    kind: { kind: 'choice', title: 'gifts.kind', words: 'gift-kind' },
    state: { kind: 'choice', title: 'transfers.state', words: 'entry-state' },
    cardNumber: { kind: 'number', title: 'gifts.cardNumber' },
    customerPhone: { kind: 'number', title: 'gifts.customerPhone' },
    nickname: { kind: 'text', title: 'gifts.nickname' },
    // Signed, so that the sum is what users got.
    amountFen: {
      kind: 'money',
      title: 'gifts.amount',
      of: ({ kind, amountFen }) => (kind === 'deducted' ? fen(-amountFen) : amountFen),
      summed: true,
    },
    repaidFen: { kind: 'money', title: 'gifts.repaid', summed: true },
    reason: { kind: 'text', title: 'gifts.reason' },
    operatorName: { kind: 'text', title: 'gifts.operator' },
    createdAt: { kind: 'instant', title: 'gifts.createdAt' },
    reversedAt: { kind: 'instant', title: 'transfers.reversedAt' },
    reversalReason: { kind: 'text', title: 'transfers.reversalReason' },
  }),
});
