import type { OrderDetail } from '@voltdeck/contract/orders';
import { phrase } from '../phrases.ts';
import { yuanText } from '../ui/figures.ts';
import { isoDateTime } from '../ui/instants.ts';
import { Panel } from '../ui/Panel.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import styles from './order-page.module.css';
import { accountText, wordFor } from './words.ts';

/** The ledger postings in words: from, to and why. */
export function PostingsPanel({ order }: { order: OrderDetail }) {
  if (order.postings.length === 0) return null;
  return (
    <Panel title={phrase('orders.postings')} flush note={phrase('orders.postingsNote')}>
      <ScrollRegion label={phrase('orders.postings')}>
        <table className={styles.figures}>
          <thead>
            <tr>
              <th scope="col">{phrase('orders.time')}</th>
              <th scope="col">{phrase('orders.why')}</th>
              <th scope="col">{phrase('orders.from')}</th>
              <th scope="col">{phrase('orders.to')}</th>
              <th scope="col" className={styles.right}>{`${phrase('orders.amount')} (¥)`}</th>
            </tr>
          </thead>
          <tbody>
            {order.postings.map((posting, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: postings are append-only, their place is their identity
              <tr key={index}>
                <td className={`figure ${styles.nowrap}`}>{isoDateTime(posting.at)}</td>
                <td>{wordFor('orders.reason', posting.reason)}</td>
                <td>{accountText(posting.from, order, posting.fromName)}</td>
                <td>{accountText(posting.to, order, posting.toName)}</td>
                <td className={styles.right}>{yuanText(posting.amountFen)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Panel>
  );
}
