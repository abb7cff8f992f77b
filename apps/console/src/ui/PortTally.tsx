import { connectorGroups } from '@voltdeck/charging/states';
import type { SiteId, StationId } from '@voltdeck/units/id';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import styles from './port-tally.module.css';
import { connectorGroupTones, toneColours } from './state-colours.ts';
import { ToneShape } from './ToneShape.tsx';

type Tally = { free: number; occupied: number; fault: number; offline: number };

type Props = {
  tally: Tally;
  named?: boolean;
  /** Whose ports they are: each figure links to a list of these. */
  of?: { siteId?: SiteId; stationId?: StationId };
};

/** The number of ports per state: shape, colour and figure; states without ports are left out. */
export function PortTally({ tally, named = false, of }: Props) {
  const groups = connectorGroups.filter((group) => tally[group] > 0);
  return (
    <span className={styles.tally}>
      {groups.map((group) => {
        const tone = connectorGroupTones[group];
        const name = phrase(`connector-group.${group}`);
        const look = { className: styles.group, style: { color: toneColours[tone].text }, title: name };
        const text = (
          <>
            <ToneShape tone={tone} />
            {named ? name : <span className="for-readers">{name}</span>}
            <span className="figure">{tally[group]}</span>
          </>
        );
        return of === undefined ? (
          <span key={group} {...look}>
            {text}
          </span>
        ) : (
          <ScreenLink key={group} screen="portList" query={{ ...of, state: [group] }} {...look}>
            {text}
          </ScreenLink>
        );
      })}
      {groups.length === 0 ? <span className="figure">0</span> : null}
    </span>
  );
}
