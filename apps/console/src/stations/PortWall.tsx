import { listOrders } from '@voltdeck/contract/orders';
import type { Connector } from '@voltdeck/contract/stations';
import { Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import { useConsoleEvents } from '../api/events.ts';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { energyText, powerText } from '../ui/figures.ts';
import { connectorTones, toneColours } from '../ui/state-colours.ts';
import { ToneShape } from '../ui/ToneShape.tsx';
import { faultText } from './fault-text.ts';
import styles from './port-wall.module.css';
import { bySite, minutesSince } from './port-wall.ts';

const tickMs = 20_000;
/** As many as a page of the wall can show. */
const ordersMax = 100;

type Charge = { energyWh: number; powerW: number | null };

/** Every port of the page as a tile, by site, for a wall monitor: state by colour, shape and word, minutes, kWh. */
export default function PortWall({ ports, isLoading }: { ports: readonly Connector[]; isLoading: boolean }) {
  const can = useCan();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const running = useAnswer(
    listOrders,
    { query: { state: ['charging'], pageSize: ordersMax } },
    { enabled: can('order.read') },
  );
  const [told, setTold] = useState<ReadonlyMap<number, Charge>>(new Map());
  useConsoleEvents('order-changed', (event) => {
    if (event.state !== 'charging' || !ports.some((port) => port.orderId === event.orderId)) return;
    setTold((current) => new Map(current).set(event.orderId, { energyWh: event.energyWh, powerW: event.powerW }));
  });
  const chargeOf = (port: Connector): Charge | undefined => {
    if (port.orderId === null) return undefined;
    return told.get(port.orderId) ?? running.data?.items.find((order) => order.id === port.orderId);
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
          <h2 className={styles.site}>
            <ScreenLink screen="deviceList" query={{ siteId: site.siteId }}>
              {site.siteName}
            </ScreenLink>
            <span className={styles.count}>{phrase('stations.portCount', { count: site.ports.length })}</span>
          </h2>
          <ul className={styles.tiles}>
            {site.ports.map((port) => (
              <Tile key={port.id} port={port} charge={chargeOf(port)} now={now} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Tile({ port, charge, now }: { port: Connector; charge: Charge | undefined; now: number }) {
  const tone = connectorTones[port.state];
  const { text, fill, mark } = toneColours[tone];
  const minutes = minutesSince(port.stateSince, now);
  const powerW = charge?.powerW ?? port.powerW;
  return (
    <li className={styles.tile} style={{ borderColor: mark, background: fill }}>
      <ScreenLink
        className={styles.tileName}
        {...(port.orderId === null
          ? { screen: 'deviceDetail', query: { id: port.stationId } }
          : { screen: 'orderListDetailReal', query: { id: port.orderId } })}
        title={`${port.stationName} · ${port.stationNumber}`}
      >
        <span className={styles.tileStation}>{port.stationName}</span>
        <span className={styles.tileNumber}>{phrase('stations.portNumber', { number: port.number })}</span>
      </ScreenLink>
      <span className={styles.tileState} style={{ color: text }}>
        <ToneShape tone={tone} sizePx={12} />
        {phrase(`connector-state.${port.state}`)}
        {port.open ? null : ` · ${phrase('connector-open.closed')}`}
        {charge === undefined || powerW === null ? null : (
          <span className={`figure ${styles.tilePower}`}>{powerText(powerW)} kW</span>
        )}
      </span>
      <span className={`figure ${styles.tileFigures}`}>
        <span>{minutes === null ? '' : phrase('orders.minutes', { minutes })}</span>
        {charge === undefined ? null : <span>{energyText(charge.energyWh)} kWh</span>}
        {port.state === 'fault' ? <span>{faultText(port)}</span> : null}
      </span>
    </li>
  );
}
