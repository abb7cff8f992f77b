import { getQuality } from '@voltdeck/contract/quality';
import { instant } from '@voltdeck/units/instant';
import { Skeleton } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FigureCards } from './FigureCards.tsx';
import { Funnel, type Quality } from './Funnel.tsx';
import { League } from './League.tsx';
import { ListedSince } from './ListedSince.tsx';
import { QualityFilters } from './QualityFilters.tsx';
import styles from './quality.module.css';
import { queryOf, queryOfWholeDays } from './quality-query.ts';

export function QualityFigures() {
  const [search] = useSearchParams();
  const [openedAt] = useState(() => instant(Date.now()));
  const query = queryOfWholeDays(queryOf(search, openedAt));
  const answer = useAnswer(getQuality, { query }, { keepPrevious: true });
  return (
    <div className={styles.page}>
      <h1 className="for-readers">{phrase('quality.title')}</h1>
      <QualityFilters />
      <ListedSince />
      {answer.isPending ? (
        <Skeleton active paragraph={{ rows: 12 }} />
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <>
          {hasAttempts(answer.data) ? (
            <Funnel quality={answer.data} query={query} />
          ) : (
            <EmptyState title={phrase('quality.empty')} text={phrase('quality.emptyText')} />
          )}
          <FigureCards quality={answer.data} query={query} />
          {hasAttempts(answer.data) ? <League query={query} /> : null}
        </>
      )}
    </div>
  );
}

const hasAttempts = ({ steps }: Quality): boolean => (steps[0]?.attempts ?? 0) > 0;
