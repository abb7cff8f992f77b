import { CloseOutlined } from '@ant-design/icons';
import type { MapSite } from '@voltdeck/contract/overview';
import { getSite } from '@voltdeck/contract/sites';
import type { SiteId } from '@voltdeck/units/id';
import { Button, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { failureText } from '../ui/failure-text.ts';
import { nothingText } from '../ui/figures.ts';
import { PortTally } from '../ui/PortTally.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import styles from './home.module.css';
import { siteTones } from './site-map-states.ts';
import { connectorCount } from './trouble.ts';

/** One site: where it is, what its ports do, and the way to its stations and orders. */
export function SiteCard({ site, onClose }: { site: MapSite; onClose: () => void }) {
  const can = useCan();
  const answer = useAnswer(getSite, { params: { id: site.id as SiteId } });
  return (
    <section className={styles.card} aria-label={site.name}>
      <header className={styles.cardHead}>
        <h2 className={styles.cardTitle}>{site.name}</h2>
        <Button
          type="text"
          size="small"
          icon={<CloseOutlined />}
          aria-label={phrase('shell.close')}
          onClick={onClose}
        />
      </header>
      <p className={styles.cardState}>
        <StateTag tone={siteTones[site.state]}>{phrase(`overview.state.${site.state}`)}</StateTag>
        <span className={styles.quiet}>{site.address}</span>
      </p>
      <p className={styles.cardPorts}>
        <span>{phrase('overview.portsOf', { count: connectorCount(site) })}</span>
        <PortTally tally={site.connectors} named />
      </p>
      {answer.isPending ? (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      ) : answer.isError ? (
        <p className={styles.quiet}>{failureText(answer.error).text}</p>
      ) : (
        <dl className={styles.facts}>
          <Fact name={phrase('overview.stationCount')}>
            <span className="figure">{answer.data.stationCount}</span>
          </Fact>
          <Fact name={phrase('overview.agent')}>{answer.data.agentName ?? phrase('orders.platform')}</Fact>
          <Fact name={phrase('overview.parking')}>
            {phrase(`overview.parking.${answer.data.parkingFee}`)}
            {answer.data.parkingInfo === '' ? '' : ` · ${answer.data.parkingInfo}`}
          </Fact>
          <Fact name={phrase('overview.invoice')}>
            {phrase(answer.data.invoiceAvailable ? 'overview.invoiceYes' : 'overview.invoiceNo')}
          </Fact>
          <Fact name={phrase('overview.openingHours')}>{answer.data.openingHours || nothingText}</Fact>
          <Fact name={phrase('overview.phone')}>{answer.data.servicePhone || nothingText}</Fact>
          <Fact name={phrase('overview.facilities')}>
            {answer.data.facilities.length === 0
              ? nothingText
              : answer.data.facilities
                  .map((facility) => phrase(`overview.facility.${facility}`))
                  .join(phrase('overview.comma'))}
          </Fact>
        </dl>
      )}
      <nav className={styles.cardLinks} aria-label={phrase('overview.linksOf', { name: site.name })}>
        {can('station.read') ? <Link to={`/deviceList?siteId=${site.id}`}>{phrase('overview.toStations')}</Link> : null}
        {can('connector.read') ? <Link to={`/portList?siteId=${site.id}`}>{phrase('overview.toPorts')}</Link> : null}
        {can('order.read') ? (
          <>
            <Link to={`/orderListReal?siteId=${site.id}`}>{phrase('overview.toRealOrders')}</Link>
            <Link to={`/orderListHistory?siteId=${site.id}`}>{phrase('overview.toHistory')}</Link>
          </>
        ) : null}
      </nav>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
