import type { ListAnswer } from '@voltdeck/contract/fields';
import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Panel } from '../ui/Panel.tsx';
import styles from './sites.module.css';

/** A list as it is fetched. */
export type Fetched<Item> = {
  isPending: boolean;
  data: ListAnswer<Item> | undefined;
  error: unknown;
  refetch: () => unknown;
};

type Props<Item> = {
  title: string;
  note?: ReactNode;
  tools?: ReactNode;
  answer: Fetched<Item>;
  empty: ReactNode;
  children: (items: readonly Item[]) => ReactNode;
};

/** A panel of the site's page with its own waiting, failing and empty states. */
export function AnsweredPanel<Item>({ title, note, tools, answer, empty, children }: Props<Item>) {
  return (
    <Panel title={title} note={note} tools={tools} flush>
      {answer.isPending ? (
        <div className={styles.padded}>
          <Skeleton active paragraph={{ rows: 4 }} />
        </div>
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : answer.data.items.length === 0 ? (
        empty
      ) : (
        children(answer.data.items)
      )}
    </Panel>
  );
}
