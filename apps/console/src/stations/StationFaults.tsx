import type { StationDetail } from '@voltdeck/contract/stations';
import { phrase } from '../phrases.ts';
import { Instant } from '../ui/Instant.tsx';
import { Panel } from '../ui/Panel.tsx';
import { faultText } from '../ui/ports/fault-text.ts';
import { portText } from '../ui/ports/port-text.ts';
import { StateTag } from '../ui/StateTag.tsx';
import styles from './stations.module.css';

/** What is wrong with the station's gun ports now; nothing where all is well. */
export function StationFaults({ station }: { station: StationDetail }) {
  const faulty = station.ports.filter(({ state }) => state === 'fault');
  if (faulty.length === 0) return null;
  return (
    <Panel title={phrase('stations.presentFaults')}>
      <ul className={styles.presentFaults}>
        {faulty.map((port) => (
          <li key={port.id} className={styles.fault}>
            <StateTag tone="fault">{portText({ number: port.number })}</StateTag>
            <span>{faultText(port) || phrase('connector-state.fault')}</span>
            <span className={styles.quiet}>
              <Instant at={port.stateSince} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
