import type { ListAnswer } from '@voltdeck/contract/fields';
import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Panel } from '../ui/Panel.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import styles from './customers.module.css';

type Head<Item> = { title: string; isRight?: true; cell: (item: Item) => ReactNode };

type Props<Item> = {
  title: string;
  /** A link to all of them. */
  all: ReactNode;
  answer: { isPending: boolean; data: ListAnswer<Item> | undefined; error: unknown; refetch: () => unknown };
  empty: string;
  heads: readonly Head<Item>[];
};

/** The latest records of a person, with a link to the rest. */
export function LatestPanel<Item extends { id: number }>({ title, all, answer, empty, heads }: Props<Item>) {
  return (
    <Panel title={title} tools={all} flush>
      {answer.isPending ? (
        <div className={styles.padded}>
          <Skeleton active paragraph={{ rows: 3 }} />
        </div>
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : answer.data.items.length === 0 ? (
        <p className={styles.padded}>{empty}</p>
      ) : (
        <ScrollRegion label={title}>
          <table className={styles.figures}>
            <thead>
              <tr>
                {heads.map((head) => (
                  <th key={head.title} scope="col" className={head.isRight ? styles.right : undefined}>
                    {head.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {answer.data.items.map((item) => (
                <tr key={item.id}>
                  {heads.map((head) => (
                    <td key={head.title} className={head.isRight ? styles.right : undefined}>
                      {head.cell(item)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </Panel>
  );
}
