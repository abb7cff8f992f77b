import { acceptOrder, listAbnormalOrders } from '@voltdeck/contract/abnormal-orders';
import { getOrder, listOrders, type Order, type OrderDetail } from '@voltdeck/contract/orders';
import { Alert } from 'antd';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { energyText, moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { isoDateTime } from '../ui/instants.ts';
import styles from './order-page.module.css';
import { isBelieved } from './proposal-basis.ts';
import { proposalPreview } from './settle-preview.ts';

type Props = { order: Order; open: boolean; onClose: () => void; onSaved: () => void };

/** Accepts a flagged order as it is, and says what that does to its money. */
export default function AcceptOrderForm({ order, open, onClose, onSaved }: Props) {
  const detail = useAnswer(getOrder, { params: { id: order.id } }, { enabled: open });
  const preview = detail.data === undefined ? null : proposalPreview(detail.data);
  const amountFen = preview?.kind === 'bill' ? preview.bill.amountFen : null;
  return (
    <RouteForm
      as="dialog"
      route={acceptOrder}
      params={{ id: order.id }}
      title={phrase('abnormal.acceptTitle', { number: order.number })}
      submitLabel={
        order.waitsFor === 'person' && amountFen !== null
          ? phrase('abnormal.acceptVerbAmount', { amount: moneyText(amountFen) })
          : phrase('abnormal.acceptVerb')
      }
      intro={detail.data === undefined ? null : <Meaning order={detail.data} amountFen={amountFen} />}
      fields={{ reason: { label: 'orders.reasonHead', rows: 3, placeholder: 'abnormal.reasonHint' } }}
      refreshes={[listAbnormalOrders, listOrders, getOrder]}
      open={open && !detail.isPending}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}

function Meaning({ order, amountFen }: { order: OrderDetail; amountFen: number | null }) {
  const { proposal } = order;
  if (order.waitsFor !== 'person' || proposal === null) {
    return (
      <p className={styles.formIntro}>
        {order.state === 'cancelled'
          ? phrase('abnormal.acceptNothing')
          : phrase('abnormal.acceptKeeps', { amount: moneyText(order.amountFen) })}
      </p>
    );
  }
  const figures = { energy: energyText(proposal.energyWh, 3), time: isoDateTime(proposal.endedAt) ?? '' };
  return (
    <>
      <p className={styles.formIntro}>
        {amountFen === null
          ? phrase('abnormal.acceptUnpriced', figures)
          : phrase('abnormal.acceptSettles', { ...figures, amount: moneyText(amountFen) })}
      </p>
      {isBelieved(order) ? null : (
        <Alert type="warning" showIcon className={styles.settleAway ?? ''} title={phrase('abnormal.acceptDoubtful')} />
      )}
    </>
  );
}
