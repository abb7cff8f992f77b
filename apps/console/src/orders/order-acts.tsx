import {
  type Ability,
  canCancelOrder,
  canRefundOrder,
  canSettleByHand,
  canStopOrder,
} from '@voltdeck/charging/abilities';
import { offersSettlement } from '@voltdeck/charging/offers-settlement';
import { refundableFen } from '@voltdeck/charging/refundable';
import type { WaitingAct } from '@voltdeck/contract/approvals';
import { cancelOrder, getOrder, type Order, type OrderDetail } from '@voltdeck/contract/orders';
import { createRecharge } from '@voltdeck/contract/payments';
import { stopOrder } from '@voltdeck/contract/stop-order';
import type { CardId, CustomerId } from '@voltdeck/units/id';
import { useEffect, useEffectEvent } from 'react';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { useGo } from '../session/use-go.ts';
import { energyText, moneyText } from '../ui/figures.ts';
import { isoDateTime } from '../ui/instants.ts';
import { whyActWaits } from '../ui/list/act-waits.ts';
import type { Acts } from '../ui/list-page.ts';
import { withWords } from '../words.ts';

/** Lazy: most visits to a list never open it. */
const RefundOrderForm = lazyPart(withWords(['order'], () => import('./RefundOrderForm.tsx')));
const SettleOrderForm = lazyPart(withWords(['order'], () => import('./SettleOrderForm.tsx')));

function becauseOf(ability: Ability): string | undefined {
  return ability.allowed ? undefined : phrase(`error.${ability.because}`);
}

type Payer = { cardId: CardId } | { customerId: CustomerId };

/** Whose money pays an order, as a recharge names them; null when unknown. */
function payerOf({ paymentType, cardId, customerId }: Order): Payer | null {
  if (paymentType === 'card') return cardId === null ? null : { cardId };
  return customerId === null ? null : { customerId };
}

function whyNoRefund(order: Order): string | undefined {
  const { refundableUntil: until } = order;
  const ability = canRefundOrder({ ...order, isPeriodOver: until !== null && Date.parse(until) < Date.now() });
  if (!ability.allowed) return phrase(`error.${ability.because}`, { until: isoDateTime(until ?? '') ?? '' });
  return refundableFen(order) === 0 ? phrase('error.order.nothing_to_refund') : undefined;
}

/** What waits for a second person, which the list of orders does not know. */
export const waitsOf = (order: Order): { waits: readonly WaitingAct[] } => ({
  waits: 'waits' in order ? (order as OrderDetail).waits : [],
});

const isRunning = ({ state }: Order) => state === 'charging' || state === 'settling';

/** Leads to the comparison of the two chosen charges. */
function GoToComparison({ orders, done }: { orders: readonly Order[]; done: () => void }) {
  const go = useGo();
  const leave = useEffectEvent(() => {
    const [one, other] = orders;
    done();
    if (one !== undefined && other !== undefined) go('chargeComparison', { id: one.id, other: other.id });
  });
  useEffect(() => leave(), []);
  return null;
}

/** On orders chosen together. */
export const comparison = {
  compare: {
    on: 'rows',
    label: 'orders.compare',
    may: 'log.read',
    because: (orders) =>
      orders.length === 2 && orders.every(({ startedAt }) => startedAt !== null)
        ? undefined
        : phrase('orders.compareTwo'),
    overlay: (orders, { close, done }) => (
      <GoToComparison
        orders={orders}
        done={() => {
          close();
          done();
        }}
      />
    ),
  },
} satisfies Acts<Order>;

/** The acts on an order, in lists and on its own page. */
export const orderActs = {
  stop: {
    on: 'row',
    label: 'orders.stop',
    may: 'order.stop',
    danger: true,
    isFor: isRunning,
    because: (order) =>
      becauseOf(canStopOrder(order)) ?? (order.stationOnline ? undefined : phrase('error.station.offline')),
    deed: async ({ id }) => {
      // The list may be stale; the question shows the current meter reading.
      const { number, stationName, connectorNumber, energyWh, amountFen } = await call(getOrder, { params: { id } });
      return {
        ask: {
          question: phrase('orders.stopQuestion', { number }),
          details: phrase('orders.stopDetails', {
            station: stationName,
            port: connectorNumber,
            energy: energyText(energyWh),
            amount: moneyText(amountFen),
          }),
          verb: phrase('orders.stopVerb'),
        },
        do: async (idempotencyKey) => {
          const { agreed } = await call(stopOrder, { params: { id }, idempotencyKey });
          return agreed ? phrase('orders.stopAgreed') : { warning: phrase('orders.stopRefused') };
        },
      };
    },
  },
  cancel: {
    on: 'row',
    label: 'orders.cancel',
    may: 'order.stop',
    danger: true,
    isFor: ({ state }) => state === 'placed',
    because: (order) => becauseOf(canCancelOrder(order)),
    deed: ({ id, number }) => ({
      ask: {
        question: phrase('orders.cancelQuestion', { number }),
        details: phrase('orders.cancelDetails'),
        verb: phrase('orders.cancelVerb'),
      },
      do: async (idempotencyKey) => {
        await call(cancelOrder, { params: { id }, idempotencyKey });
        return phrase('orders.cancelled');
      },
    }),
  },
  settle: {
    on: 'row',
    label: 'orders.settle',
    may: 'order.settle',
    isFor: offersSettlement,
    because: (order) => becauseOf(canSettleByHand(order)) ?? whyActWaits('order_settlement', waitsOf(order)),
    overlay: (order, { open, close }) => <SettleOrderForm order={order} open={open} onClose={close} />,
  },
  collect: {
    on: 'row',
    label: 'orders.collect',
    may: 'recharge.create',
    isFor: (order) => order.owedFen > 0 && payerOf(order) !== null,
    deed: async ({ id }) => {
      // The list may be stale, or the debt paid elsewhere: a recharge for it would then be money nobody handed over.
      const order = await call(getOrder, { params: { id } });
      if (order.owedFen <= 0) return { do: async () => ({ warning: phrase('orders.collectNothing') }) };
      const amount = moneyText(order.owedFen);
      const payer = payerOf(order) ?? {};
      const payerName = (order.paymentType === 'card' ? order.cardNumber : order.phone) ?? '';
      return {
        ask: {
          question: phrase('orders.collectQuestion', { number: order.number, amount }),
          details: phrase('orders.collectDetails', { amount, payer: payerName }),
          verb: phrase('orders.collectVerb', { amount }),
        },
        do: async (idempotencyKey) => {
          const made = await call(createRecharge, { body: { ...payer, amountFen: order.owedFen }, idempotencyKey });
          const [repaid, owed] = [moneyText(made.repaidFen), moneyText(made.owedAfterFen)];
          return phrase('orders.collected', { repaid, owed });
        },
      };
    },
  },
  refund: {
    on: 'row',
    label: 'orders.refund',
    may: 'order.refund',
    isFor: ({ state }) => state === 'completed',
    because: (order) => whyNoRefund(order) ?? whyActWaits('order_refund', waitsOf(order)),
    overlay: (order, { open, close }) => <RefundOrderForm order={order} open={open} onClose={close} />,
  },
} satisfies Acts<Order>;
