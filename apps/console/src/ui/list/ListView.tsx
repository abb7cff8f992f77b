import { ReloadOutlined } from '@ant-design/icons';
import { useIsFetching } from '@tanstack/react-query';
import { listDepthMax, pageSizes } from '@voltdeck/contract/fields';
import { countedMax } from '@voltdeck/contract/list';
import { Button, Pagination, Tooltip } from 'antd';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { AnyRoute, CallInput } from '../../api/call.ts';
import { lazyPart } from '../../api/lazy-part.ts';
import { keyOf, useAnswer } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';
import { DisabledReason } from '../DisabledReason.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { ErrorState } from '../ErrorState.tsx';
import { countText } from '../figures.ts';
import { isPressed, isTyping } from '../keys.ts';
import { useOfferedActs } from '../offered-acts.ts';
import { useNarrow } from '../use-narrow.ts';
import { ColumnSettings } from './ColumnSettings.tsx';
import { ExportButton } from './ExportButton.tsx';
import { FilterSets } from './FilterSets.tsx';
import { ListCards } from './ListCards.tsx';
import { ListFilters } from './ListFilters.tsx';
import { ListSums } from './ListSums.tsx';
import { ListTable, type RowKey } from './ListTable.tsx';
import { type Arranged, arrangeColumns, widenColumn } from './list-columns.ts';
import { type ListChange, nextSort, parametersOf, readListState, writeListState } from './list-query.ts';
import styles from './list-view.module.css';
import type { ListColumn, ListRoute, ListViewProps, RowOf } from './list-view.ts';
import { SortMark } from './SortMark.tsx';
import { useDefaultFilters } from './use-beginning.ts';
import { useColumnChoice } from './use-column-choice.ts';
import { useFilterNames } from './use-filter-names.ts';
import { useLiveRows } from './use-live-rows.ts';

/** Few lists have them. */
const ListSumCards = lazyPart(() => import('./ListSumCards.tsx'));

type Total = { total: number; totalIsAtLeast?: boolean };
type Page<R> = { items: RowOf<R>[]; total: number | null; totalIsAtLeast?: boolean };

/** How long a count is reused while paging back and forth. */
const countedMs = 30_000;

function totalOf(page: { total: number | null; totalIsAtLeast?: boolean } | undefined): Total | undefined {
  return page === undefined || page.total === null ? undefined : { ...page, total: page.total };
}

/** The list screen: behaviour common to all lists is here, differences come in as properties. */
export function ListView<R extends ListRoute>(props: ListViewProps<R>) {
  const {
    name,
    title,
    route,
    fixed,
    columns,
    rowKey,
    rowActions,
    bulkActions,
    exportRoute,
    live,
    isPart = false,
    sumCards = [],
  } = props;
  const filters = props.filters ?? [];
  const rowName = props.rowName ?? ((row) => String(rowKey(row)));
  const sorts = columns.flatMap((column) => (column.sort === undefined ? [] : [String(column.sort)]));
  const parameters = [...filters.flatMap(parametersOf), 'sort'];
  const { search, isReady, put } = useDefaultFilters(name, parameters, props.initially);
  const state = readListState(search, filters, sorts);
  const [choice, setChoice] = useColumnChoice(name);
  const [selected, setSelected] = useState<ReadonlyMap<RowKey, RowOf<R>>>(new Map());
  const { names, learn } = useFilterNames(filters, state.values);
  const isNarrow = useNarrow();
  const whole = useRef<HTMLDivElement>(null);

  const filterQuery = { ...fixed, ...state.values };
  const summed = columns.filter(({ sum }) => sum !== undefined);
  const { totals } = props;
  // The totals include the count, so the page need not be counted.
  const countsApart = totals !== undefined && summed.length > 0;
  const withoutTotal = countsApart ? { total: 'none' } : {};
  const query = { ...filterQuery, page: state.page, pageSize: state.pageSize, sort: state.sort, ...withoutTotal };
  const input = { query } as unknown as CallInput<R>;
  const answer = useAnswer(route, input, { keepPrevious: true, enabled: isReady });
  const page = answer.data as Page<R> | undefined;
  const countInput = { query: filterQuery } as unknown as CallInput<AnyRoute>;
  // A page with an exact count needs no other.
  const isCounted = !countsApart && page?.totalIsAtLeast !== true;
  const counted = useAnswer(totals ?? route, countInput, {
    enabled: totals !== undefined && isReady && !isCounted,
    keepPrevious: true,
    staleMs: countedMs,
  });
  const countedTotal = counted.isPlaceholderData ? undefined : (counted.data as Total | undefined);
  const total = (totals === undefined || isCounted ? undefined : countedTotal) ?? totalOf(page);
  useLiveRows(keyOf(route, input), live);
  const { onRows } = props;
  const items = page?.items;
  useEffect(() => {
    if (items !== undefined) onRows?.(items);
  }, [items, onRows]);
  useSlashKey(whole);

  const change = (next: ListChange) => {
    setSelected(new Map());
    put((current) => writeListState(current, next), { replace: next.page === undefined });
  };
  // A list as it begins is empty in its own words, which may name its default filters; the user has not searched yet.
  const begins = props.initially?.() ?? {};
  const filtered = Object.entries(state.values);
  const isAsBegun =
    filtered.length === Object.keys(begins).length && filtered.every(([key, value]) => value === begins[key]);
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
      ) : isAsBegun ? (
        <EmptyState {...props.empty} />
      ) : filtered.length > 0 ? (
        <EmptyState
          title={phrase('list.emptyFiltered')}
          text={phrase('list.emptyFilteredText')}
          action={<Button onClick={clearFilters}>{phrase('list.clearFilters')}</Button>}
        />
      ) : (
        <EmptyState />
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
    sort: state.sort ?? props.firstSort,
    onSort: (name: string) => change({ sort: nextSort(state.sort, name, props.firstSort) }),
    onWiden: (key: string, widthPx: number) => setChoice(widenColumn(choice, key, widthPx)),
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
  const sums = countsApart ? (
    <ListSums
      columns={summed.filter(({ key }) => !sumCards.includes(key))}
      countedMax={props.countedMax ?? countedMax}
      sumsTooMany={props.sumsTooMany}
      answer={counted as never}
      selected={[...selected.values()]}
    />
  ) : undefined;
  const Rows = isNarrow ? ListCards<R> : ListTable<R>;

  return (
    <div ref={whole} className={styles.page}>
      {isPart ? null : <h1 className="for-readers">{title}</h1>}
      {props.before}
      {isPart ? <h2 className="for-readers">{title}</h2> : null}
      {filters.length === 0 ? null : (
        <div className={styles.filters}>
          <ListFilters
            filters={filters}
            values={state.values}
            names={names}
            onSearch={() => void answer.refetch()}
            sets={
              <FilterSets
                list={name}
                parameters={parameters}
                search={search}
                onChoose={(values) => change({ values })}
              />
            }
            onChange={(values, learned) => {
              if (learned !== undefined) learn(learned.key, learned.name);
              change({ values });
            }}
          />
        </div>
      )}
      {countsApart && sumCards.length > 0 ? (
        <Suspense fallback={<div aria-busy="true" />}>
          <ListSumCards title={title} columns={summed as never} keys={sumCards} answer={counted as never} />
        </Suspense>
      ) : null}
      <div className={styles.panel}>
        {sums === undefined || (props.toolbar === undefined && selected.size === 0) ? null : (
          <div className={styles.sums}>{sums}</div>
        )}
        {selected.size > 0 ? (
          <div className={styles.bulk} role="status">
            <span>{phrase('list.selected', { count: selected.size })}</span>
            {bulkActions?.map(({ key, label, danger = false, because, onClick }) => {
              const rows = [...selected.values()];
              return (
                <DisabledReason
                  key={key}
                  danger={danger}
                  because={because?.(rows)}
                  onClick={() => onClick(rows, () => setSelected(new Map()))}
                >
                  {label}
                </DisabledReason>
              );
            })}
            <Button type="link" onClick={() => setSelected(new Map())}>
              {phrase('list.clearSelection')}
            </Button>
          </div>
        ) : (
          <div className={styles.bar}>
            <div className={styles.actions}>
              {props.toolbar ?? sums}
              <HiddenSort
                columns={columns}
                shown={rowsProps.columns}
                sort={state.sort}
                firstSort={props.firstSort}
                isNarrow={isNarrow}
                onEnd={() => change({ sort: undefined })}
              />
            </div>
            <div className={styles.tools}>
              {props.tools}
              {exportRoute === undefined ? null : (
                <ExportButton
                  route={exportRoute}
                  list={props.exportList}
                  query={{ ...filterQuery, sort: state.sort }}
                  total={
                    answer.isPlaceholderData ? undefined : counted.isError ? Number.POSITIVE_INFINITY : total?.total
                  }
                />
              )}
              <RefreshButton
                questionKey={keyOf(route, input)}
                onRefresh={() => {
                  void answer.refetch();
                  if (totals !== undefined && !isCounted) void counted.refetch();
                }}
              />
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

type HiddenSortProps<R extends ListRoute> = {
  columns: readonly ListColumn<R>[];
  shown: readonly Arranged<ListColumn<R>>[];
  sort: string | undefined;
  firstSort: string | undefined;
  /** Cards have no column heads. */
  isNarrow: boolean;
  onEnd: () => void;
};

/** The sort of a list whose column head is not in sight. A click clears it, unless it is the default. */
function HiddenSort<R extends ListRoute>(props: HiddenSortProps<R>) {
  const { columns, shown, sort, firstSort, isNarrow, onEnd } = props;
  const effective = sort ?? firstSort;
  const name = effective?.replace(/^-/, '');
  const sorted = name === undefined ? undefined : columns.find((column) => column.sort === name);
  if (sorted === undefined || (!isNarrow && shown.some(({ column }) => column === sorted))) return null;
  const direction = effective?.startsWith('-') === true ? 'descending' : 'ascending';
  const text = phrase(direction === 'descending' ? 'list.sortedDown' : 'list.sortedUp', { title: sorted.title });
  if (sort === undefined) {
    // On a phone the line would take the room of a record, to say what every list does.
    if (isNarrow) return null;
    return (
      <span className={styles.sortedAnyway}>
        <SortMark direction={direction} />
        {text}
      </span>
    );
  }
  return (
    <button type="button" className={styles.sorted} onClick={onEnd}>
      <SortMark direction={direction} />
      {text}
      <span className="for-readers">{phrase('list.unsort')}</span>
    </button>
  );
}

/** Spins while the list loads. Separate, so that the list does not render for every request. */
function RefreshButton({ questionKey, onRefresh }: { questionKey: readonly unknown[]; onRefresh: () => void }) {
  const isAsking = useIsFetching({ queryKey: questionKey, exact: true }) > 0;
  useOfferedActs([{ key: 'list.refresh', label: phrase('list.refresh'), onClick: onRefresh }]);
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
  /** undefined while being counted. */
  total: Total | undefined;
  /** Rows on this page. */
  shown: number;
  state: { page: number; pageSize: number };
  isNarrow: boolean;
  onChange: (change: ListChange) => void;
};

function Pager({ total, shown, state, isNarrow, onChange }: PagerProps) {
  const isLastReachable = (total?.total ?? 0) >= listDepthMax && state.page * state.pageSize >= listDepthMax;
  // Not counted yet: a full page suggests a next one.
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

/** "/" focuses the first filter, except while typing. */
function useSlashKey(whole: { current: HTMLElement | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isPressed(event, 'find') || isTyping(event)) return;
      const field = whole.current?.querySelector<HTMLInputElement>('search input');
      if (field === null || field === undefined) return;
      event.preventDefault();
      field.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [whole]);
}
