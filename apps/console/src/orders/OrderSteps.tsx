import { CheckOutlined, CloseOutlined } from '@ant-design/icons';
import type { OrderDetail } from '@voltdeck/contract/orders';
import { phrase } from '../phrases.ts';
import { isoDateTime } from '../ui/instants.ts';
import styles from './order-page.module.css';

/** A swiped card starts the charge directly, without an order being placed first. */
const stepKey = (step: OrderDetail['steps'][number]['step'], { startMode }: OrderDetail) =>
  step === 'placed' && startMode === 'card' ? 'orders.step.placedByCard' : (`orders.step.${step}` as const);

/** The tracking steps of the specification, with the times of those reached. */
export function OrderSteps({ order }: { order: OrderDetail }) {
  const firstOpen = order.steps.findIndex((step) => step.at === null);
  return (
    <ol className={styles.steps} aria-label={phrase('orders.tracking')}>
      {order.steps.map((step, index) => {
        const isReached = step.at !== null;
        const isCurrent = index === (firstOpen === -1 ? order.steps.length : firstOpen) - 1 && firstOpen !== -1;
        return (
          <li
            key={step.step}
            className={
              isReached ? (step.step === 'cancelled' ? styles.stepCancelled : styles.stepReached) : styles.step
            }
            aria-current={isCurrent ? 'step' : undefined}
          >
            <span className={styles.stepMark} aria-hidden="true">
              {isReached ? step.step === 'cancelled' ? <CloseOutlined /> : <CheckOutlined /> : index + 1}
            </span>
            <span className={styles.stepName}>{phrase(stepKey(step.step, order))}</span>
            <span className={`figure ${styles.stepTime}`}>
              {step.at === null ? phrase('orders.notYet') : isoDateTime(step.at)}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
