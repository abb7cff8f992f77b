import { type ConnectorGroup, connectorGroupOf, connectorGroups } from '@voltdeck/charging/states';
import { listWallPorts, summaryKeptMs, type WallPort, wallPortsMax } from '@voltdeck/contract/overview';
import type { SiteId } from '@voltdeck/units/id';
import { Pagination, Skeleton } from 'antd';
import { useEffect, useReducer, useState } from 'react';
import { useConsoleEvents } from '../api/events.ts';
import { useAnswer, useAskAgain } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { PortTally } from '../ui/PortTally.tsx';
import { PortTile } from '../ui/ports/PortTile.tsx';
import wallStyles from '../ui/ports/port-wall.module.css';
import { connectorGroupTones, toneColours } from '../ui/state-colours.ts';
import { ToneShape } from '../ui/ToneShape.tsx';
import styles from './home.module.css';
import { noMoves, withMove, withMoves } from './port-moves.ts';

const tickMs = 20_000;
/** Minimum interval between fetches while ports keep changing; tiles change at once. */
const refetchGapMs = 10_000;

/** Trouble first. */
const groupOrder = ['fault', 'offline', 'occupied', 'free'] as const satisfies readonly ConnectorGroup[];

/** The ports of a site, a region or the whole network as tiles that move with events. */
export function LivePorts({ region, siteId }: { region: string | null; siteId: number | null }) {
  const [page, setPage] = useState(1);
  const query = {
    ...(siteId === null ? (region === null ? {} : { regionCode: region }) : { siteId: siteId as SiteId }),
    ...(page === 1 ? {} : { page }),
  };
  const answer = useAnswer(listWallPorts, { query }, { keepPrevious: true });
  const askAgain = useAskAgain(listWallPorts, { query }, refetchGapMs, summaryKeptMs);
  const [moves, move] = useReducer(withMove, noMoves);
  useConsoleEvents('connector-changed', (event) => {
    move(event);
    askAgain();
  });
  useConsoleEvents('station-changed', (event) => {
    move(event);
    askAgain();
  });
  useConsoleEvents('order-changed', move);
  useConsoleEvents('port-order-changed', move);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);

  if (answer.data === undefined) {
    return answer.isError ? <ErrorState failure={answer.error} retry={() => void answer.refetch()} /> : <WallWaiting />;
  }
  const { connectors, pages } = answer.data;
  const ports = withMoves(answer.data.items, moves);
  const count = connectorGroups.reduce((sum, group) => sum + connectors[group], 0);
  const [first] = ports;
  return (
    <section className={styles.ports} aria-label={phrase('overview.wall')}>
      <header className={styles.wallHead}>
        {siteId === null || first === undefined ? null : (
          <h2 className={styles.cardTitle}>
            <ScreenLink screen="plotDetail" query={{ id: first.siteId }}>
              {first.siteName}
            </ScreenLink>
          </h2>
        )}
        <span className={styles.quiet}>{phrase('overview.portsOf', { count })}</span>
        <PortTally tally={connectors} named {...(siteId === null ? {} : { of: { siteId: siteId as SiteId } })} />
      </header>
      {ports.length === 0 ? (
        <EmptyState title={phrase('overview.noPorts')} text={phrase('overview.noPortsText')} />
      ) : (
        <div className={styles.wallGroups}>
          {groupOrder.map((group) => (
            <PortGroup
              key={group}
              group={group}
              ports={ports.filter(({ state }) => connectorGroupOf[state] === group)}
              now={now}
              namesSites={siteId === null}
            />
          ))}
        </div>
      )}
      {pages === 1 ? null : (
        <Pagination
          className={styles.wallPages}
          size="small"
          showSizeChanger={false}
          pageSize={wallPortsMax}
          total={Math.min(count, pages * wallPortsMax)}
          current={page}
          onChange={setPage}
        />
      )}
    </section>
  );
}

type GroupProps = { group: ConnectorGroup; ports: readonly WallPort[]; now: number; namesSites: boolean };

function PortGroup({ group, ports, now, namesSites }: GroupProps) {
  if (ports.length === 0) return null;
  const tone = connectorGroupTones[group];
  const name = phrase(`connector-group.${group}`);
  return (
    <section aria-label={name}>
      <h3 className={styles.wallGroup} style={{ color: toneColours[tone].text }}>
        <ToneShape tone={tone} sizePx={12} />
        {name}
        <span className="figure">{ports.length}</span>
      </h3>
      <ul className={wallStyles.tiles}>
        {ports.map((port) => (
          <PortTile
            key={port.id}
            port={port}
            charge={port.state === 'charging' ? port : undefined}
            now={now}
            {...(namesSites ? { siteName: port.siteName } : {})}
          />
        ))}
      </ul>
    </section>
  );
}

function WallWaiting() {
  return (
    <div className={styles.ports} aria-busy="true">
      <ul className={wallStyles.tiles}>
        {Array.from({ length: 18 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <li key={index}>
            <Skeleton.Node active style={{ width: '100%', height: 74 }} />
          </li>
        ))}
      </ul>
    </div>
  );
}
