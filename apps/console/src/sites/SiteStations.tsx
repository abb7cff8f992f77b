import type { Station } from '@voltdeck/contract/stations';
import type { SiteId } from '@voltdeck/units/id';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PortTally } from '../ui/PortTally.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { enabledTone, onlineTone } from '../ui/state-colours.ts';
import { AnsweredPanel, type Fetched } from './AnsweredPanel.tsx';
import styles from './sites.module.css';

/** The first stations of the site, by number. */
export function SiteStations({ siteId, answer }: { siteId: SiteId; answer: Fetched<Station> }) {
  return (
    <AnsweredPanel
      title={phrase('sites.stationsPanel')}
      tools={
        <ScreenLink screen="deviceList" query={{ siteId }}>
          {phrase('sites.allStations')}
        </ScreenLink>
      }
      answer={answer}
      empty={<EmptyState title={phrase('sites.noStations')} />}
    >
      {(stations) => (
        <ScrollRegion label={phrase('sites.stationsPanel')}>
          <table className={styles.figures}>
            <thead>
              <tr>
                <th scope="col">{phrase('stations.name')}</th>
                <th scope="col">{phrase('stations.number')}</th>
                <th scope="col">{phrase('stations.online')}</th>
                <th scope="col">{phrase('stations.enabled')}</th>
                <th scope="col">{phrase('stations.running')}</th>
                <th scope="col">{phrase('stations.type')}</th>
                <th scope="col" className={styles.right}>{`${phrase('stations.maxPower')} (kW)`}</th>
              </tr>
            </thead>
            <tbody>
              {stations.map((station) => (
                <tr key={station.id}>
                  <td>
                    <ScreenLink screen="deviceDetail" query={{ id: station.id }}>
                      {station.name}
                    </ScreenLink>
                  </td>
                  <td className={styles.mono}>{station.number}</td>
                  <td>
                    <StateTag tone={onlineTone(station.online)}>
                      {phrase(station.online ? 'station-state.online' : 'station-state.offline')}
                    </StateTag>
                  </td>
                  <td>
                    <StateTag tone={enabledTone(station.enabled)}>
                      {phrase(station.enabled ? 'station-state.enabled' : 'station-state.disabled')}
                    </StateTag>
                  </td>
                  <td>
                    <PortTally tally={station.connectors} of={{ stationId: station.id }} />
                  </td>
                  <td>
                    {phrase(`station-type.${station.type}`)} · {phrase(`equipment-type.${station.equipmentType}`)}
                  </td>
                  <td className={styles.right}>{station.maxPowerKw.toFixed(1)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </AnsweredPanel>
  );
}
