import { ToneShape } from '../ui/ToneShape.tsx';
import { siteStates, siteTones } from './site-map-states.ts';
import type { SiteMapLabels } from './site-map-words.ts';

export function MapLegend({ labels }: { labels: SiteMapLabels }) {
  return (
    <ul className="site-map-legend">
      {siteStates.map((state) => (
        <li key={state}>
          <ToneShape tone={siteTones[state]} />
          {labels.states[state]}
        </li>
      ))}
    </ul>
  );
}
