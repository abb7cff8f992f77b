import type { ListAnswer } from '@voltdeck/contract/fields';
import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { ErrorState } from './ErrorState.tsx';
import styles from './latest-panel.module.css';
import { Panel } from './Panel.tsx';
import { ScrollRegion } from './ScrollRegion.tsx';
import { useNarrow } from './use-narrow.ts';

type Head<Item> = {
  title: string;
  /** A figure. */
  isRight?: true;
  /** A text that somebody wrote, which may take more than one line. */
  isWords?: true;
  cell: (item: Item) => ReactNode;
};

type Props<Item> = {
  title: string;
  /** Of a line that panels share; `whole` takes it alone. */
  width?: 'narrow' | 'wide' | 'whole';
  /** A link to all of them. */
  all: ReactNode;
  answer: { isPending: boolean; data: ListAnswer<Item> | undefined; error: unknown; refetch: () => unknown };
  empty: string;
  heads: readonly Head<Item>[];
};

type CardsProps<Item> = { heads: readonly Head<Item>[]; items: readonly Item[]; label: string };

/** The records as cards, for a phone. */
function Cards<Item extends { id: number }>({ heads: [first, ...facts], items, label }: CardsProps<Item>) {
  return (
    <ul className={styles.cards} aria-label={label}>
      {items.map((item) => (
        <li key={item.id}>
          {first?.cell(item)}
          <dl className={styles.cardFacts}>
            {facts.map((head) => (
              <div key={head.title}>
                <dt>{head.title}</dt>
                <dd>{head.cell(item)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

/** The latest records of a person or an agent, with a link to the rest. */
export function LatestPanel<Item extends { id: number }>({
  title,
  width = 'narrow',
  all,
  answer,
  empty,
  heads,
}: Props<Item>) {
  const isNarrow = useNarrow();
  return (
    <div className={styles[width]}>
      <Panel title={title} tools={all} flush>
        {answer.isPending ? (
          <div className={styles.padded}>
            <Skeleton active paragraph={{ rows: 3 }} />
          </div>
        ) : answer.data === undefined ? (
          <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
        ) : answer.data.items.length === 0 ? (
          <p className={styles.padded}>{empty}</p>
        ) : isNarrow ? (
          <Cards heads={heads} items={answer.data.items} label={title} />
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
                      <td key={head.title} className={head.isRight ? styles.right : head.isWords && styles.words}>
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
    </div>
  );
}
