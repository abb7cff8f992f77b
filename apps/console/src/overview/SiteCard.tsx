import { CloseOutlined } from '@ant-design/icons';
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
import { NavigationLinks } from '../ui/NavigationLinks.tsx';
import { PortTally } from '../ui/PortTally.tsx';
import { type PriceNow, priceNow } from '../ui/price-now.ts';
import { StateTag } from '../ui/StateTag.tsx';
import styles from './home.module.css';
import { SiteCover } from './SiteCover.tsx';
import { type SiteOnMap, siteTones } from './site-map-states.ts';

const siteLinks = [
  ['deviceList', 'overview.toStations'],
  ['portList', 'overview.toPorts'],
  ['orderListReal', 'overview.toRealOrders'],
  ['orderListHistory', 'overview.toHistory'],
] as const;

/** One site: its location, its ports, and links to its stations and orders. */
export function SiteCard({ site, onClose }: { site: SiteOnMap; onClose: () => void }) {
  const mayGo = useMayGo();
  const siteId = site.id as SiteId;
  const answer = useAnswer(getSite, { params: { id: siteId } });
  return (
    <section className={styles.card} aria-label={site.name}>
      <SiteCover name={site.name} address={answer.isPending ? undefined : (answer.data?.pictures[0]?.url ?? null)} />
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
        <span className={styles.quiet}>{answer.data?.address}</span>
      </p>
      <p className={styles.cardPorts}>
        <span>{phrase('overview.portsOf', { count: site.connectorCount })}</span>
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
          <Fact name={phrase('overview.agent')}>{answer.data.agentName ?? phrase('list.ofPlatform')}</Fact>
          <Fact name={phrase('overview.parking')}>
            {phrase(`overview.parking.${answer.data.parkingFee}`)}
            {answer.data.parkingInfo === '' ? '' : ` · ${answer.data.parkingInfo}`}
          </Fact>
          <Fact name={phrase('overview.invoice')}>
            {phrase(answer.data.invoiceAvailable ? 'overview.invoiceYes' : 'overview.invoiceNo')}
          </Fact>
          <Fact name={phrase('overview.openingHours')}>
            {answer.data.openAllDay ? phrase('overview.openAllDay') : answer.data.openingHours || nothingText}
          </Fact>
          <Fact name={phrase('overview.phone')}>
            <Phones numbers={[answer.data.sitePhone, answer.data.servicePhone]} />
          </Fact>
          <Fact name={phrase('overview.facilities')}>
            {answer.data.facilityNames.join(phrase('overview.comma')) || nothingText}
          </Fact>
        </dl>
      )}
      <nav className={styles.cardLinks} aria-label={phrase('overview.linksOf', { name: site.name })}>
        {mayGo('plotDetail') ? (
          <ScreenLink screen="plotDetail" query={{ id: siteId }}>
            {phrase('overview.toSite')}
          </ScreenLink>
        ) : null}
        {siteLinks
          .filter(([screen]) => mayGo(screen))
          .map(([screen, label]) => (
            <ScreenLink key={screen} screen={screen} query={{ siteId }}>
              {phrase(label)}
            </ScreenLink>
          ))}
        <NavigationLinks site={site} />
      </nav>
    </section>
  );
}

/** The site's and the hotline's telephone, once where they are the same. */
function Phones({ numbers }: { numbers: readonly string[] }) {
  const known = [...new Set(numbers)].filter((number) => number !== '');
  if (known.length === 0) return nothingText;
  return known.map((number, index) => (
    <span key={number}>
      {index === 0 ? null : phrase('overview.comma')}
      <a href={`tel:${number.replaceAll(/[^\d+]/g, '')}`}>{number}</a>
    </span>
  ));
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
