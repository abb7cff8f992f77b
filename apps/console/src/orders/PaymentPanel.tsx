import type { OrderDetail } from '@voltdeck/contract/orders';
import { paymentStory } from '@voltdeck/contract/payment-story';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { Panel } from '../ui/Panel.tsx';
import styles from './order-page.module.css';

export type PaymentRow = { key: string; label: string; amountFen: number; isSum?: boolean };

/** The payments as a short list that adds up, without steps that did not happen. */
function paymentRows(order: OrderDetail): PaymentRow[] {
  const story = paymentStory(order.postings);
  const rows: PaymentRow[] = [];
  if (order.balanceBeforeFen !== null) {
    rows.push({ key: 'before', label: phrase('orders.balanceBefore'), amountFen: order.balanceBeforeFen });
  }
  if (story.heldFen > 0) rows.push({ key: 'held', label: heldLabel(order), amountFen: story.heldFen });
  if (story.postedFen > 0) rows.push({ key: 'posted', label: phrase('orders.posted'), amountFen: story.postedFen });
  if (story.takenDirectlyFen > 0) {
    rows.push({ key: 'direct', label: phrase('orders.takenDirectly'), amountFen: story.takenDirectlyFen });
  }
  if (story.givenBackFen > 0)
    rows.push({ key: 'back', label: phrase('orders.givenBack'), amountFen: story.givenBackFen });
  if (story.shortfallFen > 0) {
    rows.push({ key: 'owed', label: phrase('orders.shortfall'), amountFen: story.shortfallFen });
  }
  if (story.repaidFen > 0) rows.push({ key: 'repaid', label: phrase('orders.repaid'), amountFen: story.repaidFen });
  if (story.undoneFen > 0) {
    rows.push({ key: 'undone', label: phrase('orders.repaymentUndone'), amountFen: -story.undoneFen });
  }
  if (story.forgivenFen > 0) {
    rows.push({ key: 'forgiven', label: phrase('orders.forgiven'), amountFen: story.forgivenFen });
  }
  if (order.writtenOffFen > 0) {
    rows.push({ key: 'written-off', label: phrase('orders.writtenOff'), amountFen: order.writtenOffFen });
  }
  if (order.discountFen > 0) {
    rows.push({ key: 'discount', label: phrase('orders.discount'), amountFen: -order.discountFen });
  }
  if (order.state === 'completed') {
    rows.push({ key: 'paid', label: phrase('orders.paid'), amountFen: order.paidFen, isSum: true });
    if (story.shortfallFen > 0) {
      rows.push({ key: 'still-owed', label: phrase('orders.stillOwed'), amountFen: order.owedFen, isSum: true });
    }
  } else if (order.heldFen > 0) {
    rows.push({ key: 'holding', label: phrase('orders.stillHeld'), amountFen: order.heldFen, isSum: true });
  }
  if (order.refundedFen > 0) {
    rows.push({ key: 'refunded', label: phrase('orders.refunded'), amountFen: order.refundedFen });
    rows.push({
      key: 'net',
      label: phrase('orders.netPaid'),
      amountFen: order.paidFen - order.refundedFen,
      isSum: true,
    });
  }
  return rows;
}

/** A hold that was nearly used up was raised, once a step. */
function heldLabel({ holds }: OrderDetail): string {
  return holds > 1 ? phrase('orders.heldRaised', { times: holds - 1 }) : phrase('orders.held');
}

export function PaymentList({ order }: { order: OrderDetail }) {
  return (
    <dl className={styles.payment}>
      {paymentRows(order).map((row) => (
        <div key={row.key} className={row.isSum ? styles.paymentSum : undefined}>
          <dt>{row.label}</dt>
          <dd className="figure">{moneyText(row.amountFen)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** How the bill was paid: held, taken, returned, owed, refunded. */
export function PaymentPanel({ order }: { order: OrderDetail }) {
  const rows = paymentRows(order);
  return (
    <Panel title={phrase('orders.payment')} note={phrase(`payment-type.${order.paymentType}`)}>
      {rows.length === 0 ? (
        <p className={styles.quiet}>{phrase('orders.nothingMoved')}</p>
      ) : (
        <PaymentList order={order} />
      )}
    </Panel>
  );
}
