import { Checkbox } from 'antd';
import { Fragment, type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { phrase } from '../../phrases.ts';
import type { ListColumn, ListRoute, RowAction, RowOf } from '../list-page.ts';
import { FoldButton } from './FoldButton.tsx';
import type { Arranged } from './list-columns.ts';
import { nextSort } from './list-query.ts';
import styles from './list-table.module.css';
import { RowActions } from './RowActions.tsx';
import { SortMark } from './SortMark.tsx';
import { actionsWidthPx, detailsWidthPx, headGroups, layOut, selectionWidthPx } from './table-layout.ts';

export type RowKey = string | number;

export type ListRowsProps<R extends ListRoute> = {
  title: string;
  /** Only those that are shown. */
  columns: readonly Arranged<ListColumn<R>>[];
  /** undefined while nothing has been answered yet. */
  rows: readonly RowOf<R>[] | undefined;
  rowKey: (row: RowOf<R>) => RowKey;
  rowName: (row: RowOf<R>) => string;
  rowActions?: ((row: RowOf<R>) => readonly RowAction[]) | undefined;
  details?: ((row: RowOf<R>) => ReactNode) | undefined;
  /** Dimmed: these rows belong to the former question. */
  isOld: boolean;
  skeletonRows: number;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  selection?: { keys: ReadonlySet<RowKey>; toggle: (rows: readonly RowOf<R>[], on: boolean) => void } | undefined;
  /** Instead of rows: the empty or the error state. */
  instead?: ReactNode;
};

const skeletonShares = [72, 46, 60, 38, 54, 66];

/** One real table: its head stays in sight above the rows, pinned columns and actions beside them. */
export function ListTable<R extends ListRoute>(props: ListRowsProps<R>) {
  const { title, rows, rowKey, rowName, rowActions, details, isOld, skeletonRows, sort, onSort, selection, instead } =
    props;
  const region = useRef<HTMLElement>(null);
  const detailsId = useId();
  const [unfolded, setUnfolded] = useState<ReadonlySet<RowKey>>(new Set());
  const [roomPx, setRoomPx] = useState(0);
  useLayoutEffect(() => {
    const element = region.current;
    if (element === null) return;
    const measure = () => setRoomPx(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const actions = rowActions === undefined ? undefined : rows?.map(rowActions);
  const actionsPx =
    rowActions === undefined ? 0 : actionsWidthPx(actions?.map((list) => list.map((action) => action.label)) ?? []);
  const detailsPx = details === undefined ? 0 : detailsWidthPx;
  const selectionPx = selection === undefined ? 0 : selectionWidthPx;
  const cells = layOut(props.columns, roomPx, detailsPx + selectionPx, actionsPx);
  const groups = headGroups(cells.map((cell) => cell.column));
  const columnCount = cells.length + [details, selection, rowActions].filter((extra) => extra !== undefined).length;
  const tablePx = cells.reduce((sum, cell) => sum + cell.widthPx, detailsPx + selectionPx + actionsPx);
  const selectedHere = rows?.filter((row) => selection?.keys.has(rowKey(row))).length ?? 0;

  const sticky = (cell: (typeof cells)[number]) => ({
    className: [
      cell.column.align === 'right' ? styles.right : '',
      cell.stickyLeftPx === null ? '' : styles.pinned,
      cell.isLastPinned ? styles.lastPinned : '',
    ].join(' '),
    style: cell.stickyLeftPx === null ? {} : { left: cell.stickyLeftPx },
  });

  const head = (cell: (typeof cells)[number], rowSpan: number | undefined) => {
    const { column } = cell;
    const isSorted = column.sort !== undefined && (sort === column.sort || sort === `-${column.sort}`);
    const direction = !isSorted ? undefined : sort?.startsWith('-') ? 'descending' : 'ascending';
    return (
      <th
        key={column.key}
        scope="col"
        {...(rowSpan === undefined ? {} : { rowSpan })}
        {...(direction === undefined ? {} : { 'aria-sort': direction })}
        {...(column.hint === undefined ? {} : { title: column.hint })}
        {...sticky(cell)}
      >
        {column.sort === undefined ? (
          column.title
        ) : (
          <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, String(column.sort)))}>
            {column.title}
            <SortMark direction={direction} />
          </button>
        )}
      </th>
    );
  };
  const detailsHead = (rowSpan: number | undefined) =>
    details === undefined ? null : (
      <th
        scope="col"
        className={`${styles.pinned} ${styles.fold}`}
        style={{ left: 0 }}
        {...(rowSpan === undefined ? {} : { rowSpan })}
      >
        <span className="for-readers">{phrase('list.details')}</span>
      </th>
    );
  const selectionHead = (rowSpan: number | undefined) =>
    selection === undefined ? null : (
      <th
        scope="col"
        className={`${styles.pinned} ${styles.check}`}
        style={{ left: detailsPx }}
        {...(rowSpan === undefined ? {} : { rowSpan })}
      >
        <Checkbox
          aria-label={phrase('list.selectAll')}
          disabled={rows === undefined || rows.length === 0}
          checked={rows !== undefined && rows.length > 0 && selectedHere === rows.length}
          indeterminate={selectedHere > 0 && selectedHere < (rows?.length ?? 0)}
          onChange={(event) => selection.toggle(rows ?? [], event.target.checked)}
        />
      </th>
    );
  const actionsHead = (rowSpan: number | undefined) =>
    rowActions === undefined ? null : (
      <th scope="col" className={styles.actions} {...(rowSpan === undefined ? {} : { rowSpan })}>
        {phrase('list.actions')}
      </th>
    );

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
    <section ref={region} className={styles.region} aria-label={phrase('list.table', { title })} tabIndex={0}>
      <table
        className={`${styles.table} ${isOld ? styles.old : ''}`}
        style={{ width: Math.max(tablePx, roomPx) }}
        aria-busy={isOld || rows === undefined}
      >
        <colgroup>
          {details === undefined ? null : <col style={{ width: detailsPx }} />}
          {selection === undefined ? null : <col style={{ width: selectionPx }} />}
          {cells.map((cell) => (
            <col key={cell.column.key} style={{ width: cell.widthPx }} />
          ))}
          {rowActions === undefined ? null : <col style={{ width: actionsPx }} />}
        </colgroup>
        <thead>
          {groups === null ? (
            <tr>
              {detailsHead(undefined)}
              {selectionHead(undefined)}
              {cells.map((cell) => head(cell, undefined))}
              {actionsHead(undefined)}
            </tr>
          ) : (
            <>
              <tr className={styles.groups}>
                {detailsHead(2)}
                {selectionHead(2)}
                {groups.map((group) => {
                  const cell = cells.find((candidate) => candidate.column.key === group.firstKey);
                  if (cell === undefined) return null;
                  if (group.title === null) return head(cell, 2);
                  return (
                    <th key={group.firstKey} scope="colgroup" colSpan={group.span} className={styles.group}>
                      {group.title}
                    </th>
                  );
                })}
                {actionsHead(2)}
              </tr>
              <tr>{cells.map((cell) => (cell.column.group === undefined ? null : head(cell, undefined)))}</tr>
            </>
          )}
        </thead>
        <tbody onMouseOver={showWhatIsCut} onFocus={() => {}}>
          {instead !== undefined ? (
            <tr className={styles.insteadRow}>
              <td colSpan={columnCount}>
                <div className={styles.instead} style={{ width: roomPx }}>
                  {instead}
                </div>
              </td>
            </tr>
          ) : rows === undefined ? (
            Array.from({ length: skeletonRows }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
              <tr key={index}>
                {details === undefined ? null : <td className={styles.pinned} style={{ left: 0 }} />}
                {selection === undefined ? null : <td className={styles.pinned} style={{ left: detailsPx }} />}
                {cells.map((cell, column) => (
                  <td key={cell.column.key} {...sticky(cell)}>
                    <span
                      className={styles.bone}
                      style={{ width: `${skeletonShares[(index * 2 + column) % skeletonShares.length]}%` }}
                    />
                  </td>
                ))}
                {rowActions === undefined ? null : (
                  <td className={styles.actions}>
                    <span className={styles.bone} style={{ width: '70%' }} />
                  </td>
                )}
              </tr>
            ))
          ) : (
            rows.map((row, index) => {
              const key = rowKey(row);
              const isSelected = selection?.keys.has(key) ?? false;
              const isUnfolded = unfolded.has(key);
              const more = isUnfolded ? details?.(row) : null;
              return (
                <Fragment key={key}>
                  <tr className={`${styles.row} ${isSelected ? styles.selected : ''}`}>
                    {details === undefined ? null : (
                      <td className={`${styles.pinned} ${styles.fold}`} style={{ left: 0 }}>
                        <FoldButton
                          isOpen={isUnfolded}
                          rowName={rowName(row)}
                          controls={`${detailsId}-${key}`}
                          onToggle={() => setUnfolded(toggled(unfolded, key))}
                        />
                      </td>
                    )}
                    {selection === undefined ? null : (
                      <td className={`${styles.pinned} ${styles.check}`} style={{ left: detailsPx }}>
                        <Checkbox
                          aria-label={phrase('list.selectRow', { row: rowName(row) })}
                          checked={isSelected}
                          onChange={(event) => selection.toggle([row], event.target.checked)}
                        />
                      </td>
                    )}
                    {cells.map((cell) => (
                      <td key={cell.column.key} {...sticky(cell)}>
                        {cell.column.render(row)}
                      </td>
                    ))}
                    {rowActions === undefined ? null : (
                      <td className={styles.actions}>
                        <RowActions actions={actions?.[index] ?? []} rowName={rowName(row)} />
                      </td>
                    )}
                  </tr>
                  {more === null || more === undefined ? null : (
                    <tr className={styles.detailsRow}>
                      <td id={`${detailsId}-${key}`} colSpan={columnCount}>
                        <div className={styles.instead} style={{ width: roomPx }}>
                          {more}
                        </div>
                      </td>
                    </tr>
                  )}
                </Fragment>
              );
            })
          )}
        </tbody>
      </table>
    </section>
  );
}

function toggled(keys: ReadonlySet<RowKey>, key: RowKey): ReadonlySet<RowKey> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** A cell whose text is cut shows it whole on hover. */
function showWhatIsCut(event: MouseEvent) {
  const cell = (event.target as Element).closest('td');
  if (cell === null || cell.querySelector('button, [title]') !== null) return;
  const text = cell.textContent ?? '';
  if (cell.scrollWidth > cell.clientWidth) cell.title = text;
  else cell.removeAttribute('title');
}
