import { SearchOutlined } from '@ant-design/icons';
import type { MapSite } from '@voltdeck/contract/overview';
import { Button, Input } from 'antd';
import { useState } from 'react';
import { phrase } from '../phrases.ts';
import { countText } from '../ui/figures.ts';
import { PortTally } from '../ui/PortTally.tsx';
import { toneColours } from '../ui/state-colours.ts';
import { ToneShape } from '../ui/ToneShape.tsx';
import styles from './home.module.css';
import { siteTones } from './site-map-states.ts';

/** A person reads this far; the rest comes on demand. */
const pageLength = 60;

type Props = {
  /** Sorted by trouble, within the region and the search. */
  sites: readonly MapSite[];
  /** Of how many in all. */
  total: number;
  text: string;
  onText: (text: string) => void;
  selectedId: number | null;
  onSelect: (id: number) => void;
};

/** The sites beside the map, those in trouble first. */
export function SitePanel({ sites, total, text, onText, selectedId, onSelect }: Props) {
  const [length, setLength] = useState(pageLength);
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
          {sites.slice(0, length).map((site) => {
            const tone = siteTones[site.state];
            return (
              <li key={site.id}>
                <button
                  type="button"
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
      {sites.length > length ? (
        <Button type="link" block onClick={() => setLength(length + pageLength)}>
          {phrase('overview.more', { count: countText(Math.min(pageLength, sites.length - length)) })}
        </Button>
      ) : null}
    </section>
  );
}
