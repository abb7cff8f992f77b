import { canAcceptOrder, canDismissOrder } from '@voltdeck/charging/abilities';
import { hasPayer } from '@voltdeck/charging/charge/charge';
import { type AbnormalOrder, acceptancesMax } from '@voltdeck/contract/abnormal-orders';
import type { Order } from '@voltdeck/contract/orders';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { whyActWaits } from '../ui/list/act-waits.ts';
import type { Acts } from '../ui/list-page.ts';
import { orderActs, waitsOf } from './order-acts.tsx';

/** Lazy: most visits to a list never open it. */
const AcceptOrderForm = lazyPart(() => import('./AcceptOrderForm.tsx'));
const AcceptOrdersForm = lazyPart(() => import('./AcceptOrdersForm.tsx'));
const DismissOrderForm = lazyPart(() => import('./DismissOrderForm.tsx'));
const AssignStopForm = lazyPart(() => import('./AssignStopForm.tsx'));

/** A flagged order as its list and its own page know it. */
type Flagged = Order & { proposal: object | null };

/** All acts on a flagged order. None of them shows another overlay, so they suit rows that know more of an order. */
export function flaggedActs<Row extends Flagged>(): Acts<Row> {
  // A row has room for the first two buttons.
  const { accept, ...rarer } = abnormalActs;
  return { accept, ...orderActs, ...rarer } as unknown as Acts<Row>;
}

const mayDismiss = (order: Flagged) => canDismissOrder({ ...order, hasPayer: hasPayer(order) });

/** What is done about a flagged order besides settling and refunding it. */
const abnormalActs = {
  accept: {
    on: 'row',
    label: 'abnormal.accept',
    may: 'order.settle',
    isFor: ({ unhandled }) => unhandled,
    because: (order) => {
      const ability = canAcceptOrder({ ...order, hasProposal: order.proposal !== null });
      return ability.allowed ? whyActWaits('order_settlement', waitsOf(order)) : phrase(`error.${ability.because}`);
    },
    overlay: (order, { open, close, tell }) => (
      <AcceptOrderForm order={order} open={open} onClose={close} onSaved={() => tell(phrase('abnormal.accepted'))} />
    ),
  },
  dismiss: {
    on: 'row',
    label: 'abnormal.dismiss',
    may: 'order.settle',
    danger: true,
    isFor: (order) => mayDismiss(order).allowed,
    overlay: (order, { open, close, tell }) => (
      <DismissOrderForm order={order} open={open} onClose={close} onSaved={() => tell(phrase('abnormal.dismissed'))} />
    ),
  },
  assign: {
    on: 'row',
    label: 'abnormal.assign',
    may: 'order.settle',
    isFor: ({ waitsFor, wasPlaced, startedAt }) => waitsFor === 'person' && !wasPlaced && startedAt === null,
    overlay: (order, { open, close, tell }) => (
      <AssignStopForm
        order={order}
        open={open}
        onClose={close}
        onSaved={(number) => tell(phrase('abnormal.assigned', { number }))}
      />
    ),
  },
} satisfies Acts<Flagged>;

/** On orders chosen together. */
export const acceptance = {
  acceptMany: {
    on: 'rows',
    label: 'abnormal.acceptMany',
    may: 'order.settle',
    because: (orders) => {
      if (orders.length > acceptancesMax) return phrase('abnormal.tooMany', { max: acceptancesMax });
      if (orders.some(({ unhandled }) => !unhandled)) return phrase('error.order.already_handled');
      return orders.every(({ state }) => state === 'completed' || state === 'cancelled')
        ? undefined
        : phrase('abnormal.onlyEnded');
    },
    overlay: (orders, { open, close, tell, done }) => (
      <AcceptOrdersForm
        orders={orders}
        open={open}
        onClose={close}
        onSaved={(count) => {
          done();
          tell(phrase('abnormal.acceptedMany', { count }));
        }}
      />
    ),
  },
} satisfies Acts<AbnormalOrder>;
