import { SearchOutlined } from '@ant-design/icons';
import type { MapSite } from '@voltdeck/contract/overview';
import { Button, Input } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { phrase } from '../phrases.ts';
import { countText } from '../ui/figures.ts';
import { PortTally } from '../ui/PortTally.tsx';
import { toneColours } from '../ui/state-colours.ts';
import { ToneShape } from '../ui/ToneShape.tsx';
import styles from './home.module.css';
import { siteTones } from './site-map-states.ts';

/** How many sites are listed at first; the rest on demand. */
const pageLength = 60;

type Props = {
  /** Within the region and the search, those in trouble first. */
  sites: readonly MapSite[];
  /** The number of sites before the search. */
  total: number;
  text: string;
  onText: (text: string) => void;
  selectedId: number | null;
  onSelect: (id: number) => void;
};

/** The list of sites beside the map, those in trouble first. */
export function SitePanel({ sites, total, text, onText, selectedId, onSelect }: Props) {
  const [length, setLength] = useState(pageLength);
  const selected = useRef<HTMLButtonElement>(null);
  const place = sites.findIndex((site) => site.id === selectedId);
  // A site chosen on the map may be anywhere in the list.
  const shown = Math.max(length, place + 1);
  useEffect(() => {
    if (selectedId !== null) selected.current?.scrollIntoView({ block: 'nearest' });
  }, [selectedId]);
  return (
    <section className={styles.list} aria-label={phrase('overview.sites')}>
      <search className={styles.search}>
        <Input
          allowClear
          aria-label={phrase('overview.searchSite')}
          placeholder={phrase('overview.searchSite')}
          prefix={<SearchOutlined aria-hidden="true" />}
          value={text}
          onChange={(event) => {
            onText(event.target.value);
            setLength(pageLength);
          }}
        />
        <span className={styles.quiet} role="status">
          {sites.length === total
            ? phrase('overview.siteCount', { count: countText(total) })
            : phrase('overview.siteCountOf', { count: countText(sites.length), total: countText(total) })}
        </span>
      </search>
      {sites.length === 0 ? (
        <p className={styles.none}>{phrase(total === 0 ? 'overview.noSites' : 'overview.noMatch')}</p>
      ) : (
        <ul className={styles.sites}>
          {sites.slice(0, shown).map((site) => {
            const tone = siteTones[site.state];
            return (
              <li key={site.id}>
                <button
                  type="button"
                  ref={site.id === selectedId ? selected : undefined}
                  className={styles.siteButton}
                  aria-pressed={site.id === selectedId}
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
              </li>
            );
          })}
        </ul>
      )}
      {sites.length > shown ? (
        <Button type="link" block onClick={() => setLength(shown + pageLength)}>
          {phrase('overview.more', { count: countText(Math.min(pageLength, sites.length - shown)) })}
        </Button>
      ) : null}
    </section>
  );
}
