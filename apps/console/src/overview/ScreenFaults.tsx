import type { ScreenFault } from '@voltdeck/contract/big-screen';
import { phrase } from '../phrases.ts';
import { faultText } from '../ui/ports/fault-text.ts';
import { ScreenPanel, type Told } from './ScreenPanel.tsx';
import { ScreenTickerLine } from './ScreenTickerLine.tsx';
import styles from './screen.module.css';

/** Ports with a fault and stations that went away, the newest first. */
export function ScreenFaults({ faults, told }: { faults: readonly ScreenFault[] | undefined; told: Told }) {
  return (
    <ScreenPanel title={phrase('screen.faults')} told={told} isGrowing>
      {faults?.length === 0 ? (
        <p className={styles.nobody}>{phrase('screen.noFaults')}</p>
      ) : (
        <ol className={styles.ticker}>
          {faults?.map(({ kind, stationId, faultCode, since, ...place }) => (
            <ScreenTickerLine
              key={`${stationId} ${place.connectorNumber} ${since}`}
              {...place}
              tone={kind}
              sign={phrase(kind === 'fault' ? 'screen.isFaulty' : 'screen.isOffline')}
              at={since}
            >
              <small>{faultText({ faultCode, faultInfo: null })}</small>
            </ScreenTickerLine>
          ))}
        </ol>
      )}
    </ScreenPanel>
  );
}
