import {
  type Ability,
  canCancelOrder,
  canRefundOrder,
  canSettleByHand,
  canStopOrder,
} from '@voltdeck/charging/abilities';
import {
  cancelOrder,
  countOrders,
  getOrder,
  listOrders,
  type Order,
  stopOrder,
  sumOrders,
} from '@voltdeck/contract/orders';
import type { Permission } from '@voltdeck/contract/permissions';
import { App } from 'antd';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase, withOrderPhrases } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { energyText, moneyText } from '../ui/figures.ts';
import { refundableFen } from './refundable.ts';

/** Loaded when one is opened: a list is read far more often than it is acted on. */
const RefundOrderForm = lazy(withOrderPhrases(() => import('./RefundOrderForm.tsx')));
const SettleOrderForm = lazy(withOrderPhrases(() => import('./SettleOrderForm.tsx')));

export type OrderAct = {
  key: 'stop' | 'cancel' | 'settle' | 'refund';
  label: string;
  onClick: () => void;
  danger: boolean;
  because: string | undefined;
};

function becauseOf(ability: Ability): string | undefined {
  return ability.allowed ? undefined : phrase(`error.${ability.because}`);
}

type Form = { kind: 'settle' | 'refund'; order: Order };

/**
 * What may be done with an order: acts that the position grants, with the reason where the state forbids them, and the
 * forms that they open, to be rendered once on the page.
 */
export function useOrderActs(): { actsOf: (order: Order) => OrderAct[]; forms: ReactNode } {
  const can = useCan();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const { message } = App.useApp();
  const [form, setForm] = useState<Form | null>(null);
  const [open, setOpen] = useState(false);
  const show = (kind: Form['kind'], order: Order) => {
    setForm({ kind, order });
    setOpen(true);
  };

  const stop = (order: Order) =>
    confirm({
      question: phrase('orders.stopQuestion', { number: order.number }),
      details: phrase('orders.stopDetails', {
        station: order.stationName,
        port: order.connectorNumber,
        energy: energyText(order.energyWh),
        amount: moneyText(order.amountFen),
      }),
      verb: phrase('orders.stopVerb'),
      danger: true,
      act: async () => {
        const { agreed } = await call(stopOrder, { params: { id: order.id } });
        if (agreed) message.success(phrase('orders.stopAgreed'));
        else message.warning(phrase('orders.stopRefused'));
        await refresh(listOrders, getOrder);
      },
    });

  const cancel = (order: Order) =>
    confirm({
      question: phrase('orders.cancelQuestion', { number: order.number }),
      details: phrase('orders.cancelDetails'),
      verb: phrase('orders.cancelVerb'),
      danger: true,
      act: async () => {
        await call(cancelOrder, { params: { id: order.id } });
        message.success(phrase('orders.cancelled'));
        await refresh(listOrders, getOrder, sumOrders, countOrders);
      },
    });

  const actsOf = (order: Order): OrderAct[] => {
    const acts: (OrderAct & { needs: Permission; isShown: boolean })[] = [
      {
        key: 'stop',
        needs: 'order.stop',
        isShown: order.state === 'charging' || order.state === 'settling',
        label: phrase('orders.stop'),
        onClick: () => void stop(order),
        danger: true,
        because: becauseOf(canStopOrder(order)),
      },
      {
        key: 'cancel',
        needs: 'order.stop',
        isShown: order.state === 'placed',
        label: phrase('orders.cancel'),
        onClick: () => void cancel(order),
        danger: true,
        because: becauseOf(canCancelOrder(order)),
      },
      {
        key: 'settle',
        needs: 'order.settle',
        isShown: order.state === 'charging' || order.state === 'settling',
        label: phrase('orders.settle'),
        onClick: () => show('settle', order),
        danger: false,
        because: becauseOf(canSettleByHand(order)),
      },
      {
        key: 'refund',
        needs: 'order.refund',
        isShown: order.state === 'completed',
        label: phrase('orders.refund'),
        onClick: () => show('refund', order),
        danger: false,
        because:
          becauseOf(canRefundOrder(order)) ??
          (refundableFen(order) === 0 ? phrase('error.order.nothing_to_refund') : undefined),
      },
    ];
    return acts
      .filter((act) => act.isShown && can(act.needs))
      .map(({ needs: _needs, isShown: _isShown, ...act }) => act);
  };

  const close = () => setOpen(false);
  const forms =
    form === null ? null : (
      <Suspense>
        {form.kind === 'settle' ? (
          <SettleOrderForm key={form.order.id} order={form.order} open={open} onClose={close} />
        ) : (
          <RefundOrderForm key={form.order.id} order={form.order} open={open} onClose={close} />
        )}
      </Suspense>
    );
  return { actsOf, forms };
}
