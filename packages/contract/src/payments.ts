import * as z from 'zod/mini';
import {
  fenField,
  fenFieldUpTo,
  filter,
  idField,
  idParameter,
  instantField,
  listAnswer,
  listFields,
  textField,
} from './fields.ts';
import { route } from './route.ts';

/** One recharge of a wallet: 100,000 yuan. */
export const rechargeFenMax = 10_000_000;

export const recharge = z.object({
  id: idField<'recharge'>(),
  number: z.string(),
  cardId: z.nullable(idField<'card'>()),
  cardNumber: z.nullable(z.string()),
  customerId: z.nullable(idField<'customer'>()),
  customerPhone: z.nullable(z.string()),
  amountFen: fenField,
  /** What of the balance paid debts of earlier orders, the oldest first. */
  repaidFen: fenField,
  balanceBeforeFen: fenField,
  /** What is free to spend afterwards. */
  balanceAfterFen: fenField,
  /** What is still owed afterwards. */
  owedAfterFen: fenField,
  /** The agent whose prepaid account paid; null where the money came from outside. */
  agentId: z.nullable(idField<'agent'>()),
  /** What that account had left; null like the agent. */
  prepaidAfterFen: z.nullable(fenField),
  reversedAt: z.nullable(instantField),
  reversalReason: z.nullable(z.string()),
  createdAt: instantField,
});
export type Recharge = z.output<typeof recharge>;

export const createRecharge = route({
  method: 'POST',
  path: '/recharges',
  summary: 'Put money on a card or a registered user; an agent pays out of its prepaid account',
  permission: 'recharge.create',
  /** Exactly one of the two. */
  body: z.object({
    cardNumber: z.optional(textField(20)),
    customerPhone: z.optional(textField(20)),
    amountFen: fenFieldUpTo(rechargeFenMax),
    remark: z.optional(textField(200, 0)),
  }),
  answer: recharge,
  errors: ['card.not_usable', 'agent.prepaid_too_low'],
  idempotency: 'required',
});

export const reverseRecharge = route({
  method: 'POST',
  path: '/recharges/{id}/reversals',
  summary: 'Undo a recharge that was entered by mistake, as long as its money was not spent',
  permission: 'recharge.reverse',
  params: z.object({ id: idParameter<'recharge'>() }),
  body: z.object({ reason: textField(200, 2) }),
  answer: recharge,
  errors: ['recharge.already_reversed', 'recharge.spent'],
  idempotency: 'required',
});

export const listRecharges = route({
  method: 'GET',
  path: '/recharges',
  summary: 'Recharge records',
  permission: 'recharge.read',
  query: z.object({ ...listFields(['createdAt']), cardNumber: filter.text(20), phone: filter.text(20) }),
  answer: listAnswer(recharge),
  errors: ['list.too_deep'],
});

export const getLedgerProof = route({
  method: 'GET',
  path: '/ledger/proof',
  summary: 'Proof of the books: every balance re-computed from its postings',
  permission: 'ledger.read',
  readsMuch: 'always',
  answer: z.object({
    /** The sum over all accounts; zero, or the books are broken. */
    sumFen: z.int(),
    accounts: z.int(),
    transfers: z.int(),
    /** Accounts whose kept balance is not the sum of their postings. */
    mismatches: z.int(),
    checkedAt: instantField,
  }),
  errors: [],
});
