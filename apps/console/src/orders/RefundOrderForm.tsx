import { refundableFen } from '@voltdeck/charging/refundable';
import { listAbnormalOrders } from '@voltdeck/contract/abnormal-orders';
import { listOrderRefunds } from '@voltdeck/contract/order-refunds';
import { getOrder, listOrders, type Order, refundOrder } from '@voltdeck/contract/orders';
import { fen } from '@voltdeck/units/money';
import { Button, Form } from 'antd';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import styles from './order-page.module.css';

type Props = { order: Order; open: boolean; onClose: () => void };

/** Refunds money of a completed order to the balance that paid it; the button shows how much. */
export default function RefundOrderForm({ order, open, onClose }: Props) {
  const [form] = Form.useForm();
  const maxFen = refundableFen(order);
  return (
    <RouteForm
      as="dialog"
      route={refundOrder}
      params={{ id: order.id }}
      form={form}
      title={phrase('orders.refundTitle', { number: order.number })}
      submitLabel={({ amountFen }) =>
        amountFen === undefined || amountFen <= 0
          ? phrase('orders.refundVerb')
          : phrase('orders.refundVerbAmount', { amount: moneyText(amountFen) })
      }
      intro={
        <p className={styles.formIntro}>
          {phrase('orders.refundIntro', {
            paid: moneyText(order.paidFen),
            refunded: moneyText(order.refundedFen),
            max: moneyText(maxFen),
            balance: phrase(order.paymentType === 'card' ? 'orders.account.card' : 'orders.account.customer'),
          })}
        </p>
      }
      fields={{
        amountFen: {
          label: 'orders.refundAmount',
          check: (amountFen) =>
            amountFen > 0 && amountFen <= maxFen ? null : phrase('orders.refundRange', { max: moneyText(maxFen) }),
          beside: (
            <Button onClick={() => form.setFieldsValue({ amountFen: fen(maxFen) })}>
              {phrase('orders.refundAll')}
            </Button>
          ),
        },
        reason: { label: 'orders.reasonHead', rows: 3 },
      }}
      fieldOf={{ 'order.refund_too_high': 'amountFen' }}
      refreshes={[listOrders, listAbnormalOrders, listOrderRefunds, getOrder]}
      open={open}
      onClose={onClose}
    />
  );
}
