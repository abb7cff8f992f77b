import type { OrderDetail } from '@voltdeck/contract/orders';
import { useEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { phrase } from '../phrases.ts';
import { energyText, moneyText, nothingText } from '../ui/figures.ts';
import { isoDateTime } from '../ui/instants.ts';
import { orderStateText } from '../ui/order-state-text.ts';
import { portText } from '../ui/ports/port-text.ts';
import { BillTable } from './BillTable.tsx';
import { chargeDurationMs } from './duration.ts';
import { PaymentList } from './PaymentPanel.tsx';
import styles from './receipt.module.css';
import { durationText } from './words.ts';

/**
 * A clean A4 receipt that exists only while the browser prints, in place of the console. It listens only while its page
 * is visible, so that the visible one of several open orders is printed.
 */
export function OrderReceipt({ order }: { order: OrderDetail }) {
  const [printedAt, setPrintedAt] = useState<number | null>(null);
  useEffect(() => {
    // The browser takes its snapshot right after this event, so the receipt must be rendered by then.
    const onBefore = () => flushSync(() => setPrintedAt(Date.now()));
    const onAfter = () => setPrintedAt(null);
    window.addEventListener('beforeprint', onBefore);
    window.addEventListener('afterprint', onAfter);
    return () => {
      window.removeEventListener('beforeprint', onBefore);
      window.removeEventListener('afterprint', onAfter);
    };
  }, []);
  if (printedAt === null) return null;
  const durationMs = chargeDurationMs(order, printedAt);
  const facts: [string, string][] = [
    [phrase('orders.number'), order.number],
    [phrase('orders.state'), orderStateText(order)],
    [phrase('orders.site'), order.siteName],
    [phrase('orders.station'), `${order.stationName} (${order.stationNumber})`],
    [phrase('orders.port'), portText({ number: order.connectorNumber })],
    [phrase('orders.customer'), order.userName ?? nothingText],
    [phrase('orders.phone'), order.phone ?? nothingText],
    [phrase('orders.card'), order.cardNumber ?? nothingText],
    [
      phrase('orders.startedAt'),
      order.startedAt === null ? nothingText : (isoDateTime(order.startedAt) ?? nothingText),
    ],
    [phrase('orders.endedAt'), order.endedAt === null ? nothingText : (isoDateTime(order.endedAt) ?? nothingText)],
    [phrase('orders.duration'), durationMs === null ? nothingText : durationText(durationMs)],
    [phrase('orders.energy'), `${energyText(order.energyWh, 3)} kWh`],
    [phrase('orders.stopReason'), order.stopReason === null ? nothingText : phrase(`stop-reason.${order.stopReason}`)],
  ];
  return createPortal(
    <article className={styles.receipt} data-receipt="">
      <header className={styles.head}>
        <h1>{phrase('orders.receipt')}</h1>
        <p className={styles.amount}>
          {order.waitsFor === 'person' ? phrase('orders.notSettled') : moneyText(order.amountFen)}
        </p>
      </header>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h2>{phrase('orders.bill')}</h2>
      <BillTable order={order} forPaper />
      <h2>{phrase('orders.payment')}</h2>
      <PaymentList order={order} />
      <footer className={styles.foot}>
        {phrase('orders.printedAt', { time: isoDateTime(new Date(printedAt).toISOString()) ?? '' })}
        {' · '}
        {phrase('shell.zone')}
      </footer>
    </article>,
    document.body,
  );
}
