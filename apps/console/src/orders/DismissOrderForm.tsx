import { dismissOrder, listAbnormalOrders } from '@voltdeck/contract/abnormal-orders';
import { getOrder, listOrders, type Order } from '@voltdeck/contract/orders';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import styles from './order-page.module.css';

type Props = { order: Order; open: boolean; onClose: () => void; onSaved: () => void };

/** Closes a charge that nobody pays for. */
export default function DismissOrderForm({ order, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      as="dialog"
      route={dismissOrder}
      params={{ id: order.id }}
      title={phrase('abnormal.dismissTitle', { number: order.number })}
      submitLabel={phrase('abnormal.dismiss')}
      intro={<p className={styles.formIntro}>{phrase('abnormal.dismissIntro')}</p>}
      fields={{ reason: { label: 'orders.reasonHead', rows: 3, placeholder: 'abnormal.reasonHint' } }}
      refreshes={[listAbnormalOrders, listOrders, getOrder]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
