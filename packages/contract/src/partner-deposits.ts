import { movementStates, movementTypes } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { orWaits } from './approvals.ts';
import { fenField, fenFieldUpTo, filter, idField, idParameter, instantField, linesField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { depositFenMax } from './partners.ts';
import { route } from './route.ts';

export const deposit = z.object({
  id: idField<'recharge'>(),
  number: z.string(),
  partnerId: idField<'partner'>(),
  partnerName: z.string(),
  amountFen: fenField,
  balanceBeforeFen: fenField,
  balanceAfterFen: fenField,
  owedAfterFen: fenField,
  /** What it paid of charges that were left owing. */
  repaidFen: fenField,
  remark: z.string(),
  createdAt: instantField,
});
export type Deposit = z.output<typeof deposit>;

export const depositForPartner = route({
  method: 'POST',
  path: '/partners/{id}/deposits',
  summary: 'Enter what a partner paid in for its charges at our stations; what it owes is repaid first',
  permission: 'partner.deposit',
  idempotency: 'required',
  params: z.object({ id: idParameter<'partner'>() }),
  body: z.object({ amountFen: fenFieldUpTo(depositFenMax), remark: linesField(200, 2) }),
  answer: orWaits(deposit),
  errors: ['partner.no_deposit', 'recharge.day_limit'],
});

export const partnerMovement = z.object({
  id: idField<'movement'>(),
  partnerId: idField<'partner'>(),
  partnerName: z.string(),
  number: z.string(),
  type: z.enum(movementTypes),
  state: z.enum(movementStates),
  /** Below zero where it left the balance. */
  amountFen: fenField,
  /** The partner's money afterwards, free and held together. */
  balanceAfterFen: fenField,
  orderId: z.nullable(idField<'order'>()),
  operatorName: z.nullable(z.string()),
  remark: z.string(),
  createdAt: instantField,
});
export type PartnerMovement = z.output<typeof partnerMovement>;

export const listPartnerMovements = listRoute({
  name: 'listPartnerMovements',
  path: '/partner-movements',
  summary: 'Movements of the money that partners deposited',
  permission: 'partner.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    partnerId: filter.id('partner'),
    type: filter.choice(movementTypes),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: partnerMovement,
  columns: columnsOf<PartnerMovement>()({
    number: { kind: 'number', title: 'movements.number' },
    createdAt: { kind: 'instant', title: 'movements.createdAt' },
    partnerName: { kind: 'text', title: 'interop.partner' },
    type: { kind: 'choice', title: 'movements.type', words: 'movement-type' },
    amountFen: { kind: 'money', title: 'movements.amount' },
    balanceAfterFen: { kind: 'money', title: 'movements.balanceAfter', hint: 'movements.balanceAfterHint' },
    state: { kind: 'choice', title: 'movements.state', words: 'movement-state' },
    operatorName: { kind: 'text', title: 'recharges.operatorName' },
    remark: { kind: 'text', title: 'recharges.remark' },
  }),
});

export const partnerPayment = z.object({
  id: idField<'partner_payment'>(),
  partnerId: idField<'partner'>(),
  partnerName: z.string(),
  /** Below zero where the partner gave it back. */
  amountFen: fenField,
  /** What is still owed to it afterwards. */
  payableAfterFen: fenField,
  operatorName: z.nullable(z.string()),
  remark: z.string(),
  createdAt: instantField,
});
export type PartnerPayment = z.output<typeof partnerPayment>;

export const payPartner = route({
  method: 'POST',
  path: '/partners/{id}/payments',
  summary: 'Enter what was paid to a partner for charges of our customers; below zero what it gave back',
  permission: 'partner.pay',
  idempotency: 'required',
  params: z.object({ id: idParameter<'partner'>() }),
  body: z.object({
    amountFen: fenField.check(
      z.gte(-depositFenMax),
      z.lte(depositFenMax),
      z.refine((amountFen) => amountFen !== 0, { error: 'required' }),
    ),
    remark: linesField(200, 2),
  }),
  answer: orWaits(partnerPayment),
  errors: ['partner.payment_range'],
});

export const listPartnerPayments = listRoute({
  name: 'listPartnerPayments',
  path: '/partner-payments',
  summary: 'What was paid to partners for charges of our customers',
  permission: 'partner.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: { partnerId: filter.id('partner'), from: filter.instant(), to: filter.instant() },
  item: partnerPayment,
  columns: columnsOf<PartnerPayment>()({
    createdAt: { kind: 'instant', title: 'movements.createdAt' },
    partnerName: { kind: 'text', title: 'interop.partner' },
    amountFen: { kind: 'money', title: 'movements.amount' },
    payableAfterFen: { kind: 'money', title: 'interop.payableAfter' },
    operatorName: { kind: 'text', title: 'recharges.operatorName' },
    remark: { kind: 'text', title: 'recharges.remark' },
  }),
});
