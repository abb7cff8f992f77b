import type { Connector } from '@voltdeck/contract/connectors';
import type { SiteDetail } from '@voltdeck/contract/sites';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import PortWall from '../ui/ports/PortWall.tsx';
import { AnsweredPanel, type Fetched } from './AnsweredPanel.tsx';
import styles from './sites.module.css';

/** The wall of the site's ports, live. */
export function SitePorts({ site, answer }: { site: SiteDetail; answer: Fetched<Connector> }) {
  const shown = answer.data?.items.length ?? 0;
  const isPart = answer.data !== undefined && shown < site.connectorCount;
  return (
    <AnsweredPanel
      title={phrase('sites.ports')}
      note={isPart ? phrase('sites.morePorts', { shown, total: site.connectorCount }) : undefined}
      tools={
        <ScreenLink screen="portList" query={{ siteId: site.id }}>
          {phrase('sites.allPorts')}
        </ScreenLink>
      }
      answer={answer}
      empty={
        <EmptyState
          title={phrase('sites.noPorts')}
          text={phrase('sites.noPortsText')}
          action={
            <ScreenLink screen="deviceList" query={{ siteId: site.id }}>
              {phrase('sites.addStations')}
            </ScreenLink>
          }
        />
      }
    >
      {(ports) => (
        <div className={styles.wall}>
          <PortWall ports={ports} isLoading={false} siteId={site.id} />
        </div>
      )}
    </AnsweredPanel>
  );
}
