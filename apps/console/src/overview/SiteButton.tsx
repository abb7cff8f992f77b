import type { MapSite } from '@voltdeck/contract/overview';
import type { RefObject } from 'react';
import { phrase } from '../phrases.ts';
import { PortTally } from '../ui/PortTally.tsx';
import { toneColours } from '../ui/state-colours.ts';
import { ToneShape } from '../ui/ToneShape.tsx';
import styles from './home.module.css';
import { siteTones } from './site-map-states.ts';

type Props = {
  site: MapSite;
  isChosen: boolean;
  onSelect: (id: number) => void;
  place?: RefObject<HTMLButtonElement | null>;
};

/** A site in a list of sites: its state, its address and its ports. */
export function SiteButton({ site, isChosen, onSelect, place }: Props) {
  const tone = siteTones[site.state];
  return (
    <button
      type="button"
      ref={place}
      className={styles.siteButton}
      aria-pressed={isChosen}
      onClick={() => onSelect(site.id)}
    >
      <span className={styles.siteName}>
        <ToneShape tone={tone} sizePx={12} />
        <span className={styles.siteText}>{site.name}</span>
        <span className={styles.siteState} style={{ color: toneColours[tone].text }}>
          {phrase(`overview.state.${site.state}`)}
        </span>
      </span>
      <span className={styles.siteBelow}>
        <span className={styles.siteText}>{site.address}</span>
        <PortTally tally={site.connectors} />
      </span>
    </button>
  );
}
