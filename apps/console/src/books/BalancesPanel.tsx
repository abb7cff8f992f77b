import { getLedgerBalances } from '@voltdeck/contract/books';
import type { AnswerOf } from '@voltdeck/contract/route';
import { Skeleton } from 'antd';
import { useState } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText, moneyText } from '../ui/figures.ts';
import { StateTag } from '../ui/StateTag.tsx';
import styles from './books.module.css';

/** What all accounts of each kind hold together. It is added up only when somebody looks. */
export function BalancesPanel() {
  const [isOpen, setOpen] = useState(false);
  const answer = useAnswer(getLedgerBalances, {}, { enabled: isOpen });
  return (
    <details className={styles.balances} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <strong>{phrase('books.byKind')}</strong> <span className={styles.note}>{phrase('books.byKindNote')}</span>
      </summary>
      {!isOpen ? null : answer.isPending ? (
        <Skeleton active paragraph={{ rows: 3 }} />
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <Balances balances={answer.data} />
      )}
    </details>
  );
}

function Balances({ balances: { kinds, sumFen } }: { balances: AnswerOf<typeof getLedgerBalances> }) {
  return (
    <dl className={styles.tiles}>
      {kinds.map(({ kind, accounts, balanceFen }) => (
        <div key={kind} className={styles.tile}>
          <dt>{phrase(`account-kind.${kind}`)}</dt>
          <dd className="figure">{moneyText(balanceFen)}</dd>
          <dd className={styles.more}>{`${phrase('books.countOfKind')} ${countText(accounts)}`}</dd>
        </div>
      ))}
      <div className={styles.tile}>
        <dt>{phrase('books.allKinds')}</dt>
        <dd className="figure">{moneyText(sumFen)}</dd>
        <dd className={styles.more}>
          <StateTag tone={sumFen === 0 ? 'free' : 'fault'}>
            {phrase(sumFen === 0 ? 'books.sumIsZero' : 'books.sumIsNotZero')}
          </StateTag>
        </dd>
      </div>
    </dl>
  );
}
