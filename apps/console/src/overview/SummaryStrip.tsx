import { getSummary, summaryKeptMs } from '@voltdeck/contract/overview';
import type { AnswerOf } from '@voltdeck/contract/route';
import { instant, shanghaiDayStart, toIso } from '@voltdeck/units/instant';
import { Button, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { useConsoleEvents } from '../api/events.ts';
import { useAnswer, useAskAgain } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { failureText } from '../ui/failure-text.ts';
import { countText, energyText, moneyText, powerText } from '../ui/figures.ts';
import { PortTally } from '../ui/PortTally.tsx';
import { toneColours } from '../ui/state-colours.ts';
import { ToneShape } from '../ui/ToneShape.tsx';
import { AgainstYesterday } from './AgainstYesterday.tsx';
import { CalmNumber } from './CalmNumber.tsx';
import styles from './home.module.css';

type Summary = AnswerOf<typeof getSummary>;

/** Minimum interval between fetches: orders change every second. */
const refetchGapMs = 3_000;

/** Today's figures compared with yesterday at this time, and what is running now. */
export function SummaryStrip() {
  const answer = useAnswer(getSummary, {}, { keepPrevious: true });
  const askAgain = useAskAgain(getSummary, {}, refetchGapMs, summaryKeptMs);
  useConsoleEvents('order-changed', askAgain);
  useConsoleEvents('port-order-changed', askAgain);
  useConsoleEvents('figures-changed', askAgain);
  useConsoleEvents('connector-changed', askAgain);
  useConsoleEvents('station-changed', askAgain);

  if (answer.isPending) {
    return (
      <section className={styles.strip} aria-busy="true" aria-label={phrase('overview.summary')}>
        {Array.from({ length: 7 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <div key={index} className={styles.figure}>
            <Skeleton active title={{ width: 64 }} paragraph={{ rows: 1, width: 104 }} />
          </div>
        ))}
      </section>
    );
  }
  if (answer.data === undefined) {
    return (
      <section className={styles.stripFailed} role="alert">
        {phrase('overview.summaryFailed')} {failureText(answer.error).text}
        <Button size="small" onClick={() => void answer.refetch()}>
          {phrase('shell.retry')}
        </Button>
      </section>
    );
  }
  return <Strip summary={answer.data} />;
}

/** Start of today's figures and of the lists that they link to. */
const todayStart = () => toIso(shanghaiDayStart(instant(Date.now())));

function Strip({ summary }: { summary: Summary }) {
  return (
    <section className={styles.strip} aria-label={phrase('overview.summary')}>
      <Figure
        label={phrase('overview.receivable')}
        below={<AgainstYesterday today={summary.todayReceivableFen} yesterday={summary.yesterdayReceivableFen} />}
      >
        <CalmNumber value={summary.todayReceivableFen} format={moneyText} />
      </Figure>
      <Figure
        label={phrase('overview.energy')}
        below={<AgainstYesterday today={summary.todayEnergyWh} yesterday={summary.yesterdayEnergyWh} />}
      >
        <CalmNumber value={summary.todayEnergyWh} format={energyText} />
      </Figure>
      <Figure
        label={
          <ScreenLink screen="orderListHistory" query={{ state: ['completed'], time: 'ended', from: todayStart() }}>
            {phrase('overview.orders')}
          </ScreenLink>
        }
        below={<AgainstYesterday today={summary.todayOrders} yesterday={summary.yesterdayOrders} />}
      >
        <CalmNumber value={summary.todayOrders} format={countText} />
      </Figure>
      <Figure
        label={
          <ScreenLink screen="orderListReal" query={{ state: ['charging'] }}>
            {phrase('overview.chargingNow')}
          </ScreenLink>
        }
        below={
          <span className="figure">
            <CalmNumber value={summary.chargingPowerW} format={powerText} /> kW
          </span>
        }
      >
        <CalmNumber value={summary.chargingNow} format={countText} />
      </Figure>
      <Figure
        label={<ScreenLink screen="portList">{phrase('overview.ports')}</ScreenLink>}
        below={<PortTally tally={summary.connectors} named of={{}} />}
        isWide
      >
        <CalmNumber
          value={
            summary.connectors.free +
            summary.connectors.occupied +
            summary.connectors.fault +
            summary.connectors.offline
          }
          format={countText}
        />
      </Figure>
      <Figure
        label={<ScreenLink screen="deviceList">{phrase('overview.stations')}</ScreenLink>}
        below={
          <span className={styles.pair}>
            <ScreenLink screen="deviceList" query={{ online: true }} style={{ color: toneColours.free.text }}>
              <ToneShape tone="free" /> {phrase('station-state.online')}{' '}
              <span className="figure">{countText(summary.stations.online)}</span>
            </ScreenLink>
            <ScreenLink screen="deviceList" query={{ online: false }} style={{ color: toneColours.offline.text }}>
              <ToneShape tone="offline" /> {phrase('station-state.offline')}{' '}
              <span className="figure">{countText(summary.stations.offline)}</span>
            </ScreenLink>
          </span>
        }
      >
        <CalmNumber value={summary.stations.online + summary.stations.offline} format={countText} />
      </Figure>
      <Figure
        label={
          <ScreenLink screen="orderListAbnormal" query={{ handled: false }}>
            {phrase('overview.abnormal')}
          </ScreenLink>
        }
        below={
          <span className={styles.pair}>
            {summary.waitingOrders === 0 ? (
              phrase('overview.waitingNone')
            ) : (
              <ScreenLink
                screen="orderListReal"
                query={{ waitsFor: ['person'] }}
                style={{ color: toneColours.occupied.text }}
              >
                <ToneShape tone="occupied" /> {phrase('settlement-wait.person')}{' '}
                <span className="figure">{countText(summary.waitingOrders)}</span>
              </ScreenLink>
            )}
          </span>
        }
      >
        <CalmNumber value={summary.abnormalOrders} format={countText} />
      </Figure>
    </section>
  );
}

function Figure(props: { label: ReactNode; below: ReactNode; isWide?: boolean; children: ReactNode }) {
  const { label, below, isWide = false, children } = props;
  return (
    <div className={isWide ? styles.wideFigure : styles.figure}>
      <span className={styles.label}>{label}</span>
      <span className={styles.value}>{children}</span>
      <span className={styles.below}>{below}</span>
    </div>
  );
}
