import * as z from 'zod/mini';
import {
  fenField,
  filter,
  idField,
  instantField,
  listAnswer,
  listFields,
  positiveFenField,
  textField,
} from './fields.ts';
import { route } from './route.ts';

export const recharge = z.object({
  id: z.int(),
  number: z.string(),
  cardId: z.nullable(idField<'card'>()),
  cardNumber: z.nullable(z.string()),
  customerId: z.nullable(idField<'customer'>()),
  customerPhone: z.nullable(z.string()),
  amountFen: fenField,
  balanceBeforeFen: fenField,
  balanceAfterFen: fenField,
  createdAt: instantField,
});
export type Recharge = z.output<typeof recharge>;

export const createRecharge = route({
  method: 'POST',
  path: '/recharges',
  summary: 'Put money on a card or a registered user from the back office',
  permission: 'recharge.create',
  /** Exactly one of the two. */
  body: z.object({
    cardNumber: z.optional(textField(20)),
    customerPhone: z.optional(textField(20)),
    amountFen: positiveFenField,
    remark: z.optional(textField(200, 0)),
  }),
  answer: recharge,
  errors: ['card.not_usable'],
  idempotent: true,
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
