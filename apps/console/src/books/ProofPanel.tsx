import {
  getLedgerProof,
  getProofState,
  listProofRuns,
  type ProofDifference,
  type ProofRun,
} from '@voltdeck/contract/books';
import { App, Button, Skeleton } from 'antd';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useAnswer, useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText, moneyText, yuanText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { Panel } from '../ui/Panel.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { useTell } from '../ui/use-tell.ts';
import styles from './books.module.css';
import { Fact, Facts } from './Facts.tsx';
import { PartyLink } from './PartyLink.tsx';

/** How far the books are proven, what is wrong with them, and a button that proves everything. */
export function ProofPanel() {
  const answer = useAnswer(getProofState, {}, { staleMs: 0 });
  if (answer.isPending) return <Skeleton active paragraph={{ rows: 3 }} />;
  if (answer.data === undefined) return <ErrorState failure={answer.error} retry={() => void answer.refetch()} />;
  const { lastRun, lastWhole, provenTo, behind, roundEndedAt, differences, wholeDifferences } = answer.data;
  const count = Math.max(lastRun?.differences ?? 0, differences.length);
  const isSound = count === 0 && wholeDifferences.length === 0;
  return (
    <div className={styles.proof}>
      <Panel title={phrase('books.stateTitle')} tools={<ProveAll />}>
        <p className={styles.state}>
          <StateTag tone={isSound ? 'free' : 'fault'}>
            {isSound
              ? phrase('books.sound')
              : phrase('books.broken', { count: Math.max(count, wholeDifferences.length) })}
          </StateTag>
        </p>
        <Facts>
          <Fact title={phrase('books.lastRun')}>
            <RunTime run={lastRun} />
          </Fact>
          <Fact title={phrase('books.provenTo')}>{countText(provenTo)}</Fact>
          <Fact title={phrase('books.behind')}>{countText(behind)}</Fact>
          <Fact title={phrase('books.roundEnded')}>
            {roundEndedAt === null ? phrase('books.never') : <Instant at={roundEndedAt} />}
          </Fact>
          <Fact title={phrase('books.lastWhole')}>
            <RunTime run={lastWhole} />
          </Fact>
        </Facts>
      </Panel>
      <Differences title={phrase('books.differencesTitle')} differences={differences} />
      <Differences title={phrase('books.wholeDifferencesTitle')} differences={wholeDifferences} />
    </div>
  );
}

function RunTime({ run }: { run: ProofRun | null }) {
  return run === null ? phrase('books.never') : <Instant at={run.beganAt} />;
}

function ProveAll() {
  const { message } = App.useApp();
  const refresh = useRefresh();
  const tell = useTell();
  const [isRunning, setRunning] = useState(false);
  const prove = async () => {
    setRunning(true);
    try {
      const { accounts, transfers, mismatches, sumFen } = await call(getLedgerProof, { quiet: true });
      if (mismatches === 0 && sumFen === 0) {
        message.success(
          phrase('books.provenSound', { accounts: countText(accounts), transfers: countText(transfers) }),
        );
      } else {
        message.error(phrase('books.provenBroken', { count: mismatches, sum: moneyText(sumFen) }));
      }
    } catch (failure) {
      tell(failure);
    }
    setRunning(false);
    await refresh(getProofState, listProofRuns);
  };
  return (
    <Button loading={isRunning} title={phrase('books.proveAllNote')} onClick={() => void prove()}>
      {phrase('books.proveAll')}
    </Button>
  );
}

function Differences({ title, differences }: { title: string; differences: readonly ProofDifference[] }) {
  if (differences.length === 0) return null;
  return (
    <Panel title={title} flush>
      <ScrollRegion label={title}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{phrase('books.account')}</th>
              <th scope="col" className={styles.right}>
                {phrase('books.kept')}
              </th>
              <th scope="col" className={styles.right}>
                {phrase('books.posted')}
              </th>
              <th scope="col" className={styles.right}>
                {phrase('books.difference')}
              </th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ account, keptFen, postedFen }) => (
              <tr key={account.key}>
                <td>
                  <PartyLink party={account} />
                </td>
                <td className={`figure ${styles.right}`}>{yuanText(keptFen)}</td>
                <td className={`figure ${styles.right}`}>{yuanText(postedFen)}</td>
                <td className={`figure ${styles.right}`}>{yuanText(keptFen - postedFen)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Panel>
  );
}
