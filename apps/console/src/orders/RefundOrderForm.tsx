import { countOrders, getOrder, listOrders, type Order, refundOrder, sumOrders } from '@voltdeck/contract/orders';
import { fen, parseYuan } from '@voltdeck/units/money';
import { Button, Form, Input, InputNumber } from 'antd';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { FormDrawer } from '../ui/FormDrawer.tsx';
import { moneyText } from '../ui/figures.ts';
import styles from './order-page.module.css';
import { refundableFen } from './refundable.ts';

type Values = { amountFen: string; reason: string };

/** Gives money of a completed order back to the balance that paid it; the button says how much. */
export default function RefundOrderForm({
  order,
  open,
  onClose,
}: {
  order: Order;
  open: boolean;
  onClose: () => void;
}) {
  const [form] = Form.useForm<Values>();
  const refresh = useRefresh();
  const amountFen = parseYuan(String(Form.useWatch('amountFen', form) ?? ''));
  const maxFen = refundableFen(order);
  const balance = phrase(order.paymentType === 'card' ? 'orders.account.card' : 'orders.account.customer');
  return (
    <FormDrawer<Values, unknown>
      as="dialog"
      title={phrase('orders.refundTitle', { number: order.number })}
      open={open}
      onClose={onClose}
      form={form}
      submitLabel={
        amountFen === null || amountFen <= 0
          ? phrase('orders.refundVerb')
          : phrase('orders.refundVerbAmount', { amount: moneyText(amountFen) })
      }
      submit={(values, idempotencyKey) =>
        call(refundOrder, {
          params: { id: order.id },
          body: { amountFen: parseYuan(values.amountFen) ?? fen(0), reason: values.reason },
          idempotencyKey,
          quiet: true,
        })
      }
      fieldOf={{ 'order.refund_too_high': 'amountFen' }}
      onDone={() => void refresh(listOrders, getOrder, sumOrders, countOrders)}
    >
      <p className={styles.formIntro}>
        {phrase('orders.refundIntro', {
          paid: moneyText(order.paidFen),
          refunded: moneyText(order.refundedFen),
          max: moneyText(maxFen),
          balance,
        })}
      </p>
      <Form.Item label={phrase('orders.refundAmount')} htmlFor="amountFen" required>
        <div className={styles.amountRow}>
          <Form.Item
            noStyle
            name="amountFen"
            rules={[
              { required: true, message: phrase('field.required') },
              {
                validator: (_, text: string | null) => {
                  const amountFen = parseYuan(String(text ?? ''));
                  if (amountFen === null)
                    return text ? Promise.reject(new Error(phrase('field.not_number'))) : Promise.resolve();
                  if (amountFen > 0 && amountFen <= maxFen) return Promise.resolve();
                  return Promise.reject(new Error(phrase('orders.refundRange', { max: moneyText(maxFen) })));
                },
              },
            ]}
          >
            <InputNumber stringMode min="0" precision={2} prefix="¥" style={{ width: '100%' }} />
          </Form.Item>
          <Button onClick={() => form.setFieldValue('amountFen', (maxFen / 100).toFixed(2))}>
            {phrase('orders.refundAll')}
          </Button>
        </div>
      </Form.Item>
      <Form.Item
        name="reason"
        label={phrase('orders.reasonHead')}
        rules={[
          { required: true, whitespace: true, message: phrase('field.required') },
          { min: 2, message: phrase('field.too_short', { min: 2 }) },
        ]}
      >
        <Input.TextArea rows={3} maxLength={200} showCount />
      </Form.Item>
    </FormDrawer>
  );
}
