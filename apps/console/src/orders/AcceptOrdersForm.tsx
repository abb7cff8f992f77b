import { type AbnormalOrder, acceptOrders, listAbnormalOrders } from '@voltdeck/contract/abnormal-orders';
import { getOrder, listOrders } from '@voltdeck/contract/orders';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import styles from './order-page.module.css';

type Props = {
  orders: readonly AbnormalOrder[];
  open: boolean;
  onClose: () => void;
  onSaved: (accepted: number) => void;
};

/** Accepts orders that have ended as they are, together and for one reason. */
export default function AcceptOrdersForm({ orders, open, onClose, onSaved }: Props) {
  const count = orders.length;
  const sumFen = orders.reduce((sum, { amountFen }) => sum + amountFen, 0);
  return (
    <RouteForm
      as="dialog"
      route={acceptOrders}
      given={{ ids: orders.map(({ id }) => id) }}
      title={phrase('abnormal.acceptManyTitle', { count })}
      submitLabel={phrase('abnormal.acceptManyVerb', { count })}
      intro={<p className={styles.formIntro}>{phrase('abnormal.acceptManyIntro', { amount: moneyText(sumFen) })}</p>}
      fields={{ reason: { label: 'orders.reasonHead', rows: 3, placeholder: 'abnormal.reasonHint' } }}
      refreshes={[listAbnormalOrders, listOrders, getOrder]}
      open={open}
      onClose={onClose}
      onSaved={({ accepted }) => onSaved(accepted)}
    />
  );
}
