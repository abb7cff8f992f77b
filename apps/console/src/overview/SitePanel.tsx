import { SearchOutlined } from '@ant-design/icons';
import { listRegionSites } from '@voltdeck/contract/overview';
import type { SiteId } from '@voltdeck/units/id';
import { Button, Input, Skeleton } from 'antd';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText } from '../ui/figures.ts';
import styles from './home.module.css';
import { given, nextCount, useMovingAnswers } from './moving-answers.ts';
import { SiteButton } from './SiteButton.tsx';

type Props = {
  region: string | null;
  selectedId: number | null;
  onSelect: (id: number) => void;
};

/** The list of sites beside the map, those in trouble first. */
export function SitePanel({ region, selectedId, onSelect }: Props) {
  const [text, setText] = useState('');
  const typed = useDeferredValue(text.trim());
  const [count, setCount] = useState<number>();
  const query = given({
    regionCode: region ?? undefined,
    text: typed,
    count,
    // A site chosen on the map may be anywhere in the list.
    reaching: (selectedId ?? undefined) as SiteId | undefined,
  });
  const answer = useAnswer(listRegionSites, { query }, { keepPrevious: true });
  useMovingAnswers(listRegionSites);
  const selected = useRef<HTMLButtonElement>(null);
  const isListed = answer.data?.items.some(({ id }) => id === selectedId) ?? false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another site may be chosen among those that are listed
  useEffect(() => {
    if (isListed) selected.current?.scrollIntoView({ block: 'nearest' });
  }, [selectedId, isListed]);
  if (answer.data === undefined) {
    return answer.isError ? <ErrorState failure={answer.error} retry={() => void answer.refetch()} /> : <ListWaiting />;
  }
  const { items, matching, total } = answer.data;
  const more = nextCount(items.length, matching);
  return (
    <section className={styles.list} aria-label={phrase('overview.sites')}>
      <search className={styles.search}>
        <Input
          allowClear
          maxLength={64}
          aria-label={phrase('overview.searchSite')}
          placeholder={phrase('overview.searchSite')}
          prefix={<SearchOutlined aria-hidden="true" />}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setCount(undefined);
          }}
        />
        <span className={styles.quiet} role="status">
          {matching === total
            ? phrase('overview.siteCount', { count: countText(total) })
            : phrase('overview.siteCountOf', { count: countText(matching), total: countText(total) })}
        </span>
      </search>
      {items.length === 0 ? (
        <p className={styles.none}>{phrase(total === 0 ? 'overview.noSites' : 'overview.noMatch')}</p>
      ) : (
        <ul className={styles.sites}>
          {items.map((site) => (
            <li key={site.id}>
              <SiteButton
                site={site}
                isChosen={site.id === selectedId}
                onSelect={onSelect}
                {...(site.id === selectedId ? { place: selected } : {})}
              />
            </li>
          ))}
        </ul>
      )}
      {more === null ? null : (
        <Button type="link" block onClick={() => setCount(more)}>
          {phrase('overview.more', { count: countText(Math.min(more, matching) - items.length) })}
        </Button>
      )}
    </section>
  );
}

function ListWaiting() {
  return (
    <div className={styles.listWaiting} aria-busy="true">
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Skeleton key={index} active title={{ width: '60%' }} paragraph={{ rows: 1, width: '90%' }} />
      ))}
    </div>
  );
}
