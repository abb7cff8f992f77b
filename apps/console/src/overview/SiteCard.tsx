import { CloseOutlined } from '@ant-design/icons';
import type { MapSite } from '@voltdeck/contract/overview';
import { getSite, type SiteDetail } from '@voltdeck/contract/sites';
import type { SiteId } from '@voltdeck/units/id';
import { minuteMs } from '@voltdeck/units/instant';
import { Button, Skeleton } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useMayGo } from '../session/use-go.ts';
import { failureText } from '../ui/failure-text.ts';
import { moneyText, nothingText, priceText, yuanText } from '../ui/figures.ts';
import { PortTally } from '../ui/PortTally.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import styles from './home.module.css';
import { navigationTo } from './navigation-to.ts';
import { type PriceNow, priceNow } from './price-now.ts';
import { siteTones } from './site-map-states.ts';
import { connectorCount } from './trouble.ts';

const siteLinks = [
  ['deviceList', 'overview.toStations'],
  ['portList', 'overview.toPorts'],
  ['orderListReal', 'overview.toRealOrders'],
  ['orderListHistory', 'overview.toHistory'],
] as const;

/** One site: its location, its ports, and links to its stations and orders. */
export function SiteCard({ site, onClose }: { site: MapSite; onClose: () => void }) {
  const mayGo = useMayGo();
  const siteId = site.id as SiteId;
  const answer = useAnswer(getSite, { params: { id: siteId } });
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
        <PortTally tally={site.connectors} named of={{ siteId }} />
      </p>
      {answer.isPending ? (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      ) : answer.isError ? (
        <p className={styles.quiet}>{failureText(answer.error).text}</p>
      ) : (
        <dl className={styles.facts}>
          {answer.data.tariffs.length === 0 ? null : (
            <Fact name={phrase('overview.priceNow')}>
              <Prices tariffs={answer.data.tariffs} />
            </Fact>
          )}
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
        {siteLinks
          .filter(([screen]) => mayGo(screen))
          .map(([screen, label]) => (
            <ScreenLink key={screen} screen={screen} query={{ siteId }}>
              {phrase(label)}
            </ScreenLink>
          ))}
        <a href={navigationTo(site)} target="_blank" rel="noreferrer">
          {phrase('overview.toNavigation')}
        </a>
      </nav>
    </section>
  );
}

/** The current price by billing rule. */
function Prices({ tariffs }: Pick<SiteDetail, 'tariffs'>) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <ul className={styles.prices}>
      {tariffs.map(({ id, name, detail }) => (
        <li key={id} title={name}>
          <span className="figure">{priceNowText(priceNow(detail, nowMs))}</span>
          {tariffs.length > 1 ? <span className={styles.quiet}> {name}</span> : null}
        </li>
      ))}
    </ul>
  );
}

function priceNowText(price: PriceNow | null): string {
  if (price === null) return nothingText;
  if (price.kind === 'hour') {
    const { lowestFen, highestFen, stepMinutes } = price;
    const fee = lowestFen === highestFen ? moneyText(lowestFen) : `${moneyText(lowestFen)}–${yuanText(highestFen)}`;
    return phrase('overview.pricePerStep', { fee, minutes: stepMinutes });
  }
  return phrase('overview.pricePerKwh', {
    price: priceText(price.priceE5),
    period: phrase(`period.${price.period}`),
    until: price.until,
    lowest: priceText(price.lowestE5),
    highest: priceText(price.highestE5),
  });
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
