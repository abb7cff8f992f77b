import type { Order } from '@voltdeck/contract/orders';
import type { SiteId } from '@voltdeck/units/id';
import { phrase } from '../phrases.ts';
import { orderScreen } from '../session/order-screen.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Energy } from '../ui/Energy.tsx';
import { Instant } from '../ui/Instant.tsx';
import { Money } from '../ui/Money.tsx';
import { orderStateText } from '../ui/order-state-text.ts';
import { portText } from '../ui/ports/port-text.ts';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { orderTones } from '../ui/state-colours.ts';
import { AnsweredPanel, type Fetched } from './AnsweredPanel.tsx';
import styles from './sites.module.css';

/** The latest orders of the site. */
export function SiteOrders({ siteId, answer }: { siteId: SiteId; answer: Fetched<Order> }) {
  return (
    <AnsweredPanel
      title={phrase('sites.recentOrders')}
      tools={
        <ScreenLink screen="orderListHistory" query={{ siteId }}>
          {phrase('sites.allOrders')}
        </ScreenLink>
      }
      answer={answer}
      empty={<EmptyState title={phrase('sites.noOrders')} />}
    >
      {(orders) => (
        <ScrollRegion label={phrase('sites.recentOrders')}>
          <table className={styles.figures}>
            <thead>
              <tr>
                <th scope="col">{phrase('orders.number')}</th>
                <th scope="col">{phrase('orders.state')}</th>
                <th scope="col">{phrase('stations.name')}</th>
                <th scope="col">{phrase('orders.placedAt')}</th>
                <th scope="col" className={styles.right}>{`${phrase('orders.energy')} (kWh)`}</th>
                <th scope="col" className={styles.right}>{`${phrase('orders.orderAmount')} (¥)`}</th>
              </tr>
            </thead>
            <tbody>
              {orders.map((order) => (
                <tr key={order.id}>
                  <td className={styles.mono}>
                    <ScreenLink screen={orderScreen(order)} query={{ id: order.id }}>
                      {order.number}
                    </ScreenLink>
                  </td>
                  <td>
                    <StateTag tone={orderTones[order.state]}>{orderStateText(order)}</StateTag>
                  </td>
                  <td>
                    {order.stationName} · {portText({ number: order.connectorNumber })}
                  </td>
                  <td>
                    <Instant at={order.placedAt} />
                  </td>
                  <td className={styles.right}>
                    <Energy wh={order.energyWh} bare />
                  </td>
                  <td className={styles.right}>
                    <Money fen={order.waitsFor === 'person' ? null : order.amountFen} bare />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </AnsweredPanel>
  );
}
