import { connectorGroups } from '@voltdeck/charging/states';
import { getBigScreen, screenNowKeptMs } from '@voltdeck/contract/big-screen';
import type { AnswerOf } from '@voltdeck/contract/route';
import { instant, toIso } from '@voltdeck/units/instant';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useConsoleEvents, useStreamState } from '../api/events.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer, useAskAgain } from '../api/queries.ts';
import { language } from '../language.ts';
import { phrase } from '../phrases.ts';
import { failureText } from '../ui/failure-text.ts';
import { countText, energyText, nothingText, powerText, yuanText } from '../ui/figures.ts';
import { connectorGroupTones, onlineTone, type Tone, toneColours } from '../ui/state-colours.ts';
import { ToneShape } from '../ui/ToneShape.tsx';
import { useNow } from '../ui/use-now.ts';
import { AgainstYesterday } from './AgainstYesterday.tsx';
import { CalmNumber } from './CalmNumber.tsx';
import { mapLabels } from './map-words.ts';
import { ScreenCharges } from './ScreenCharges.tsx';
import { ScreenCurves } from './ScreenCurves.tsx';
import { ScreenFaults } from './ScreenFaults.tsx';
import { Late, nothingTold, ScreenFigure, ScreenPanel, type Told } from './ScreenPanel.tsx';
import { ScreenRankings } from './ScreenRankings.tsx';
import styles from './screen.module.css';
import { clockText, tallyStates } from './screen-figures.ts';
import { HearingContext, useHearing, useIsVisible, useLiveness } from './screen-hearing.ts';
import type { Hearing } from './screen-liveness.ts';
import { type SiteOnMap, siteStates, siteTones } from './site-map-states.ts';
import { useMapSites } from './use-map-sites.ts';
import { useReceivedAt } from './use-received-at.ts';
import { watchDeploys } from './watch-deploys.ts';

const SiteMap = lazyPart(() => import('./SiteMap.tsx'));

type Screen = AnswerOf<typeof getBigScreen>;

/** Minimum interval between fetches while events come. */
const figuresGapMs = 3_000;
/** And the longest while none comes, well below what counts as late. */
const figuresEveryMs = 10_000;
const sitesEveryMs = 15_000;

/**
 * The whole network on a wall display, for weeks: sums, map, curves, rankings, charges and faults as they come; /screen.
 * `title` is the configured name. The frame keeps the event stream. Everything it holds is one answer and the sites of the map, so that nothing grows.
 */
export default function ScreenPage({ title }: { title: string | null }) {
  const hearing = useHearing();
  useDeploys(hearing);
  const answer = useAnswer(getBigScreen, { quiet: true }, { keepPrevious: true, everyMs: () => figuresEveryMs });
  const askAgain = useAskAgain(getBigScreen, {}, figuresGapMs, screenNowKeptMs);
  useConsoleEvents('order-changed', askAgain);
  useConsoleEvents('port-order-changed', askAgain);
  useConsoleEvents('figures-changed', askAgain);
  useConsoleEvents('connector-changed', askAgain);
  useConsoleEvents('station-changed', askAgain);
  const screen = answer.data;
  const receivedAtMs = useReceivedAt(answer.dataUpdatedAt);
  const now = toldOf(screen, receivedAtMs, screen?.now.at);
  const past = toldOf(screen, receivedAtMs, screen?.past.at);
  const failure = screen === undefined ? answer.error : null;
  return (
    <HearingContext value={hearing}>
      <main className={styles.screen}>
        <Head title={title} hearing={hearing} />
        {failure === null ? null : (
          <p className={styles.failure} role="alert">
            {failureText(failure).text}
          </p>
        )}
        <div className={styles.body}>
          <div className={styles.side}>
            <TodayPanel now={screen?.now} told={now} />
            <SumsPanel past={screen?.past} told={past} />
            <ScreenRankings screen={screen} told={past} />
          </div>
          <div className={styles.middle}>
            <MapPanel />
            <ScreenCurves screen={screen} now={now} past={past} />
          </div>
          <div className={styles.side}>
            <KindsPanel now={screen?.now} told={now} />
            <PortsPanel now={screen?.now} told={now} />
            {screen?.now.charges === null ? null : <ScreenCharges charges={screen?.now.charges} told={now} />}
            <ScreenFaults faults={screen?.now.faults} told={now} />
          </div>
        </div>
      </main>
    </HearingContext>
  );
}

/** The age of a part when it came is what the server says of it, whatever clock this machine has. */
function toldOf(screen: Screen | undefined, receivedAtMs: number, at: string | undefined): Told {
  if (screen === undefined || at === undefined) return nothingTold;
  return { receivedAtMs, ageMs: Math.max(0, Date.parse(screen.answeredAt) - Date.parse(at)), at };
}

/** A server that comes back may have brought another version of this page. */
function useDeploys({ heardSinceMs }: Hearing): void {
  const watch = useRef<ReturnType<typeof watchDeploys> | null>(null);
  useEffect(() => {
    const made = watchDeploys();
    watch.current = made;
    return () => made.stop();
  }, []);
  useEffect(() => {
    if (heardSinceMs !== null && heardSinceMs > 0) watch.current?.look();
  }, [heardSinceMs]);
}

function Head({ title, hearing }: { title: string | null; hearing: Hearing }) {
  const now = useNow(1_000, useIsVisible());
  const [day, time] = clockText(instant(now), language);
  return (
    <header className={styles.head}>
      <span className={styles.day}>{day}</span>
      <h1>{title ?? phrase('screen.title')}</h1>
      <span className={styles.end}>
        <Connection hearing={hearing} />
        <time className={styles.time}>{time}</time>
      </span>
    </header>
  );
}

function Connection({ hearing: { lostAt } }: { hearing: Hearing }) {
  const state = useStreamState((stream) => stream.state);
  const [kind, tone, text]: [string, Tone, string] =
    lostAt !== null
      ? ['lost', 'fault', phrase('screen.lost', { time: clockText(lostAt, language)[1] })]
      : state === 'open'
        ? ['open', 'free', phrase('screen.live')]
        : ['connecting', 'occupied', phrase('screen.connecting')];
  return (
    <span className={styles.connection} role="status" data-connection={kind} style={{ color: toneColours[tone].text }}>
      <ToneShape tone={tone} />
      {text}
    </span>
  );
}

function TodayPanel({ now, told }: { now: Screen['now'] | undefined; told: Told }) {
  const today = now?.today;
  return (
    <ScreenPanel title={phrase('screen.today')} told={told}>
      <div className={styles.income}>
        <ScreenFigure
          label={phrase('screen.receivable')}
          value={today?.receivableFen}
          format={yuanText}
          note={
            now === undefined ? null : (
              <span className={styles.against}>
                <AgainstYesterday today={now.today.receivableFen} yesterday={now.yesterday.receivableFen} />
              </span>
            )
          }
        />
      </div>
      <div className={styles.pair}>
        <ScreenFigure label={phrase('screen.received')} value={today?.receivedFen} format={yuanText} />
        <ScreenFigure label={phrase('screen.energy')} value={today?.energyWh} format={energyText} />
        <ScreenFigure label={phrase('screen.orders')} value={today?.orders} format={countText} />
        {now?.newCustomers === null ? null : (
          <ScreenFigure label={phrase('screen.newCustomers')} value={now?.newCustomers} format={countText} />
        )}
      </div>
    </ScreenPanel>
  );
}

function SumsPanel({ past, told }: { past: Screen['past'] | undefined; told: Told }) {
  const rows = [
    { key: 'receivable', label: phrase('screen.receivable'), of: (sums: Sums) => yuanText(sums.receivableFen) },
    { key: 'received', label: phrase('screen.received'), of: (sums: Sums) => yuanText(sums.receivedFen) },
    { key: 'energy', label: phrase('screen.energy'), of: (sums: Sums) => energyText(sums.energyWh, 0) },
    { key: 'orders', label: phrase('screen.orders'), of: (sums: Sums) => countText(sums.orders) },
  ];
  return (
    <ScreenPanel title={phrase('screen.sums')} told={told}>
      <table className={styles.sums}>
        <thead>
          <tr>
            <td />
            <th scope="col">{phrase('screen.month')}</th>
            <th scope="col">{phrase('screen.total')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, of }) => (
            <tr key={key}>
              <th scope="row">{label}</th>
              <td className="figure">{past === undefined ? nothingText : of(past.month)}</td>
              <td className="figure">{past === undefined ? nothingText : of(past.total)}</td>
            </tr>
          ))}
          {past?.customers === null ? null : (
            <tr>
              <th scope="row">{phrase('screen.customers')}</th>
              <td />
              <td className="figure">{past === undefined ? nothingText : countText(past.customers)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </ScreenPanel>
  );
}

type Sums = Screen['past']['month'];

function KindsPanel({ now, told }: { now: Screen['now'] | undefined; told: Told }) {
  return (
    <ScreenPanel title={phrase('screen.kinds')} told={told}>
      <table className={styles.kinds}>
        <thead>
          <tr>
            <td />
            <th scope="col">{phrase('screen.charging')}</th>
            <th scope="col">{phrase('screen.power')}</th>
            <th scope="col">{phrase('screen.freePorts')}</th>
          </tr>
        </thead>
        <tbody>
          {now?.kinds.toReversed().map((kind) => (
            <tr key={kind.equipmentType}>
              <th scope="row">{phrase(`equipment-type.${kind.equipmentType}`)}</th>
              <td>
                <CalmNumber value={kind.charging} format={countText} />
              </td>
              <td>
                <CalmNumber value={kind.powerW} format={powerText} />
              </td>
              <td>
                <CalmNumber value={kind.connectors.free} format={countText} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScreenPanel>
  );
}

type Part = { key: string; name: string; tone: Tone; count: number };

/** A bar of all parts, each with its shape and figure so that it does not depend on colour. */
function Parts({ parts, isKnown }: { parts: readonly Part[]; isKnown: boolean }) {
  const whole = parts.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <div className={styles.bar} aria-hidden="true">
        {whole === 0
          ? null
          : parts.map(({ key, tone, count }) => (
              <i key={key} style={{ flexGrow: count, background: toneColours[tone].mark }} />
            ))}
      </div>
      <ul className={styles.parts}>
        {parts.map(({ key, name, tone, count }) => (
          <li key={key}>
            <span style={{ color: toneColours[tone].text }}>
              <ToneShape tone={tone} />
            </span>
            <span>{name}</span>
            {isKnown ? <CalmNumber value={count} format={countText} /> : <span>{nothingText}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

function PortsPanel({ now, told }: { now: Screen['now'] | undefined; told: Told }) {
  return (
    <ScreenPanel title={phrase('screen.portsAndStations')} told={told}>
      <Parts
        isKnown={now !== undefined}
        parts={connectorGroups.map((group) => ({
          key: group,
          name: phrase(`connector-group.${group}`),
          tone: connectorGroupTones[group],
          count: now?.connectors[group] ?? 0,
        }))}
      />
      <h3>{phrase('overview.stations')}</h3>
      <Parts
        isKnown={now !== undefined}
        parts={(['online', 'offline'] as const).map((state) => ({
          key: state,
          name: phrase(`station-state.${state}`),
          tone: onlineTone(state === 'online'),
          count: now?.stations[state] ?? 0,
        }))}
      />
    </ScreenPanel>
  );
}

function MapPanel() {
  const { sites, receivedAtMs, receivedAt } = useMapSites({ quiet: true, everyMs: sitesEveryMs });
  const told: Told = { receivedAtMs, ageMs: 0, at: receivedAt === null ? null : toIso(receivedAt) };
  const liveness = useLiveness(told);
  return (
    <section className={styles.map} data-liveness={liveness} aria-label={phrase('overview.map')}>
      <SiteTally sites={sites} late={liveness === 'live' || liveness === 'none' ? null : told} />
      <div className={styles.canvas}>
        <NetworkMap sites={sites} />
      </div>
    </section>
  );
}

function SiteTally({ sites, late }: { sites: readonly SiteOnMap[] | undefined; late: Told | null }) {
  const tally = useMemo(() => tallyStates(sites ?? []), [sites]);
  return (
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
      {late === null ? null : (
        <li>
          <Late told={late} />
        </li>
      )}
    </ul>
  );
}

function NetworkMap({ sites }: { sites: readonly SiteOnMap[] | undefined }) {
  const [region, setRegion] = useState<string | null>(null);
  const labels = useMemo(mapLabels, []);
  return (
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
  );
}
