import { attemptsBehind } from '@voltdeck/contract/quality';
import { dayMs } from '@voltdeck/units/instant';
import type { ReactNode } from 'react';
import { type PhraseKey, phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { countText, durationText, nothingText, shareText } from '../ui/figures.ts';
import { Panel } from '../ui/Panel.tsx';
import type { Quality } from './Funnel.tsx';
import styles from './quality.module.css';
import type { QualityQuery } from './quality-query.ts';

type Figure = { label: PhraseKey; means: PhraseKey; value: string; more?: ReactNode; ignoresStartMode?: true };

/** Every figure with its definition, which is text: a tooltip cannot be read on a phone or printed. */
export function FigureCards({ quality, query }: { quality: Quality; query: QualityQuery }) {
  const isFilteredByStartMode = query.startMode !== undefined;
  const figures = figuresOf(quality, query).filter(
    ({ ignoresStartMode }) => !(isFilteredByStartMode && ignoresStartMode),
  );
  return (
    <Panel
      title={phrase('quality.figures')}
      note={phrase(isFilteredByStartMode ? 'quality.ofEveryStart' : 'quality.accuracy')}
    >
      <dl className={styles.cards}>
        {figures.map(({ label, means, value, more }) => (
          <div key={label} className={styles.card}>
            <dt>{phrase(label)}</dt>
            <dd className={styles.value}>{value}</dd>
            {more === undefined ? null : <dd className={styles.more}>{more}</dd>}
            <dd className={styles.means}>{phrase(means)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function figuresOf(quality: Quality, query: QualityQuery): Figure[] {
  const { visits, firstTimes, charges, energyWh, portDays, days, occupiedMs, disconnections, complaints } = quality;
  return [
    {
      label: 'quality.firstTime',
      means: 'quality.firstTimeMeans',
      value: shareText(firstTimes, visits),
      more:
        visits === 0 ? undefined : (
          <>
            <ScreenLink screen="startFunnel" query={{ ...query, view: 'attempts', ...attemptsBehind.firstTimes }}>
              {phrase('quality.firstTimes', { count: countText(firstTimes) })}
            </ScreenLink>
            {' / '}
            <ScreenLink screen="startFunnel" query={{ ...query, view: 'attempts', ...attemptsBehind.visits }}>
              {phrase('quality.visits', { count: countText(visits) })}
            </ScreenLink>
          </>
        ),
    },
    {
      label: 'quality.energyPerPort',
      means: 'quality.energyPerPortMeans',
      value: per(energyWh / 1_000, portDays, (value) => phrase('quality.kWhADay', { value })),
    },
    {
      label: 'quality.ordersPerPort',
      means: 'quality.ordersPerPortMeans',
      value: per(charges, portDays, (value) => phrase('quality.ordersADay', { value })),
    },
    { label: 'quality.occupied', means: 'quality.occupiedMeans', value: shareText(occupiedMs, portDays * dayMs) },
    {
      label: 'quality.disconnections',
      means: 'quality.disconnectionsMeans',
      value: per(disconnections, days, (value) => phrase('quality.aDay', { value })),
      ignoresStartMode: true,
    },
    {
      label: 'quality.complaints',
      means: 'quality.complaintsMeans',
      value: per(1_000 * complaints, charges, (value) => phrase('quality.perThousand', { value })),
      ignoresStartMode: true,
    },
    timed('quality.answer', 'quality.answerMeans', quality.answer, 'both'),
    timed('quality.bill', 'quality.billMeans', quality.bill, 'most'),
    timed('quality.attended', 'quality.attendedMeans', quality.attended, 'most'),
    timed('quality.repair', 'quality.repairMeans', quality.repair, 'both'),
  ];
}

function per(amount: number, base: number, said: (value: string) => string): string {
  return base > 0 ? said((amount / base).toFixed(2)) : nothingText;
}

function timed(label: PhraseKey, means: PhraseKey, times: Quality['answer'], shows: 'both' | 'most'): Figure {
  const { count, p50Ms, p99Ms } = times;
  const more = phrase('quality.counted', { count: countText(count) });
  if (p50Ms === null || p99Ms === null) return { label, means, value: nothingText, more, ignoresStartMode: true };
  const most = spanText(p99Ms);
  return {
    label,
    means,
    value: shows === 'most' ? most : phrase('quality.halfAndMost', { half: spanText(p50Ms), most }),
    more,
    ignoresStartMode: true,
  };
}

/** Under a minute in seconds with what matters of them. */
function spanText(ms: number): string {
  return ms < 60_000 ? `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 0)} s` : durationText(ms);
}
