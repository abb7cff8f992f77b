import { TagOutlined, TagsOutlined } from '@ant-design/icons';
import { queryToKeep } from '@voltdeck/contract/filter-set-query';
import type { FilterSet } from '@voltdeck/contract/views';
import { instant } from '@voltdeck/units/instant';
import { Button, Popover, Tooltip } from 'antd';
import { Suspense, useRef, useState } from 'react';
import { lazyPart } from '../../api/lazy-part.ts';
import { phrase } from '../../phrases.ts';
import styles from './filter-sets.module.css';
import type { FilterSetsProps } from './filter-sets.ts';
import { useFilterSets } from './view-store.ts';

const FilterSetPanel = lazyPart(() => import('./FilterSetPanel.tsx'));

/** The set whose filters are in the address now. */
function chosenAmong(
  sets: readonly FilterSet[],
  { parameters, search }: Pick<FilterSetsProps, 'parameters' | 'search'>,
) {
  const current = queryToKeep(search, parameters, instant(Date.now()));
  return sets.find(({ query }) => query === current);
}

/** Filter sets under the user's own names: chosen, saved, renamed, deleted, and the default of the list. */
export function FilterSets(props: FilterSetsProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const sets = useFilterSets(props.list);
  const chosen = chosenAmong(sets, props);
  return (
    <Popover
      trigger="click"
      placement="bottom"
      open={open}
      onOpenChange={setOpen}
      destroyOnHidden
      content={
        <div
          role="dialog"
          aria-label={phrase('list.filterSets')}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            setOpen(false);
            button.current?.focus();
          }}
        >
          <Suspense fallback={<div className={styles.panel} aria-busy="true" />}>
            <FilterSetPanel {...props} sets={sets} chosen={chosen} onDone={() => setOpen(false)} />
          </Suspense>
        </div>
      }
    >
      <Tooltip title={open || chosen !== undefined ? '' : phrase('list.filterSets')}>
        <Button
          ref={button}
          type={chosen === undefined ? 'text' : 'default'}
          className={styles.button ?? ''}
          aria-label={
            chosen === undefined ? phrase('list.filterSets') : phrase('list.filterSetChosen', { name: chosen.name })
          }
          aria-haspopup="dialog"
          aria-expanded={open}
          icon={chosen === undefined ? <TagsOutlined /> : <TagOutlined />}
        >
          {chosen === undefined ? null : <span className={styles.chosen}>{chosen.name}</span>}
        </Button>
      </Tooltip>
    </Popover>
  );
}
