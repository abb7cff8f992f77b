import type { UseQueryResult } from '@tanstack/react-query';
import type { ListRoute as ContractList } from '@voltdeck/contract/list';
import type { AnswerOf } from '@voltdeck/contract/route';
import { Button } from 'antd';
import { type PhraseKey, phrase } from '../../phrases.ts';
import { countText } from '../figures.ts';
import styles from './list-sums.module.css';
import type { ListColumn, ListRoute, RowOf } from './list-view.ts';

type Totals = AnswerOf<NonNullable<ContractList['totals']>>;

type Props<R extends ListRoute> = {
  /** The columns that are summed. */
  columns: readonly ListColumn<R>[];
  /** Above so many rows nothing is summed. */
  countedMax: number;
  sumsTooMany?: PhraseKey | undefined;
  answer: Pick<UseQueryResult<Totals>, 'data' | 'isError' | 'isPlaceholderData' | 'refetch'>;
  /** Sums these rows instead of all matching ones. */
  selected: readonly RowOf<R>[];
};

/** The sums of a list's amounts over the filtered or the selected rows. */
export function ListSums<R extends ListRoute>({
  columns,
  countedMax,
  sumsTooMany = 'list.sumsTooMany',
  answer,
  selected,
}: Props<R>) {
  if (selected.length > 0) {
    const sums = columns.map((column) => selected.reduce((sum, row) => sum + (column.sum?.of(row) ?? 0), 0));
    return (
      <Sums columns={columns} sums={sums} over={phrase('list.sumsSelected', { count: countText(selected.length) })} />
    );
  }
  const { data, isError, isPlaceholderData } = answer;
  if (isError && (data === undefined || isPlaceholderData)) {
    return (
      <p className={styles.said} role="alert">
        {phrase('list.sumsFailed')}
        <Button size="small" type="link" onClick={() => void answer.refetch()}>
          {phrase('shell.retry')}
        </Button>
      </p>
    );
  }
  if (data !== undefined && data.sums === null) {
    return <p className={styles.said}>{phrase(sumsTooMany, { max: countText(countedMax) })}</p>;
  }
  return (
    <Sums
      columns={columns}
      sums={data?.sums === undefined ? undefined : columns.map(({ key }) => data.sums?.[key] ?? 0)}
      over={data === undefined ? phrase('list.sums') : phrase('list.sumsOver', { count: countText(data.total) })}
      isOld={isPlaceholderData}
    />
  );
}

type SumsProps<R extends ListRoute> = {
  columns: readonly ListColumn<R>[];
  /** undefined while loading. */
  sums: readonly number[] | undefined;
  /** What is summed. */
  over: string;
  isOld?: boolean;
};

function Sums<R extends ListRoute>({ columns, sums, over, isOld = false }: SumsProps<R>) {
  return (
    <section className={styles.whole} aria-label={over} aria-busy={sums === undefined || isOld} data-old={isOld}>
      <p className={styles.over}>{over}</p>
      <dl className={styles.sums}>
        {columns.map((column, index) => (
          <div key={column.key}>
            <dt>{column.title}</dt>
            <dd className="figure">
              {sums === undefined ? <span className={styles.bone} /> : column.sum?.text(sums[index] ?? 0)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
