import type { Connector } from '@voltdeck/contract/connectors';
import type { Station } from '@voltdeck/contract/stations';
import type { SiteId } from '@voltdeck/units/id';
import type { ReactNode } from 'react';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { Instant } from '../ui/Instant.tsx';
import { faultText } from '../ui/ports/fault-text.ts';
import { portText } from '../ui/ports/port-text.ts';
import { StateTag } from '../ui/StateTag.tsx';
import type { Tone } from '../ui/state-colours.ts';
import { AnsweredPanel, type Fetched } from './AnsweredPanel.tsx';
import styles from './sites.module.css';

type Props = { siteId: SiteId; ports: Fetched<Connector>; stations: Fetched<Station> };

/** What is wrong at the site now: ports in fault, the latest first, and stations that are offline. */
export function SiteTrouble({ siteId, ports, stations }: Props) {
  const morePorts = beyond(ports);
  const moreStations = beyond(stations);
  const count = (ports.data?.total ?? 0) + (stations.data?.total ?? 0);
  // The panel waits for the ports, and shows the stations as soon as they are there too.
  const both: Fetched<unknown> = {
    ...ports,
    data:
      ports.data === undefined
        ? undefined
        : { items: [...ports.data.items, ...(stations.data?.items ?? [])], total: null },
  };
  return (
    <AnsweredPanel
      title={phrase('sites.trouble')}
      note={count === 0 ? undefined : String(count)}
      answer={both}
      empty={<p className={styles.calm}>{phrase('sites.noTrouble')}</p>}
    >
      {() => (
        <ul className={styles.trouble}>
          {ports.data?.items.map((port) => (
            <Problem key={port.id} tone="fault" state={phrase('connector-state.fault')} since={port.stateSince}>
              <ScreenLink screen="deviceDetail" query={{ id: port.stationId }}>
                {port.stationName} · {portText({ number: port.number })}
              </ScreenLink>
              <span>{faultText(port)}</span>
            </Problem>
          ))}
          {morePorts === 0 ? null : (
            <li className={styles.problem}>
              <ScreenLink screen="portList" query={{ siteId, state: ['fault'] }}>
                {phrase('sites.moreFaults', { count: morePorts })}
              </ScreenLink>
            </li>
          )}
          {stations.data?.items.map((station) => (
            <Problem
              key={`station ${station.id}`}
              tone="offline"
              state={phrase('station-state.offline')}
              since={station.lastSeenAt}
            >
              <ScreenLink screen="deviceDetail" query={{ id: station.id }}>
                {station.name}
              </ScreenLink>
              {station.lastSeenAt === null ? <span>{phrase('sites.neverSeen')}</span> : null}
            </Problem>
          ))}
          {moreStations === 0 ? null : (
            <li className={styles.problem}>
              <ScreenLink screen="deviceList" query={{ siteId, online: false }}>
                {phrase('sites.moreOffline', { count: moreStations })}
              </ScreenLink>
            </li>
          )}
        </ul>
      )}
    </AnsweredPanel>
  );
}

/** How many there are beyond those that are shown. */
function beyond({ data }: Fetched<unknown>): number {
  return data?.total == null ? 0 : data.total - data.items.length;
}

type ProblemProps = { tone: Tone; state: string; since: string | null; children: ReactNode };

function Problem({ tone, state, since, children }: ProblemProps) {
  return (
    <li className={styles.problem}>
      <StateTag tone={tone}>{state}</StateTag>
      <span className={styles.reason}>{children}</span>
      {since === null ? null : (
        <span className={styles.quiet}>
          {phrase('sites.since')} <Instant at={since} />
        </span>
      )}
    </li>
  );
}
