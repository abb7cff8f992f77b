import { phrase } from '../phrases.ts';
import { compare } from '../ui/comparison.ts';
import { percentText } from '../ui/figures.ts';

/** Neither red nor green: more is not better or worse by itself. */
export function AgainstYesterday({ today, yesterday }: { today: number; yesterday: number }) {
  const comparison = compare(today, yesterday);
  const label = phrase('overview.againstYesterday');
  switch (comparison.kind) {
    case 'none':
      return phrase('overview.noYesterday');
    case 'same':
      return `${label} ${phrase('overview.same')}`;
    case 'up':
    case 'down':
      return (
        <>
          {label}{' '}
          <span className="figure">
            <span aria-hidden="true">{comparison.kind === 'up' ? '▲' : '▼'}</span>
            <span className="for-readers">{phrase(comparison.kind === 'up' ? 'overview.up' : 'overview.down')}</span>{' '}
            {percentText(comparison.percent)}
          </span>
        </>
      );
  }
}
