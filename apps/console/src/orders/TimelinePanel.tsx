import type { OrderDetail } from '@voltdeck/contract/orders';
import { Link } from 'react-router';
import { phrase } from '../phrases.ts';
import { useMayOpen } from '../session/use-may-open.ts';
import { isoDateTime } from '../ui/instants.ts';
import { Panel } from '../ui/Panel.tsx';
import styles from './order-page.module.css';
import { factsText, wordFor } from './words.ts';

/** Everything that happened to the order, oldest first. */
export function TimelinePanel({ order }: { order: OrderDetail }) {
  const mayOpen = useMayOpen();
  const audit = mayOpen('/auditLog') ? (
    <Link to={`/auditLog?recordKind=order&recordId=${order.id}`}>{phrase('menu.auditLog')}</Link>
  ) : undefined;
  return (
    <Panel title={phrase('orders.timeline')} tools={audit}>
      <ol className={styles.timeline}>
        {order.timeline.map((entry, index) => {
          const { at, ...others } = entry.params;
          // The station's time is worth a word only where it is not the time of the entry.
          const isSameTime = typeof at === 'string' && isoDateTime(at) === isoDateTime(entry.at);
          const facts = factsText(isSameTime ? others : entry.params);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the timeline is append-only, an entry's place is its identity
            <li key={index}>
              <span className={`figure ${styles.timelineTime}`}>{isoDateTime(entry.at)}</span>
              <span>{wordFor('orders.event', entry.event)}</span>
              {facts === '' ? null : <span className={styles.timelineFacts}>{facts}</span>}
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
