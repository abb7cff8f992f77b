import { ReloadOutlined } from '@ant-design/icons';
import { useIsFetching } from '@tanstack/react-query';
import { listDepthMax, pageSizes } from '@voltdeck/contract/fields';
import { Button, Pagination, Tooltip } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { AnyRoute, CallInput } from '../api/call.ts';
import { keyOf, useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { EmptyState } from './EmptyState.tsx';
import { ErrorState } from './ErrorState.tsx';
import { countText } from './figures.ts';
import { ColumnSettings } from './list/ColumnSettings.tsx';
import { ExportButton } from './list/ExportButton.tsx';
import { ListCards } from './list/ListCards.tsx';
import { ListFilters } from './list/ListFilters.tsx';
import { ListTable, type RowKey } from './list/ListTable.tsx';
import { arrangeColumns } from './list/list-columns.ts';
import styles from './list/list-page.module.css';
import { type ListChange, readListState, writeListState } from './list/list-query.ts';
import { useColumnChoice } from './list/use-column-choice.ts';
import { useFilterNames } from './list/use-filter-names.ts';
import { useLiveRows } from './list/use-live-rows.ts';
import type { ListPageProps, ListRoute, RowOf } from './list-page.ts';
import { useNarrow } from './use-narrow.ts';

type Total = { total: number; totalIsAtLeast?: boolean };
type Page<R> = { items: RowOf<R>[]; total: number | null; totalIsAtLeast?: boolean };

/** Paging back and forth does not count again. */
const countedMs = 30_000;

function totalOf(page: { total: number | null; totalIsAtLeast?: boolean } | undefined): Total | undefined {
  return page === undefined || page.total === null ? undefined : { ...page, total: page.total };
}

/** The list screen: what every one of them does is here, what differs comes in by the properties. */
export function ListPage<R extends ListRoute>(props: ListPageProps<R>) {
  const { name, title, route, fixed, columns, rowKey, rowActions, bulkActions, exportRoute, live } = props;
  const filters = props.filters ?? [];
  const rowName = props.rowName ?? ((row) => String(rowKey(row)));
  const [search, setSearch] = useSearchParams();
  const sorts = columns.flatMap((column) => (column.sort === undefined ? [] : [String(column.sort)]));
  const state = readListState(search, filters, sorts);
  const [choice, setChoice] = useColumnChoice(name);
  const [selected, setSelected] = useState<ReadonlyMap<RowKey, RowOf<R>>>(new Map());
  const { names, learn } = useFilterNames(filters, state.values);
  const isNarrow = useNarrow();
  const whole = useRef<HTMLDivElement>(null);

  const filterQuery = { ...fixed, ...state.values };
  const { totalRoute } = props;
  const withoutTotal = totalRoute === undefined ? {} : { total: 'none' };
  const query = { ...filterQuery, page: state.page, pageSize: state.pageSize, sort: state.sort, ...withoutTotal };
  const input = { query } as unknown as CallInput<R>;
  const answer = useAnswer(route, input, { keepPrevious: true });
  const page = answer.data as Page<R> | undefined;
  const countInput = { query: filterQuery } as unknown as CallInput<AnyRoute>;
  const isUncounted = page !== undefined && !answer.isPlaceholderData && page.total === null;
  const counted = useAnswer(totalRoute ?? route, countInput, {
    enabled: totalRoute !== undefined && isUncounted,
    staleMs: countedMs,
  });
  const total = totalOf(page) ?? (totalRoute === undefined ? undefined : (counted.data as Total | undefined));
  useLiveRows(keyOf(route, input), live);
  useSlashKey(whole);

  const change = (next: ListChange) => {
    setSelected(new Map());
    setSearch((current) => writeListState(current, next), { replace: next.page === undefined });
  };
  const isFiltered = Object.keys(state.values).length > 0;
  const clearFilters = () =>
    change({ values: Object.fromEntries(Object.keys(state.values).map((key) => [key, undefined])) });
  const hasFailed = answer.isError && (page === undefined || answer.isPlaceholderData);

  let instead: ReactNode;
  if (hasFailed) {
    instead = <ErrorState failure={answer.error} title={phrase('list.failed')} retry={() => void answer.refetch()} />;
  } else if (page !== undefined && page.items.length === 0) {
    instead =
      state.page > 1 ? (
        <EmptyState
          title={phrase('list.pageEmpty')}
          action={<Button onClick={() => change({ page: 1 })}>{phrase('list.firstPage')}</Button>}
        />
      ) : isFiltered ? (
        <EmptyState
          title={phrase('list.emptyFiltered')}
          text={phrase('list.emptyFilteredText')}
          action={<Button onClick={clearFilters}>{phrase('list.clearFilters')}</Button>}
        />
      ) : (
        <EmptyState {...props.empty} />
      );
  }

  const rowsProps = {
    title,
    columns: arrangeColumns(columns, choice).filter((item) => item.isShown),
    rows: page?.items,
    rowKey,
    rowName,
    rowActions,
    details: props.details,
    isOld: answer.isPlaceholderData,
    skeletonRows: Math.min(state.pageSize, 15),
    sort: state.sort,
    onSort: (sort: string | undefined) => change({ sort }),
    selection:
      bulkActions === undefined
        ? undefined
        : {
            keys: new Set(selected.keys()),
            toggle: (rows: readonly RowOf<R>[], on: boolean) => {
              const next = new Map(selected);
              for (const row of rows) {
                if (on) next.set(rowKey(row), row);
                else next.delete(rowKey(row));
              }
              setSelected(next);
            },
          },
    instead,
  };
  const sums = props.sums?.(filterQuery as Parameters<NonNullable<typeof props.sums>>[0]);
  const Rows = isNarrow ? ListCards<R> : ListTable<R>;

  return (
    <div ref={whole} className={styles.page}>
      <h1 className="for-readers">{title}</h1>
      {props.before}
      {filters.length === 0 ? null : (
        <div className={styles.filters}>
          <ListFilters
            filters={filters}
            values={state.values}
            names={names}
            onSearch={() => void answer.refetch()}
            onChange={(values, learned) => {
              if (learned !== undefined) learn(learned.key, learned.name);
              change({ values });
            }}
          />
        </div>
      )}
      <div className={styles.panel}>
        {sums === undefined || (props.toolbar === undefined && selected.size === 0) ? null : (
          <div className={styles.sums}>{sums}</div>
        )}
        {selected.size > 0 ? (
          <div className={styles.bulk} role="status">
            <span>{phrase('list.selected', { count: selected.size })}</span>
            {bulkActions?.map((action) => (
              <Button
                key={action.key}
                danger={action.danger ?? false}
                onClick={() => action.onClick([...selected.values()], () => setSelected(new Map()))}
              >
                {action.label}
              </Button>
            ))}
            <Button type="link" onClick={() => setSelected(new Map())}>
              {phrase('list.clearSelection')}
            </Button>
          </div>
        ) : (
          <div className={styles.bar}>
            <div className={styles.actions}>{props.toolbar ?? sums}</div>
            <div className={styles.tools}>
              {props.tools}
              {exportRoute === undefined ? null : (
                <ExportButton
                  route={exportRoute}
                  list={props.exportList}
                  query={{ ...filterQuery, sort: state.sort }}
                  total={answer.isPlaceholderData ? undefined : total?.total}
                />
              )}
              <RefreshButton questionKey={keyOf(route, input)} onRefresh={() => void answer.refetch()} />
              {props.view === undefined ? (
                <ColumnSettings columns={columns} choice={choice} onChange={setChoice} />
              ) : null}
            </div>
          </div>
        )}
        {props.view === undefined || instead !== undefined ? (
          <Rows {...rowsProps} />
        ) : (
          <div className={styles.view}>{props.view(page?.items ?? [], page === undefined)}</div>
        )}
        {page === undefined || (page.total === 0 && state.page === 1) ? null : (
          <Pager total={total} shown={page.items.length} state={state} isNarrow={isNarrow} onChange={change} />
        )}
      </div>
    </div>
  );
}

/** Turns while the list is asked for. The list itself does not look at it: it would be drawn again for every question. */
function RefreshButton({ questionKey, onRefresh }: { questionKey: readonly unknown[]; onRefresh: () => void }) {
  const isAsking = useIsFetching({ queryKey: questionKey, exact: true }) > 0;
  return (
    <Tooltip title={phrase('list.refresh')}>
      <Button
        type="text"
        aria-label={phrase('list.refresh')}
        icon={<ReloadOutlined spin={isAsking} />}
        onClick={onRefresh}
      />
    </Tooltip>
  );
}

type PagerProps = {
  /** Undefined while it is being counted. */
  total: Total | undefined;
  /** Rows on this page. */
  shown: number;
  state: { page: number; pageSize: number };
  isNarrow: boolean;
  onChange: (change: ListChange) => void;
};

function Pager({ total, shown, state, isNarrow, onChange }: PagerProps) {
  const isLastReachable = total?.totalIsAtLeast === true && state.page * state.pageSize >= listDepthMax;
  // Uncounted yet: a page that is full leads to a next one.
  const known = total?.total ?? (state.page - 1) * state.pageSize + shown + (shown === state.pageSize ? 1 : 0);
  return (
    <nav className={styles.pager} aria-label={phrase('list.pages')}>
      {isLastReachable ? <span>{phrase('list.tooDeep', { max: countText(listDepthMax) })}</span> : null}
      <Pagination
        current={state.page}
        pageSize={state.pageSize}
        total={Math.min(known, listDepthMax)}
        pageSizeOptions={[...pageSizes]}
        showSizeChanger
        responsive
        showLessItems={isNarrow}
        locale={{ items_per_page: phrase('list.perPage') }}
        showTotal={() =>
          phrase(total?.totalIsAtLeast ? 'list.totalAtLeast' : 'list.total', {
            total: total === undefined ? '…' : countText(total.total),
          })
        }
        onChange={(next, size) => onChange(size === state.pageSize ? { page: next } : { pageSize: size })}
      />
    </nav>
  );
}

/** "/" goes to the first filter, unless something is being typed. */
function useSlashKey(whole: { current: HTMLElement | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as HTMLElement;
      if (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)) return;
      const field = whole.current?.querySelector<HTMLInputElement>('search input');
      if (field === null || field === undefined) return;
      event.preventDefault();
      field.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [whole]);
}
