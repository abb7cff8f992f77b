import { DownOutlined, UpOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { phrase } from '../../phrases.ts';
import { appliedFilters } from './applied-filters.ts';
import { FilterField } from './FilterField.tsx';
import { filtersThatFit, filterWidthPx } from './filter-room.ts';
import styles from './list-filters.module.css';
import type { ListFilter, ListRoute } from './list-view.ts';

type Props<R extends ListRoute> = {
  filters: readonly ListFilter<R>[];
  values: Readonly<Record<string, string>>;
  names: Readonly<Record<string, string>>;
  onChange: (values: Record<string, string | undefined>, learned?: { key: string; name: string }) => void;
  /** The search button: fetches again even if nothing changed. */
  onSearch: () => void;
  /** After the buttons: the filter sets. */
  sets?: ReactNode;
};

/** Width of the buttons after the filters in the longer language. */
const buttonsWidthPx = 360;

/** The most used filters on one line, the rest one click away, and applied filters as removable chips. */
export function ListFilters<R extends ListRoute>({ filters, values, names, onChange, onSearch, sets }: Props<R>) {
  const line = useRef<HTMLFormElement>(null);
  const [fitting, setFitting] = useState(1);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const element = line.current;
    if (element === null) return;
    const measure = () => setFitting(filtersThatFit(filters, element.clientWidth - buttonsWidthPx));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [filters]);

  const shown = isOpen ? filters : filters.slice(0, fitting);
  const hidden = filters.length - Math.min(fitting, filters.length);
  const applied = appliedFilters(filters, values, names);
  const cleared = Object.fromEntries(applied.flatMap((item) => item.parameters.map((name) => [name, undefined])));

  return (
    <search aria-label={phrase('list.filters')}>
      <form
        ref={line}
        className={styles.line}
        onSubmit={(event) => {
          event.preventDefault();
          onSearch();
        }}
      >
        {shown.map((filter) => (
          <div key={filter.name} className={styles.field} style={{ flexBasis: filterWidthPx(filter) }}>
            <FilterField
              filter={filter}
              values={values}
              names={names}
              onChange={(next, name) => {
                const value = next[filter.name];
                onChange(
                  next,
                  name === undefined || value === undefined ? undefined : { key: `${filter.name}=${value}`, name },
                );
              }}
            />
          </div>
        ))}
        <div className={styles.buttons}>
          <Button type="primary" htmlType="submit">
            {phrase('list.search')}
          </Button>
          <Button disabled={applied.length === 0} onClick={() => onChange(cleared)}>
            {phrase('list.reset')}
          </Button>
          {hidden === 0 ? null : (
            <Button
              type="text"
              aria-expanded={isOpen}
              icon={isOpen ? <UpOutlined /> : <DownOutlined />}
              iconPlacement="end"
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? phrase('list.fewerFilters') : phrase('list.moreFilters', { count: hidden })}
            </Button>
          )}
          {sets}
        </div>
      </form>
      {applied.length === 0 ? null : (
        <ul className={styles.chips} aria-label={phrase('list.applied')}>
          {applied.map((item) => (
            <li key={item.name}>
              <button
                type="button"
                className={styles.chip}
                onClick={() => onChange(Object.fromEntries(item.parameters.map((name) => [name, undefined])))}
              >
                <span className="for-readers">{phrase('list.removeFilter')}</span>{' '}
                <span className={styles.chipLabel}>{item.label}</span>{' '}
                <span className={styles.chipText}>{item.text}</span>
                <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
                  <path d="M1 1l6 6M7 1 1 7" stroke="currentColor" strokeWidth="1.3" />
                </svg>
              </button>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}
