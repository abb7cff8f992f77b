import { connectorGroups, liveOrderStates } from '@voltdeck/charging/states';
import { listOrders, type Order } from '@voltdeck/contract/orders';
import { getSummary, summaryKeptMs } from '@voltdeck/contract/overview';
import type { AnswerOf } from '@voltdeck/contract/route';
import { instant } from '@voltdeck/units/instant';
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import type { CallInput } from '../api/call.ts';
import { startEvents, useConsoleEvents } from '../api/events.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer, useAskAgain } from '../api/queries.ts';
import { language } from '../language.ts';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { failureText } from '../ui/failure-text.ts';
import { countText, energyText, moneyText, nothingText, percentText, powerText } from '../ui/figures.ts';
import { connectorGroupTones, orderTones, type Tone, toneColours } from '../ui/state-colours.ts';
import { ToneShape } from '../ui/ToneShape.tsx';
import { CalmNumber } from './CalmNumber.tsx';
import { compare } from './comparison.ts';
import { mapLabels } from './map-words.ts';
import styles from './screen.module.css';
import { busiestSites, clockText, tallyStates } from './screen-figures.ts';
import { type SiteOnMap, siteStates, siteTones } from './site-map-states.ts';
import { useMapSites } from './use-map-sites.ts';

const SiteMap = lazyPart(() => import('./SiteMap.tsx'));

type Summary = AnswerOf<typeof getSummary>;

/** Minimum interval between fetches. */
const figuresGapMs = 3_000;
const ordersGapMs = 3_000;
const ordersShown = 20;
const sitesShown = 8;

/**
 * The whole network on a wall display: today's figures, the map and running charges; /screen. `title` is the configured
 * name.
 */
export default function ScreenPage({ title }: { title: string | null }) {
  useEffect(() => startEvents(), []);
  const summary = useAnswer(getSummary, { quiet: true }, { keepPrevious: true });
  const { sites } = useMapSites({ quiet: true });
  const askSummary = useAskAgain(getSummary, {}, figuresGapMs, summaryKeptMs);
  useConsoleEvents('order-changed', askSummary);
  useConsoleEvents('port-order-changed', askSummary);
  useConsoleEvents('figures-changed', askSummary);
  useConsoleEvents('connector-changed', askSummary);
  useConsoleEvents('station-changed', askSummary);
  const failure = summary.data === undefined ? summary.error : null;
  return (
    <main className={styles.screen}>
      <Head title={title} />
      {failure === null ? null : (
        <p className={styles.failure} role="alert">
          {failureText(failure).text}
        </p>
      )}
      <div className={styles.body}>
        <div className={styles.side}>
          <TodayPanel summary={summary.data} />
          <PortsPanel summary={summary.data} />
          <SitesPanel sites={sites} />
        </div>
        <MapPanel sites={sites} />
        <div className={styles.side}>
          <NowPanel summary={summary.data} />
          <OrdersPanel />
        </div>
      </div>
    </main>
  );
}

function Head({ title }: { title: string | null }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const [day, time] = clockText(instant(now), language);
  return (
    <header className={styles.head}>
      <span className={styles.day}>{day}</span>
      <h1>{title ?? phrase('overview.screenTitle')}</h1>
      <time className={styles.time}>{time}</time>
    </header>
  );
}

function Panel({ title, children, isGrowing = false }: { title: string; children: ReactNode; isGrowing?: boolean }) {
  return (
    <section className={styles.panel} data-growing={isGrowing} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Figure({ label, value, format }: { label: string; value: number | undefined; format: (n: number) => string }) {
  return (
    <div className={styles.figure}>
      <span>{label}</span>
      <strong>{value === undefined ? nothingText : <CalmNumber value={value} format={format} />}</strong>
    </div>
  );
}

/** Neither red nor green: more is not better or worse by itself. */
function Against({ today, yesterday }: { today: number; yesterday: number }) {
  const comparison = compare(today, yesterday);
  const text =
    comparison.kind === 'none'
      ? phrase('overview.noYesterday')
      : comparison.kind === 'same'
        ? phrase('overview.same')
        : `${comparison.kind === 'up' ? '▲' : '▼'} ${percentText(comparison.percent)}`;
  return (
    <span className={styles.against}>
      {comparison.kind === 'none' ? null : `${phrase('overview.againstYesterday')} `}
      {text}
    </span>
  );
}

function TodayPanel({ summary }: { summary: Summary | undefined }) {
  return (
    <Panel title={phrase('overview.screenToday')}>
      <div className={styles.income}>
        <Figure label={phrase('overview.income')} value={summary?.todayIncomeFen} format={moneyText} />
        {summary === undefined ? null : (
          <Against today={summary.todayIncomeFen} yesterday={summary.yesterdayIncomeFen} />
        )}
      </div>
      <div className={styles.pair}>
        <div>
          <Figure label={phrase('overview.energy')} value={summary?.todayEnergyWh} format={energyText} />
          {summary === undefined ? null : (
            <Against today={summary.todayEnergyWh} yesterday={summary.yesterdayEnergyWh} />
          )}
        </div>
        <div>
          <Figure label={phrase('overview.orders')} value={summary?.todayOrders} format={countText} />
          {summary === undefined ? null : <Against today={summary.todayOrders} yesterday={summary.yesterdayOrders} />}
        </div>
      </div>
    </Panel>
  );
}

type Part = { key: string; name: string; tone: Tone; count: number };

/** A bar of all parts, each with its shape and figure so that it does not depend on colour. */
function Parts({ parts }: { parts: readonly Part[] }) {
  const whole = parts.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <div className={styles.bar} aria-hidden="true">
        {parts.map(({ key, tone, count }) => (
          <i key={key} style={{ flexGrow: whole === 0 ? 1 : count, background: toneColours[tone].mark }} />
        ))}
      </div>
      <ul className={styles.parts}>
        {parts.map(({ key, name, tone, count }) => (
          <li key={key}>
            <span style={{ color: toneColours[tone].text }}>
              <ToneShape tone={tone} />
            </span>
            <span>{name}</span>
            <CalmNumber value={count} format={countText} />
          </li>
        ))}
      </ul>
    </>
  );
}

function PortsPanel({ summary }: { summary: Summary | undefined }) {
  return (
    <Panel title={phrase('overview.ports')}>
      <Parts
        parts={connectorGroups.map((group) => ({
          key: group,
          name: phrase(`connector-group.${group}`),
          tone: connectorGroupTones[group],
          count: summary?.connectors[group] ?? 0,
        }))}
      />
      <h3>{phrase('overview.stations')}</h3>
      <Parts
        parts={[
          {
            key: 'online',
            name: phrase('station-state.online'),
            tone: 'free',
            count: summary?.stations.online ?? 0,
          },
          {
            key: 'offline',
            name: phrase('station-state.offline'),
            tone: 'offline',
            count: summary?.stations.offline ?? 0,
          },
        ]}
      />
    </Panel>
  );
}

function SitesPanel({ sites }: { sites: readonly SiteOnMap[] | undefined }) {
  const busiest = useMemo(() => busiestSites(sites ?? [], sitesShown), [sites]);
  return (
    <Panel title={phrase('overview.screenBusiest')} isGrowing>
      <ol className={styles.busiest}>
        {busiest.map((site) => {
          const whole = site.connectorCount;
          return (
            <li key={site.id}>
              <span className={styles.name}>{site.name}</span>
              <span className="figure">
                {site.connectors.occupied}/{whole}
              </span>
              <i aria-hidden="true">
                <i style={{ width: `${(100 * site.connectors.occupied) / whole}%` }} />
              </i>
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}

function NowPanel({ summary }: { summary: Summary | undefined }) {
  return (
    <Panel title={phrase('overview.screenNow')}>
      <div className={styles.trio}>
        <Figure label={phrase('overview.chargingNow')} value={summary?.chargingNow} format={countText} />
        <Figure label={phrase('overview.screenPower')} value={summary?.chargingPowerW} format={powerText} />
        <Figure label={phrase('overview.abnormal')} value={summary?.abnormalOrders} format={countText} />
      </div>
    </Panel>
  );
}

function MapPanel({ sites }: { sites: readonly SiteOnMap[] | undefined }) {
  const [region, setRegion] = useState<string | null>(null);
  const labels = useMemo(mapLabels, []);
  const tally = useMemo(() => tallyStates(sites ?? []), [sites]);
  return (
    <section className={styles.map} aria-label={phrase('overview.map')}>
      <ul className={styles.states}>
        {siteStates.map((state) => (
          <li key={state}>
            <span style={{ color: toneColours[siteTones[state]].text }}>
              <ToneShape tone={siteTones[state]} />
            </span>
            {phrase(`overview.state.${state}`)}
            <CalmNumber value={tally[state]} format={countText} />
          </li>
        ))}
      </ul>
      <div className={styles.canvas}>
        <Suspense>
          {sites === undefined ? null : (
            <SiteMap
              sites={sites}
              language={language}
              labels={labels}
              selectedId={null}
              onSelect={() => {}}
              onRegionSelect={setRegion}
              focusRegion={region}
            />
          )}
        </Suspense>
      </div>
    </section>
  );
}

const runningOrders: CallInput<typeof listOrders> = {
  query: { state: [...liveOrderStates], pageSize: ordersShown, sort: '-placedAt' },
  quiet: true,
};

/** Running charges, newest first, updated by server push. */
function OrdersPanel() {
  const can = useCan();
  const answer = useAnswer(listOrders, runningOrders, { enabled: can('order.read'), keepPrevious: true });
  const askAgain = useAskAgain(listOrders, runningOrders, ordersGapMs);
  useConsoleEvents('order-changed', askAgain);
  const orders = answer.data?.items ?? [];
  return (
    <Panel title={phrase('overview.screenOrders')} isGrowing>
      {answer.isSuccess && orders.length === 0 ? (
        <p className={styles.nobody}>{phrase('overview.screenNobody')}</p>
      ) : (
        <ol className={styles.orders}>
          {orders.map((order) => (
            <OrderLine key={order.id} order={order} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function OrderLine({ order }: { order: Order }) {
  const tone = orderTones[order.state];
  return (
    <li>
      <span className={styles.orderState} style={{ color: toneColours[tone].text }}>
        <ToneShape tone={tone} />
        <span className="for-readers">{phrase(`order-state.${order.state}`)}</span>
      </span>
      <span className={styles.orderPlace}>
        <span className={styles.name}>{order.siteName}</span>
        <small>
          {order.stationName} · {order.connectorNumber}
        </small>
      </span>
      <span className={styles.orderFigures}>
        <span>
          <CalmNumber value={order.energyWh} format={energyText} /> kWh
        </span>
        <small className="figure">{order.powerW === null ? nothingText : `${powerText(order.powerW)} kW`}</small>
      </span>
      <span className={styles.orderAmount}>
        <CalmNumber value={order.amountFen} format={moneyText} />
      </span>
    </li>
  );
}
