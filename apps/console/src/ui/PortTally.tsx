import { connectorGroups } from '@voltdeck/charging/states';
import { phrase } from '../phrases.ts';
import styles from './port-tally.module.css';
import { connectorGroupTones, toneColours } from './state-colours.ts';
import { ToneShape } from './ToneShape.tsx';

export type Tally = { free: number; occupied: number; fault: number; offline: number };

/** How many ports are in which state: shape, colour and figure; groups without ports are left out. */
export function PortTally({ tally, named = false }: { tally: Tally; named?: boolean }) {
  const groups = connectorGroups.filter((group) => tally[group] > 0);
  return (
    <span className={styles.tally}>
      {groups.map((group) => {
        const tone = connectorGroupTones[group];
        const name = phrase(`connector-group.${group}`);
        return (
          <span key={group} className={styles.group} style={{ color: toneColours[tone].text }} title={name}>
            <ToneShape tone={tone} />
            {named ? name : <span className="for-readers">{name}</span>}
            <span className="figure">{tally[group]}</span>
          </span>
        );
      })}
      {groups.length === 0 ? <span className="figure">0</span> : null}
    </span>
  );
}
