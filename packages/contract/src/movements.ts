import { moneyChannels, movementStates, movementTypes } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { fenField, filter, idField, instantField, shown } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

export const movement = z.object({
  id: idField<'movement'>(),
  /** Of the order, recharge, withdrawal or transfer that it belongs to. */
  number: z.string(),
  type: z.enum(movementTypes),
  /** What became of a recharge. */
  state: z.enum(movementStates),
  cardId: z.nullable(idField<'card'>()),
  cardNumber: z.nullable(shown.card()),
  /** The registered user whose balance moved; null for a card's. */
  customerId: z.nullable(idField<'customer'>()),
  /** The group whose balance or pot moved. */
  groupId: z.nullable(idField<'group'>()),
  groupName: z.nullable(z.string()),
  /** The member whose pot moved; null for the balance of the group. */
  groupMemberId: z.nullable(idField<'group_member'>()),
  /** Of that user, of the one who holds the card, or of that member. */
  customerPhone: z.nullable(shown.phone()),
  nickname: z.nullable(z.string()),
  /** Below zero where it left the balance. */
  amountFen: fenField,
  paidFen: fenField,
  giftFen: fenField,
  /** The owner's money afterwards, free and held together. */
  balanceAfterFen: fenField,
  paidAfterFen: fenField,
  giftAfterFen: fenField,
  channel: z.nullable(z.enum(moneyChannels)),
  orderId: z.nullable(idField<'order'>()),
  rechargeId: z.nullable(idField<'recharge'>()),
  /** In the books. */
  transferId: z.int(),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  operatorName: z.nullable(z.string()),
  remark: z.string(),
  createdAt: instantField,
});
export type MoneyMovement = z.output<typeof movement>;

const filters = {
  type: filter.choice(movementTypes),
  cardNumber: filter.card(),
  phone: filter.phone(),
  number: filter.text(),
  channel: filter.choice(moneyChannels),
  state: filter.choice(movementStates),
  agentId: filter.id('agent'),
  cardId: filter.id('card'),
  customerId: filter.id('customer'),
  /** Whether the balance of a group moved. */
  ofGroup: filter.flag(),
  groupId: filter.id('group'),
  orderId: filter.id('order'),
  from: filter.instant(),
  to: filter.instant(),
};

export const listMovements = listRoute({
  name: 'listMovements',
  path: '/movements',
  summary: 'Movements of the money of cards and registered users',
  permission: 'recharge.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters,
  item: movement,
  columns: columnsOf<MoneyMovement>()({
    number: { kind: 'number', title: 'movements.number' },
    createdAt: { kind: 'instant', title: 'movements.createdAt' },
    type: { kind: 'choice', title: 'movements.type', words: 'movement-type' },
    cardNumber: { kind: 'number', title: 'recharges.cardNumber' },
    nickname: { kind: 'text', title: 'recharges.nickname' },
    groupName: { kind: 'text', title: 'recharges.groupName' },
    customerPhone: { kind: 'number', title: 'recharges.customerPhone' },
    amountFen: { kind: 'money', title: 'movements.amount' },
    balanceAfterFen: { kind: 'money', title: 'movements.balanceAfter', hint: 'movements.balanceAfterHint' },
    paidFen: { kind: 'money', title: 'movements.paid' },
    giftFen: { kind: 'money', title: 'movements.gift' },
    paidAfterFen: { kind: 'money', title: 'movements.paidAfter' },
    giftAfterFen: { kind: 'money', title: 'movements.giftAfter' },
    state: { kind: 'choice', title: 'movements.state', words: 'movement-state' },
    channel: { kind: 'choice', title: 'movements.channel', words: 'money-channel' },
    agentName: { kind: 'text', title: 'movements.agent' },
    operatorName: { kind: 'text', title: 'recharges.operatorName' },
    remark: { kind: 'text', title: 'recharges.remark' },
  }),
});

/** Sums by type read at most this many movements. */
export const summedMovementsMax = 1_000_000;

export const getMovementSums = route({
  method: 'GET',
  path: '/movements/sums',
  summary: 'Count and sums of the movements that the filters match, by type',
  permission: 'recharge.read',
  readsMuch: 'always',
  query: z.object(filters),
  answer: z.object({
    /** In the order of the types, those without movements left out; null where more match than are summed. */
    sums: z.nullable(
      z.array(z.object({ type: z.enum(movementTypes), count: z.int(), paidFen: fenField, giftFen: fenField })),
    ),
  }),
  errors: [],
});
