import type { Connector } from '@voltdeck/contract/connectors';
import { listOrders } from '@voltdeck/contract/orders';
import type { SiteId } from '@voltdeck/units/id';
import { Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import { useConsoleEvents } from '../../api/events.ts';
import { useAnswer } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';
import { ScreenLink } from '../../session/ScreenLink.tsx';
import { useCan } from '../../session/use-can.ts';
import { PortTile, type TileCharge } from './PortTile.tsx';
import styles from './port-wall.module.css';
import { bySite } from './port-wall.ts';

const tickMs = 20_000;
/** As many as a page of the wall can show. */
const ordersMax = 100;

type Props = {
  ports: readonly Connector[];
  isLoading: boolean;
  /** The site of all of them, whose page names it already. */
  siteId?: SiteId;
};

/** Every port of the page as a tile, by site, for a wall monitor: state by colour, shape and word, minutes, kWh. */
export default function PortWall({ ports, isLoading, siteId }: Props) {
  const can = useCan();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const running = useAnswer(
    listOrders,
    { query: { state: ['charging'], pageSize: ordersMax, ...(siteId === undefined ? {} : { siteId }) } },
    { enabled: can('order.read') },
  );
  const [told, setTold] = useState<ReadonlyMap<number, Pick<TileCharge, 'energyWh' | 'powerW'>>>(new Map());
  useConsoleEvents('order-changed', (event) => {
    if (event.state !== 'charging' || !ports.some((port) => port.orderId === event.orderId)) return;
    setTold((current) => new Map(current).set(event.orderId, { energyWh: event.energyWh, powerW: event.powerW }));
  });
  const chargeOf = (port: Connector): TileCharge | undefined => {
    if (port.orderId === null) return undefined;
    const charge = told.get(port.orderId) ?? running.data?.items.find((order) => order.id === port.orderId);
    return {
      energyWh: charge?.energyWh ?? null,
      powerW: charge?.powerW ?? port.powerW,
      socPercent: port.socPercent,
    };
  };

  if (isLoading) {
    return (
      <div className={styles.wall} aria-busy="true">
        <div className={styles.tiles}>
          {Array.from({ length: 18 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
            <Skeleton.Node key={index} active style={{ width: '100%', height: 74 }} />
          ))}
        </div>
      </div>
    );
  }
  return (
    <div className={styles.wall}>
      {bySite(ports).map((site) => (
        <section key={site.siteId} aria-label={site.siteName}>
          {siteId === undefined ? (
            <h2 className={styles.site}>
              <ScreenLink screen="deviceList" query={{ siteId: site.siteId }}>
                {site.siteName}
              </ScreenLink>
              <span className={styles.count}>{phrase('stations.portCount', { count: site.ports.length })}</span>
            </h2>
          ) : null}
          <ul className={styles.tiles}>
            {site.ports.map((port) => (
              <PortTile key={port.id} port={port} charge={chargeOf(port)} now={now} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
