import type { OrderDetail } from '@voltdeck/contract/orders';
import { instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useMayGo } from '../session/use-go.ts';
import { isoDateTime } from '../ui/instants.ts';
import { Panel } from '../ui/Panel.tsx';
import styles from './order-page.module.css';
import { factsText, wordFor } from './words.ts';

/** Messages shortly before the start and after the stop belong to the charge as well. */
const marginMs = minuteMs;

/** The part of the station's interaction log that covers the charge. */
function framesOf({ stationNumber, placedAt, endedAt, steps }: OrderDetail) {
  const around = (iso: string, byMs: number) => toIso(instant(Date.parse(iso) + byMs));
  // A station that was offline reports a charge when it returns, and its end is settled then.
  const closed = steps.find(({ step }) => step === 'completed' || step === 'cancelled')?.at ?? endedAt;
  const last = closed !== null && endedAt !== null && closed < endedAt ? endedAt : closed;
  return {
    stationNumber,
    from: around(placedAt, -marginMs),
    ...(last === null ? {} : { to: around(last, marginMs) }),
  };
}

/** Everything that happened to the order, oldest first. */
export function TimelinePanel({ order }: { order: OrderDetail }) {
  const mayGo = useMayGo();
  const ways = (
    <span className={styles.ways}>
      {mayGo('deviceLogOther') ? (
        <ScreenLink screen="deviceLogOther" query={framesOf(order)}>
          {phrase('orders.frames')}
        </ScreenLink>
      ) : null}
      {mayGo('auditLog') ? (
        <ScreenLink screen="auditLog" query={{ recordKind: 'order', recordId: String(order.id) }}>
          {phrase('menu.auditLog')}
        </ScreenLink>
      ) : null}
    </span>
  );
  return (
    <Panel title={phrase('orders.timeline')} tools={ways}>
      <ol className={styles.timeline}>
        {order.timeline.map((entry, index) => {
          const { at, ...others } = entry.params;
          // Show the station's time only where it differs from the entry's.
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
