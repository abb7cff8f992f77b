import { Checkbox } from 'antd';
import { useId, useState } from 'react';
import { phrase } from '../../phrases.ts';
import { FoldButton } from './FoldButton.tsx';
import type { ListRowsProps } from './ListTable.tsx';
import styles from './list-cards.module.css';
import type { ListRoute, RowOf } from './list-view.ts';
import { RowActions } from './RowActions.tsx';
import { onRowKey } from './row-keys.ts';

/** Facts on a card before it is expanded. */
const factsMax = 6;

/** The rows as cards where a table does not fit: the naming column as a heading, the others as facts. */
export function ListCards<R extends ListRoute>(props: ListRowsProps<R>) {
  const { title, rows, rowKey, isOld, skeletonRows, instead, selection } = props;
  const keysId = useId();
  if (instead !== undefined) return <div className={styles.list}>{instead}</div>;
  return (
    <>
      <span id={keysId} hidden>
        {phrase(selection === undefined ? 'list.rowKeys' : 'list.rowKeysSelect')}
      </span>
      <ul
        className={`${styles.list} ${isOld ? styles.old : ''}`}
        aria-label={phrase('list.table', { title })}
        aria-busy={isOld || rows === undefined}
        aria-describedby={keysId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys lead from here to the cards
        tabIndex={0}
        onKeyDown={onRowKey}
      >
        {rows === undefined
          ? Array.from({ length: Math.min(skeletonRows, 6) }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the cards are all alike
              <li key={index} className={styles.card}>
                <span className={styles.bone} style={{ width: '55%', height: 14 }} />
                <span className={styles.bone} style={{ width: '85%' }} />
                <span className={styles.bone} style={{ width: '70%' }} />
              </li>
            ))
          : rows.map((row) => <Card key={rowKey(row)} {...props} row={row} />)}
      </ul>
    </>
  );
}

function Card<R extends ListRoute>({
  row,
  columns,
  rowKey,
  rowName,
  rowActions,
  details,
  selection,
}: ListRowsProps<R> & { row: RowOf<R> }) {
  const [isWhole, setWhole] = useState(false);
  const [isUnfolded, setUnfolded] = useState(false);
  const detailsId = useId();
  const [first, ...others] = columns;
  if (first === undefined) return null;
  const ranked = [...others].sort((a, b) => Number(b.column.isKeyFact ?? false) - Number(a.column.isKeyFact ?? false));
  const facts = isWhole ? ranked : ranked.slice(0, factsMax);
  return (
    <li data-row tabIndex={-1} className={styles.card}>
      <div className={styles.head}>
        {selection === undefined ? null : (
          <span data-check>
            <Checkbox
              aria-label={phrase('list.selectRow', { row: rowName(row) })}
              checked={selection.keys.has(rowKey(row))}
              onChange={(event) => selection.toggle([row], event.target.checked)}
            />
          </span>
        )}
        <div data-cell={first.column.key} className={styles.name}>
          {first.column.render(row)}
        </div>
        {details === undefined ? null : (
          <FoldButton
            isOpen={isUnfolded}
            rowName={rowName(row)}
            controls={detailsId}
            onToggle={() => setUnfolded(!isUnfolded)}
          />
        )}
      </div>
      <dl className={styles.facts}>
        {facts.map(({ column }) => (
          <div key={column.key}>
            <dt>{column.title}</dt>
            <dd data-cell={column.key}>{column.render(row)}</dd>
          </div>
        ))}
      </dl>
      {isUnfolded ? <div id={detailsId}>{details?.(row)}</div> : null}
      <div className={styles.foot}>
        {others.length <= factsMax ? (
          <span />
        ) : (
          <button type="button" className={styles.more} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {phrase(isWhole ? 'list.fewerFacts' : 'list.moreFacts')}
          </button>
        )}
        {rowActions === undefined ? null : <RowActions actions={rowActions(row)} rowName={rowName(row)} />}
      </div>
    </li>
  );
}
