import * as z from 'zod/mini';
import { dayField, fenField, idField, instantField } from './fields.ts';
import { route } from './route.ts';

/**
 * Figures that two places must agree on. `charged`: bills of orders, and statements. `received`: orders, and statements.
 * `shared`: what orders received, and the shares of it. `statement_shares`: shares, and statements. `agent_income`,
 * `divider_income`: shares, and what the books have and paid. `commission`, `channel_fee`: shares, and the books.
 * `closed_periods`: shares, and closed periods. `paid_out`: closed periods, and the books. `home`: what the home page counts
 * by the day on which charges ended, over all days, and statements with what they leave out: discounts, and bills that
 * moved no money. `home_yesterday`: the same for the day before, with the orders that ended and were posted on two days.
 */
export const provenTotals = [
  'charged',
  'received',
  'shared',
  'statement_shares',
  'agent_income',
  'divider_income',
  'commission',
  'channel_fee',
  'closed_periods',
  'paid_out',
  'home',
  'home_yesterday',
] as const;
export type ProvenTotal = (typeof provenTotals)[number];

/** Orders that a proof names; more are counted. */
export const acrossDaysNamedMax = 20;

/** An order that ended on one day and was posted on another, so that home page and statements count it apart. */
export const orderAcrossDays = z.object({
  id: idField<'order'>(),
  number: z.string(),
  endedOn: dayField,
  postedOn: dayField,
  amountFen: fenField,
});
export type OrderAcrossDays = z.output<typeof orderAcrossDays>;

/**
 * Why a proof did not come to its end. `out_of_time`: the sums take longer than they may. `sums_behind`: too many
 * transfers are not in the sums of statements yet.
 */
export const proofFailures = ['out_of_time', 'sums_behind', 'other'] as const;
export type ProofFailure = (typeof proofFailures)[number];

export const totalProof = z.object({
  provenAt: instantField,
  tookMs: z.int(),
  /** Who asked; null for the nightly one. */
  userName: z.nullable(z.string()),
  rows: z.array(z.object({ total: z.enum(provenTotals), oneFen: fenField, otherFen: fenField })),
  differing: z.int(),
  /** Of the day before the proof; null for proofs that did not look at it. */
  acrossDays: z.nullable(
    z.object({
      day: dayField,
      /** What they come to on the home page, and in the statement of the day. */
      endedFen: fenField,
      postedFen: fenField,
      count: z.int(),
      /** Those of the largest amounts. */
      orders: z.array(orderAcrossDays),
    }),
  ),
  /** Where it did not come to its end: `rows` are the figures before that one. Null for a whole proof. */
  failed: z.nullable(z.object({ total: z.nullable(z.enum(provenTotals)), failure: z.enum(proofFailures) })),
});
export type TotalProof = z.output<typeof totalProof>;

/** The comparison of a day's kept sums with its postings. What differs is made again from the books. */
export const keptSumProof = z.object({
  day: dayField,
  provenAt: instantField,
  /** Null where it did not come to its end. */
  differing: z.nullable(z.int()),
  failure: z.nullable(z.enum(proofFailures)),
});
export type KeptSumProof = z.output<typeof keptSumProof>;

const proofs = z.object({ proof: z.nullable(totalProof), sums: z.nullable(keptSumProof) });

export const getTotalProofRun = route({
  method: 'GET',
  path: '/total-proofs/latest',
  summary:
    'The last proof that figures of orders, shares, statements and the books are the same; null before the first',
  permission: 'finance.holdings',
  answer: proofs,
  errors: [],
});

export const proveTotals = route({
  method: 'POST',
  path: '/total-proofs',
  summary: 'Prove now that figures of orders, shares, statements and the books are the same',
  permission: 'finance.holdings',
  readsMuch: 'always',
  answer: proofs,
  errors: ['finance.proof_running'],
});
