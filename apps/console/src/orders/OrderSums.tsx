import { sumOrders } from '@voltdeck/contract/orders';
import type { QueryOf } from '@voltdeck/contract/route';
import { Button, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { Energy } from '../ui/Energy.tsx';
import { countText } from '../ui/figures.ts';
import { Money } from '../ui/Money.tsx';
import styles from './order-lists.module.css';

/** What the filtered orders come to; the same filters as the list below. */
export function OrderSums({ query }: { query: Partial<QueryOf<typeof sumOrders>> }) {
  const answer = useAnswer(sumOrders, { query }, { keepPrevious: true });
  if (answer.isPending) {
    return (
      <div className={styles.sums} aria-busy="true">
        <Skeleton active title={false} paragraph={{ rows: 1, width: '70%' }} />
      </div>
    );
  }
  if (answer.isError) {
    return (
      <div className={styles.sums} role="alert">
        <span className={styles.sumLabel}>{phrase('orders.sumsFailed')}</span>
        <Button size="small" type="link" onClick={() => void answer.refetch()}>
          {phrase('shell.retry')}
        </Button>
      </div>
    );
  }
  const sums = answer.data;
  return (
    <div className={styles.sumsBlock} data-old={answer.isPlaceholderData || undefined}>
      <dl className={styles.sums} aria-label={phrase('orders.sums')}>
        <Sum label={phrase('orders.sumOrders')}>
          <span className="figure">
            {countText(sums.orders)}
            {sums.isPartial ? '+' : ''}
          </span>
        </Sum>
        <Sum label={phrase('orders.energy')}>
          <Energy wh={sums.energyWh} />
        </Sum>
        <Sum label={phrase('orders.orderAmount')}>
          <Money fen={sums.amountFen} />
        </Sum>
        <Sum label={phrase('orders.electricityFee')}>
          <Money fen={sums.electricityFeeFen} />
        </Sum>
        <Sum label={phrase('orders.serviceFee')}>
          <Money fen={sums.serviceFeeFen} />
        </Sum>
        <Sum label={phrase('orders.really')}>
          <Money fen={sums.paidFen} />
        </Sum>
        <Sum label={phrase('orders.refundedHead')}>
          <Money fen={sums.refundedFen} />
        </Sum>
      </dl>
      {sums.isPartial ? (
        <p className={styles.partial}>{phrase('orders.sumsPartial', { count: countText(sums.orders) })}</p>
      ) : null}
    </div>
  );
}

function Sum({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className={styles.sumLabel}>{label}</dt>
      <dd className={styles.sumValue}>{children}</dd>
    </div>
  );
}
