import { useEffect, useRef } from 'react';
import { ToneShape } from '../ui/ToneShape.tsx';
import { type SiteOnMap, siteTones } from './site-map-states.ts';
import type { SiteMapLabels } from './site-map-words.ts';

interface MapStackProps {
  sites: readonly SiteOnMap[];
  labels: SiteMapLabels;
  onSelect: (id: number) => void;
  onClose: () => void;
}

/** At most this many are listed; the rest are counted. */
const listedMax = 50;

/** Sites at the same spot, which no zoom can separate. */
export function MapStack({ sites, labels, onSelect, onClose }: MapStackProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.querySelector<HTMLElement>('li button')?.focus(), []);
  const rest = sites.length - listedMax;
  return (
    <div
      ref={list}
      className="site-map-stack"
      role="dialog"
      aria-label={labels.siteCount(sites.length)}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <header>
        <strong>{labels.siteCount(sites.length)}</strong>
        <button type="button" title={labels.close} aria-label={labels.close} onClick={onClose}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M4 4l8 8M12 4l-8 8" />
          </svg>
        </button>
      </header>
      <ul>
        {sites.slice(0, listedMax).map((site) => (
          <li key={site.id}>
            <button type="button" onClick={() => onSelect(site.id)}>
              <ToneShape tone={siteTones[site.state]} />
              <span className="site-map-stack-name">{site.name}</span>
              <span className="site-map-figures">
                {site.freeCount}/{site.connectorCount}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {rest > 0 && <p>{labels.moreSites(rest)}</p>}
    </div>
  );
}
