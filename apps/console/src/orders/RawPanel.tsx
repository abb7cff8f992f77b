import type { OrderDetail } from '@voltdeck/contract/orders';
import { useState } from 'react';
import { phrase } from '../phrases.ts';
import { Panel } from '../ui/Panel.tsx';
import styles from './order-page.module.css';

/** The stored numbers, for checking against a station or the books. */
export function RawPanel({ order }: { order: OrderDetail }) {
  const [open, setOpen] = useState(false);
  return (
    <Panel title={phrase('orders.raw')} note={phrase('orders.rawNote')}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={styles.summary}>{phrase(open ? 'orders.hideRaw' : 'orders.showRaw')}</summary>
        {open ? <pre className={styles.raw}>{JSON.stringify(order, null, 2)}</pre> : null}
      </details>
    </Panel>
  );
}
