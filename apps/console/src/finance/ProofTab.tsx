import { getTotalProofRun, type KeptSumProof, proveTotals, type TotalProof } from '@voltdeck/contract/total-proofs';
import { subtractFen } from '@voltdeck/units/money';
import { Button, Skeleton } from 'antd';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useAnswer, useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { moneyText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { Panel } from '../ui/Panel.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { useTell } from '../ui/use-tell.ts';
import styles from './finance.module.css';

/** Whether the figures of orders, shares, statements and the books are the same numbers, and since when. */
export default function ProofTab() {
  const answer = useAnswer(getTotalProofRun, {});
  const refresh = useRefresh();
  const tell = useTell();
  const [isProving, setProving] = useState(false);
  const prove = async () => {
    setProving(true);
    try {
      await call(proveTotals, {});
      await refresh(getTotalProofRun);
    } catch (failure) {
      tell(failure);
    } finally {
      setProving(false);
    }
  };
  return (
    <div className={styles.holdings}>
      <h1 className="for-readers">{phrase('finance.proof')}</h1>
      <div className={styles.head}>
        <Button loading={isProving} onClick={() => void prove()}>
          {phrase('finance.proveNow')}
        </Button>
        <p className={styles.note}>{phrase('finance.proofNote')}</p>
      </div>
      {answer.isPending ? (
        <Skeleton active paragraph={{ rows: 8 }} />
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : answer.data.proof === null ? (
        <p className={styles.note}>{phrase('finance.notProven')}</p>
      ) : (
        <>
          <Proof proof={answer.data.proof} />
          {answer.data.proof.acrossDays === null ? null : <AcrossDays across={answer.data.proof.acrossDays} />}
        </>
      )}
      {answer.data?.sums == null ? null : <KeptSums proof={answer.data.sums} />}
    </div>
  );
}

function KeptSums({ proof: { day, provenAt, differing, failure } }: { proof: KeptSumProof }) {
  return (
    <p className={failure === null ? styles.note : styles.faultNote}>
      {phrase('finance.keptSums', { day })} · <Instant at={provenAt} /> ·{' '}
      {failure !== null
        ? phrase('finance.keptSumsFailed', { why: phrase(`proof-failure.${failure}`) })
        : differing === 0 || differing === null
          ? phrase('finance.keptSumsAgree')
          : phrase('finance.keptSumsMended', { count: differing })}
    </p>
  );
}

function Proof({ proof: { provenAt, userName, rows, differing, failed } }: { proof: TotalProof }) {
  const note = (
    <>
      <Instant at={provenAt} /> · {userName ?? phrase('finance.provenNightly')}
    </>
  );
  return (
    <Panel title={phrase('finance.proof')} flush note={note}>
      <ScrollRegion label={phrase('finance.proof')}>
        <table className={styles.proof}>
          <thead>
            <tr>
              <th scope="col">{phrase('finance.figure')}</th>
              <th scope="col" className={styles.amount}>
                {phrase('finance.onePlace')}
              </th>
              <th scope="col" className={styles.amount}>
                {phrase('finance.otherPlace')}
              </th>
              <th scope="col">{phrase('finance.agreement')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ total, oneFen, otherFen }) => (
              <tr key={total}>
                <th scope="row">{phrase(`proven-total.${total}`)}</th>
                <td className={styles.amount}>
                  <span className="figure">{moneyText(oneFen)}</span>
                  <small>{phrase(`proven-total.${total}.one`)}</small>
                </td>
                <td className={styles.amount}>
                  <span className="figure">{moneyText(otherFen)}</span>
                  <small>{phrase(`proven-total.${total}.other`)}</small>
                </td>
                <td>
                  <StateTag tone={oneFen === otherFen ? 'free' : 'fault'}>
                    {oneFen === otherFen
                      ? phrase('finance.agrees')
                      : phrase('finance.disagrees', { amount: moneyText(subtractFen(oneFen, otherFen)) })}
                  </StateTag>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {failed === null ? null : (
        <p className={styles.faultNote}>
          {phrase('finance.proofFailed', {
            figure: phrase(failed.total === null ? 'finance.proof' : `proven-total.${failed.total}`),
            why: phrase(`proof-failure.${failed.failure}`),
          })}
        </p>
      )}
      {differing === 0 ? null : <p className={styles.faultNote}>{phrase('finance.proofDiffers')}</p>}
    </Panel>
  );
}

/** The orders that home page and statement count on two days. */
function AcrossDays({ across }: { across: NonNullable<TotalProof['acrossDays']> }) {
  const { day, endedFen, postedFen, count, orders } = across;
  if (count === 0) return null;
  const title = phrase('finance.acrossDays', { count, day });
  const note = phrase('finance.acrossDaysNote', { day, ended: moneyText(endedFen), posted: moneyText(postedFen) });
  return (
    <Panel title={title} flush note={note}>
      <ScrollRegion label={title}>
        <table className={styles.proof}>
          <thead>
            <tr>
              <th scope="col">{phrase('finance.orderNumber')}</th>
              <th scope="col">{phrase('finance.endedOn')}</th>
              <th scope="col">{phrase('finance.postedOn')}</th>
              <th scope="col" className={styles.amount}>
                {phrase('finance.receivable')}
              </th>
            </tr>
          </thead>
          <tbody>
            {orders.map(({ id, number, endedOn, postedOn, amountFen }) => (
              <tr key={id}>
                <th scope="row">
                  <ScreenLink screen="orderListDetailHistory" query={{ id }}>
                    {number}
                  </ScreenLink>
                </th>
                <td className="figure">{endedOn}</td>
                <td className="figure">{postedOn}</td>
                <td className={`figure ${styles.amount}`}>{moneyText(amountFen)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {count === orders.length ? null : (
        <p className={styles.note}>{phrase('finance.acrossDaysMore', { count: count - orders.length })}</p>
      )}
    </Panel>
  );
}
