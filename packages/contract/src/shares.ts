import { shareReasons } from '@voltdeck/ledger/share';
import * as z from 'zod/mini';
import { orWaits } from './approvals.ts';
import { fenField, idParameter, instantField, linesField } from './fields.ts';
import { route } from './route.ts';

export const sharePartyKinds = ['platform', 'agent', 'divider'] as const;
export type SharePartyKind = (typeof sharePartyKinds)[number];

const rateField = z.int();

/** Who shares, with the name for it; the platform has none. */
export const shareParty = z.object({
  kind: z.enum(sharePartyKinds),
  id: z.nullable(z.int()),
  name: z.nullable(z.string()),
});
export type ShareParty = z.output<typeof shareParty>;

const amounts = { electricityFen: fenField, serviceFen: fenField, occupancyFen: fenField, amountFen: fenField };

export const orderShare = z.object({
  party: shareParty,
  reason: z.enum(shareReasons),
  /**
   * The rate by fee in hundredths of a percent, of what was there to divide: of everything for the channel fee, of the
   * rest for the commission, of what the holder has left for a divider. Null for what is left over.
   */
  ratesE4: z.nullable(z.object({ electricity: rateField, service: rateField, occupancy: rateField })),
  /** An agent's rate of what the one above has, in hundredths of a percent. */
  agentRateE4: z.nullable(rateField),
  ...amounts,
});
export type OrderShare = z.output<typeof orderShare>;

export const orderShares = z.object({
  /** What the payer paid less what went back. */
  receivedFen: fenField,
  /** Whether these are all shares: others than the platform's people see their own and those below them. */
  isWhole: z.boolean(),
  shares: z.array(orderShare),
  /** Each time that shares were posted: when the order settled, and whenever money came in late or went back. */
  postings: z.array(z.object({ number: z.int(), at: instantField, amountFen: fenField })),
});
export type OrderShares = z.output<typeof orderShares>;

export const getOrderShares = route({
  method: 'GET',
  path: '/orders/{id}/shares',
  summary: 'Who got what of an order, and why',
  permission: 'order.shares',
  params: z.object({ id: idParameter<'order'>() }),
  answer: orderShares,
  errors: [],
});

export const correctOrderShares = route({
  method: 'POST',
  path: '/orders/{id}/share-corrections',
  summary:
    'Share an order anew by the terms that were in force when it settled: reversed and posted as it should have been',
  permission: 'order.correct_shares',
  params: z.object({ id: idParameter<'order'>() }),
  body: z.object({ reason: linesField(200, 2) }),
  answer: orWaits(orderShares),
  errors: ['shares.not_settled', 'shares.same'],
  idempotency: 'required',
});
