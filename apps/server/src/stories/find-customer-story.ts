import type { NowSentence } from '@voltdeck/charging/story/story-kinds';
import type { ChannelPayment } from '@voltdeck/contract/channel-payments';
import type { CreditMovement } from '@voltdeck/contract/credit';
import type { CustomerDetail } from '@voltdeck/contract/customers';
import type { MoneyMovement } from '@voltdeck/contract/movements';
import type { Story } from '@voltdeck/contract/stories';
import type { CustomerId } from '@voltdeck/units/id';
import { dayMs, toIso } from '@voltdeck/units/instant';
import { may } from '../caller/may.ts';
import { creditMovementList } from '../credit/queries.ts';
import { findCustomerDetail } from '../customers/queries.ts';
import { channelPaymentList } from '../payments/channel-payments/queries.ts';
import { movementList } from '../payments/movements/queries.ts';
import { storyPeriod } from './story-period.ts';
import { tellShownCards } from './tell-frames.ts';
import { tellOrders } from './tell-orders.ts';
import { tellActs, tellApprovals } from './tell-people.ts';
import { type Listener, Telling } from './telling.ts';

const periodLimits = { usualMs: 7 * dayMs, maxMs: 366 * dayMs };

/** The story of a registered user and their cards; null for one out of scope. */
export async function findCustomerStory(
  listener: Listener,
  id: CustomerId,
  asked: { from?: string | undefined; to?: string | undefined },
): Promise<Story | null> {
  const customer = await findCustomerDetail(listener.db, listener.caller, id);
  if (customer === null) return null;
  const { from, to, isShortened } = storyPeriod(asked, listener.now, periodLimits);
  const within = { from: toIso(from), to: toIso(to) };
  const telling = new Telling(listener);
  await tellOrders(telling, { customerId: id }, within);
  await tellMovements(telling, id, within);
  await tellPayments(telling, id, within);
  await tellCredit(telling, id, within);
  await tellShownCards(telling, id, { from, to });
  await tellApprovals(telling, customer.phone, { kind: 'customer', id }, within);
  await tellActs(telling, { recordKind: 'customer', recordId: id }, within);
  return {
    subject: { kind: 'customer', id, name: customer.nickname },
    ...within,
    isShortened,
    now: nowOf(customer),
    acts: actsOn(telling, customer),
    ...telling.told(),
  };
}

type Within = { from: string; to: string };

/** Money that came and went; what an order took is told by the order. */
async function tellMovements(telling: Telling, customerId: CustomerId, within: Within): Promise<void> {
  for (const movement of await telling.read<MoneyMovement>('ledger', movementList, { customerId, ...within })) {
    const { type, amountFen, balanceAfterFen, cardNumber, createdAt } = movement;
    if (type === 'consume') continue;
    const params = { movementType: type, amountFen: Math.abs(amountFen), afterFen: balanceAfterFen, cardNumber };
    telling.tell(createdAt, { kind: amountFen < 0 ? 'money_out' : 'money_in', params });
  }
}

/** Codes to pay by that came to nothing, or to more than they should. What was paid is told as a recharge. */
async function tellPayments(telling: Telling, customerId: CustomerId, within: Within): Promise<void> {
  for (const payment of await telling.read<ChannelPayment>('payment', channelPaymentList, { customerId, ...within })) {
    const { number, amountFen, state, attention } = payment;
    const params = { number, amountFen };
    telling.tell(payment.createdAt, { kind: 'payment_asked', params });
    if (attention !== null) {
      telling.tell(payment.paidAt ?? payment.createdAt, { kind: 'payment_needs_person', params });
    } else if (state === 'failed') telling.tell(payment.createdAt, { kind: 'payment_failed', params });
  }
}

async function tellCredit(telling: Telling, customerId: CustomerId, within: Within): Promise<void> {
  const movements = await telling.read<CreditMovement>('payment', creditMovementList, { customerId, ...within });
  for (const { createdAt, points, after } of movements) {
    if (points !== 0) telling.tell(createdAt, { kind: 'credit_changed', params: { points, after } });
  }
}

function nowOf(customer: CustomerDetail): NowSentence[] {
  const { state, balanceFen, cardBalanceFen, heldFen, owedFen, runningCharges } = customer;
  const now: NowSentence[] = [];
  if (state === 'normal') now.push({ kind: 'customer_normal', params: {} });
  else if (state === 'disabled') now.push({ kind: 'customer_disabled', params: { remark: customer.stateReason } });
  else now.push({ kind: 'customer_merged', params: {} });
  now.push({ kind: 'balance', params: { amountFen: balanceFen, cardsFen: cardBalanceFen } });
  if (owedFen > 0) now.push({ kind: 'owes_all', params: { owedFen } });
  if (heldFen > 0) now.push({ kind: 'hold_on', params: { amountFen: heldFen } });
  if (runningCharges > 0) now.push({ kind: 'charges_running', params: { count: runningCharges } });
  return now;
}

/** What the page of the registered user offers. */
function actsOn(telling: Telling, { id, state }: CustomerDetail): Story['acts'] {
  const { caller } = telling.listener;
  const page = { to: 'customer', id } as const;
  const acts: Story['acts'] = [];
  if (state === 'normal' && may(caller, 'recharge.create')) {
    acts.push({ act: 'recharge', because: null, link: { to: 'recharge', customerId: id } });
  }
  if (state !== 'merged' && may(caller, 'customer.block')) {
    acts.push({ act: state === 'normal' ? 'disable' : 'enable', because: null, link: page });
  }
  acts.push({ act: 'customer', because: null, link: page });
  return acts;
}
