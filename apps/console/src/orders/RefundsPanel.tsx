import type { OrderDetail } from '@voltdeck/contract/orders';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { yuanText } from '../ui/figures.ts';
import { isoDateTime } from '../ui/instants.ts';
import { Panel } from '../ui/Panel.tsx';
import styles from './order-page.module.css';

/** Refunds to the customer, with who made them and why. */
export function RefundsPanel({ order }: { order: OrderDetail }) {
  if (order.refunds.length === 0) return null;
  return (
    <Panel title={phrase('orders.refunds')} flush>
      <table className={styles.figures}>
        <thead>
          <tr>
            <th scope="col">{phrase('orders.refundNumber')}</th>
            <th scope="col">{phrase('orders.time')}</th>
            <th scope="col">{phrase('orders.reasonHead')}</th>
            <th scope="col">{phrase('orders.by')}</th>
            <th scope="col" className={styles.right}>{`${phrase('orders.amount')} (¥)`}</th>
          </tr>
        </thead>
        <tbody>
          {order.refunds.map((refund) => (
            <tr key={refund.id}>
              <td className={styles.nowrap}>
                <ScreenLink screen="orderListRefund" query={{ number: refund.number }}>
                  {refund.number}
                </ScreenLink>
              </td>
              <td className={`figure ${styles.nowrap}`}>{isoDateTime(refund.createdAt)}</td>
              <td>{refund.reason}</td>
              <td>{refund.userName}</td>
              <td className={styles.right}>{yuanText(refund.amountFen)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
