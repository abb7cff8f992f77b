import { DownloadOutlined, InfoCircleOutlined } from '@ant-design/icons';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ListRoute as ContractList } from '@voltdeck/contract/list';
import type { AnswerOf } from '@voltdeck/contract/route';
import { Button, Tooltip } from 'antd';
import { phrase } from '../../phrases.ts';
import { nothingText } from '../figures.ts';
import { saveFile } from '../save-file.ts';
import styles from './list-sum-cards.module.css';
import type { ListColumn, ListRoute } from './list-view.ts';
import { sumsFile } from './sums-file.ts';

type Totals = AnswerOf<NonNullable<ContractList['totals']>>;

type Props<R extends ListRoute> = {
  /** The list's name, for the file. */
  title: string;
  /** All columns that are summed, and which of them are cards, in this order. */
  columns: readonly ListColumn<R>[];
  keys: readonly string[];
  answer: Pick<UseQueryResult<Totals>, 'data' | 'isError' | 'isPlaceholderData'>;
};

/** The sums that a list is opened for, as cards above it, and all of its sums as a file. */
export default function ListSumCards<R extends ListRoute>({ title, columns, keys, answer }: Props<R>) {
  const { data, isError, isPlaceholderData } = answer;
  const sums = data?.sums;
  const cards = keys.flatMap((key) => columns.filter((column) => column.key === key));
  return (
    <section
      className={styles.cards}
      aria-label={phrase('list.sums')}
      aria-busy={(data === undefined && !isError) || isPlaceholderData}
      data-old={isPlaceholderData}
    >
      <dl>
        {cards.map((column) => (
          <div key={column.key}>
            <dt>
              {column.title}
              {column.hint === undefined ? null : (
                <Tooltip title={column.hint} trigger={['hover', 'focus', 'click']}>
                  <button
                    type="button"
                    className={styles.info}
                    aria-label={column.title}
                    aria-description={column.hint}
                  >
                    <InfoCircleOutlined aria-hidden="true" />
                  </button>
                </Tooltip>
              )}
            </dt>
            <dd>
              {data === undefined && !isError ? (
                <span className={styles.bone} />
              ) : sums == null ? (
                nothingText
              ) : (
                column.sum?.text(sums[column.key] ?? 0)
              )}
            </dd>
          </div>
        ))}
      </dl>
      <Button
        type="dashed"
        className={styles.export ?? ''}
        icon={<DownloadOutlined />}
        disabled={sums == null}
        onClick={() => {
          if (sums != null) saveFile(sumsFile(columns, sums), `${title} ${phrase('list.sums')}.csv`);
        }}
      >
        {phrase('list.exportSums')}
      </Button>
    </section>
  );
}
