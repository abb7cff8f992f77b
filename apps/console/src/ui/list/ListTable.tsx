import { Checkbox } from 'antd';
import {
  type CSSProperties,
  Fragment,
  type MouseEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { phrase } from '../../phrases.ts';
import { ColumnEdge } from './ColumnEdge.tsx';
import { FoldButton } from './FoldButton.tsx';
import type { Arranged } from './list-columns.ts';
import styles from './list-table.module.css';
import type { ListColumn, ListRoute, RowAction, RowOf } from './list-view.ts';
import { RowActions } from './RowActions.tsx';
import { onRowKey } from './row-keys.ts';
import { SortMark } from './SortMark.tsx';
import {
  actionsWidthPx,
  cellPaddingPx,
  detailsWidthPx,
  headGroups,
  headWidthPx,
  type LaidOut,
  layOut,
  selectionWidthPx,
} from './table-layout.ts';

export type RowKey = string | number;

export type ListRowsProps<R extends ListRoute> = {
  title: string;
  /** Visible columns only. */
  columns: readonly Arranged<ListColumn<R>>[];
  /** undefined until the first answer. */
  rows: readonly RowOf<R>[] | undefined;
  rowKey: (row: RowOf<R>) => RowKey;
  rowName: (row: RowOf<R>) => string;
  rowActions?: ((row: RowOf<R>) => readonly RowAction[]) | undefined;
  details?: ((row: RowOf<R>) => ReactNode) | undefined;
  /** Dimmed: these rows belong to the previous query. */
  isOld: boolean;
  skeletonRows: number;
  sort: string | undefined;
  /** Called with the sort name of the column whose head was clicked. */
  onSort: (name: string) => void;
  /** Changes the width of a column. */
  onWiden: (key: string, widthPx: number) => void;
  selection?: { keys: ReadonlySet<RowKey>; toggle: (rows: readonly RowOf<R>[], on: boolean) => void } | undefined;
  /** Replaces the rows: the empty or the error state. */
  instead?: ReactNode;
};

/** Wide enough that no cell is cut while its content is measured. */
const measuringPx = 600;

const skeletonShares = [72, 46, 60, 38, 54, 66];

/** A real table: its head, pinned columns and actions stay in view. */
export function ListTable<R extends ListRoute>(props: ListRowsProps<R>) {
  const { title, rows, rowKey, rowName, rowActions, details, isOld, skeletonRows, sort, onSort, selection, instead } =
    props;
  const region = useRef<HTMLElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const detailsId = useId();
  const keysId = useId();
  const [edge, setEdge] = useState<string | null>(null);
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
  const beforePx = detailsPx + selectionPx;
  const cells = layOut(props.columns, roomPx, beforePx, actionsPx);
  const groups = headGroups(cells.map((cell) => cell.column));
  const columnCount = cells.length + [details, selection, rowActions].filter((extra) => extra !== undefined).length;
  const pinnedPx = beforePx + sumOfWidths(cells.filter(({ stickyLeftPx }) => stickyLeftPx !== null));
  const hasMore = beforePx + sumOfWidths(cells) + actionsPx > roomPx;
  const selectedHere = rows?.filter((row) => selection?.keys.has(rowKey(row))).length ?? 0;

  /** Previews another width: only the table's frame is redrawn while an edge is dragged. */
  const drawDragged = (key: string, widthPx: number) => {
    if (table.current === null) return;
    const dragged = props.columns.map((item) => (item.column.key === key ? { ...item, chosenPx: widthPx } : item));
    const next = layOut(dragged, roomPx, beforePx, actionsPx);
    for (const [name, value] of Object.entries(frameOf(next))) table.current.style.setProperty(name, value);
    table.current.style.width = `${Math.max(roomPx, beforePx + sumOfWidths(next) + actionsPx)}px`;
  };
  const fit = (key: string, column: ListColumn<R>) => {
    if (table.current === null) return;
    const contentPx = widestIn(table.current, key);
    props.onWiden(key, Math.max(contentPx + cellPaddingPx, headWidthPx(column.title, column.sort !== undefined)));
  };

  const sticky = (cell: (typeof cells)[number]) => ({
    className: [
      cell.column.align === 'right' ? styles.right : '',
      cell.stickyLeftPx === null ? '' : styles.pinned,
      cell.isLastPinned ? styles.lastPinned : '',
    ].join(' '),
    style: cell.stickyLeftPx === null ? {} : { left: `var(${leftOf(cell.column.key)})` },
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
        aria-label={column.title}
        {...sticky(cell)}
      >
        {column.sort === undefined ? (
          column.title
        ) : (
          <button type="button" className={styles.sort} onClick={() => onSort(String(column.sort))}>
            {column.title}
            <SortMark direction={direction} />
          </button>
        )}
        <ColumnEdge
          title={column.title}
          widthPx={cell.widthPx}
          isStop={column.key === (edge ?? cells[0]?.column.key)}
          onReach={() => setEdge(column.key)}
          onDrag={(widthPx) => drawDragged(column.key, widthPx)}
          onWiden={(widthPx) => props.onWiden(column.key, widthPx)}
          onFit={() => fit(column.key, column)}
        />
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
    <section
      ref={region}
      className={styles.region}
      style={{ scrollPaddingInline: `${pinnedPx}px ${actionsPx}px` }}
      data-groups={groups !== null}
      aria-label={phrase('list.table', { title })}
      aria-describedby={keysId}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
      tabIndex={0}
      onKeyDown={onRowKey}
    >
      <span id={keysId} hidden>
        {phrase(selection === undefined ? 'list.rowKeys' : 'list.rowKeysSelect')}
      </span>
      <table
        ref={table}
        className={`${styles.table} ${isOld ? styles.old : ''} ${hasMore ? styles.more : ''}`}
        style={{
          ...(frameOf(cells) as CSSProperties),
          width: Math.max(roomPx, beforePx + sumOfWidths(cells) + actionsPx),
        }}
        aria-busy={isOld || rows === undefined}
      >
        <colgroup>
          {details === undefined ? null : <col style={{ width: detailsPx }} />}
          {selection === undefined ? null : <col style={{ width: selectionPx }} />}
          {cells.map((cell) => (
            <col key={cell.column.key} style={{ width: `var(${widthOf(cell.column.key)})` }} />
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
                  <tr data-row tabIndex={-1} className={`${styles.row} ${isSelected ? styles.selected : ''}`}>
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
                      <td data-check className={`${styles.pinned} ${styles.check}`} style={{ left: detailsPx }}>
                        <Checkbox
                          aria-label={phrase('list.selectRow', { row: rowName(row) })}
                          checked={isSelected}
                          onChange={(event) => selection.toggle([row], event.target.checked)}
                        />
                      </td>
                    )}
                    {cells.map((cell) => (
                      <td key={cell.column.key} data-cell={cell.column.key} {...sticky(cell)}>
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

const widthOf = (key: string) => `--width-${key}`;
const leftOf = (key: string) => `--left-${key}`;

function sumOfWidths(cells: readonly LaidOut<unknown>[]): number {
  return cells.reduce((sum, { widthPx }) => sum + widthPx, 0);
}

/** Column widths and pinned positions as the table's style. */
function frameOf(cells: readonly LaidOut<{ key: string }>[]): Record<string, string> {
  return Object.fromEntries(
    cells.flatMap(({ column, widthPx, stickyLeftPx }) => [
      [widthOf(column.key), `${widthPx}px`],
      [leftOf(column.key), `${stickyLeftPx ?? 0}px`],
    ]),
  );
}

/** The width that the widest value of a column needs on this page. */
function widestIn(table: HTMLTableElement, key: string): number {
  const name = widthOf(key);
  const former = table.style.getPropertyValue(name);
  table.style.setProperty(name, `${measuringPx}px`);
  const cells = [...table.querySelectorAll(`[data-cell="${CSS.escape(key)}"]`)];
  const widest = Math.max(0, ...cells.map(contentWidthPx));
  table.style.setProperty(name, former);
  return Math.ceil(widest);
}

function contentWidthPx(element: Element): number {
  const only = element.children.length === 1 ? element.firstElementChild : null;
  // A block element is as wide as its cell, so measure its content.
  if (only !== null && ['block', 'flex', 'grid'].includes(getComputedStyle(only).display)) return contentWidthPx(only);
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect().width;
}

function toggled(keys: ReadonlySet<RowKey>, key: RowKey): ReadonlySet<RowKey> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** Shows the full text of a cut cell on hover. */
function showWhatIsCut(event: MouseEvent) {
  const cell = (event.target as Element).closest('td');
  if (cell === null || cell.querySelector('button, [title]') !== null) return;
  const text = cell.textContent ?? '';
  if (cell.scrollWidth > cell.clientWidth) cell.title = text;
  else cell.removeAttribute('title');
}
