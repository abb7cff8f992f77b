import {
  billAwaitedDays,
  checkReconciliationSeal,
  getReconciliationDay,
  isBilling,
  type Reconciliation,
  type ReconciliationDay,
} from '@voltdeck/contract/reconciliation';
import { Alert, Button, Drawer, Skeleton } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { to } from '../session/to.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText, energyText, moneyText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import styles from './reconciliation.module.css';
import { dayTones, reconciliationTones } from './tones.ts';

const widthPx = 720;

type Props = { day: string; open: boolean; onClose: () => void };

/** One day: the figures of both sides of each comparison, and its seal. */
export default function DayDrawer({ day, open, onClose }: Props) {
  const answer = useAnswer(getReconciliationDay, { params: { day } }, { enabled: open });
  return (
    <Drawer
      title={`${phrase('reconciliation.title')} ${day}`}
      open={open}
      onClose={onClose}
      size={widthPx}
      destroyOnHidden
      styles={{ wrapper: { maxWidth: '100vw' } }}
    >
      {answer.isPending ? (
        <Skeleton active paragraph={{ rows: 8 }} />
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <>
          <p className={styles.facts}>
            <StateTag tone={dayTones[answer.data.state]}>{phrase(`reconciliation-day.${answer.data.state}`)}</StateTag>
            {answer.data.openCount === 0 ? null : (
              <Link to={to('reconciliationList', { view: 'differences', day })}>
                {phrase('reconciliation.openOf', { count: countText(answer.data.openCount) })}
              </Link>
            )}
          </p>
          {answer.data.parts.map((part) => (
            <Comparison key={part.counterpart} day={day} part={part} isSealed={answer.data.sealedHash !== null} />
          ))}
          {answer.data.sealedHash === null ? null : <Seal day={answer.data} hash={answer.data.sealedHash} />}
        </>
      )}
    </Drawer>
  );
}

function Comparison({ day, part, isSealed }: { day: string; part: Reconciliation; isSealed: boolean }) {
  const { counterpart, state, ranAt } = part;
  const title = phrase(`counterpart.${counterpart}`);
  return (
    <section aria-label={title}>
      <h3 className={styles.head}>
        {title} <StateTag tone={reconciliationTones[state]}>{phrase(`reconciliation-state.${state}`)}</StateTag>
      </h3>
      {state === 'waiting' ? (
        <p className={styles.note}>
          {isSealed
            ? phrase('reconciliation.sealedAlone', { count: countText(part.ourCount), amount: moneyText(part.ourFen) })
            : phrase('reconciliation.waitsForBill', { days: countText(billAwaitedDays) })}
        </p>
      ) : (
        <>
          <Figures part={part} title={title} />
          <p className={styles.note}>
            {phrase('reconciliation.ranAt')} <Instant at={ranAt} exact />{' '}
            <Link to={to('reconciliationList', { view: 'differences', day, counterpart: [counterpart] })}>
              {phrase('reconciliation.showDifferences')}
            </Link>
          </p>
        </>
      )}
    </section>
  );
}

function Figures({ part, title }: { part: Reconciliation; title: string }) {
  const { counterpart, ourCount, theirCount, ourFen, theirFen, ourWh, theirWh, feeFen, matchedCount, openCount } = part;
  const isOfEnergy = counterpart === 'meters';
  return (
    <ScrollRegion label={title}>
      <table className={styles.table}>
        <thead>
          <tr>
            <td />
            <th scope="col" className={styles.right}>
              {phrase('reconciliation.count')}
            </th>
            <th scope="col" className={styles.right}>
              {phrase(isOfEnergy ? 'reconciliation.energy' : 'reconciliation.amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{phrase('reconciliation.ours')}</th>
            <td className={`figure ${styles.right}`}>{countText(ourCount)}</td>
            <td className={`figure ${styles.right}`}>{isOfEnergy ? energyText(ourWh) : moneyText(ourFen)}</td>
          </tr>
          <tr>
            <th scope="row">{title}</th>
            <td className={`figure ${styles.right}`}>{countText(theirCount)}</td>
            <td className={`figure ${styles.right}`}>{isOfEnergy ? energyText(theirWh) : moneyText(theirFen)}</td>
          </tr>
          <tr>
            <th scope="row">{phrase('reconciliation.matched')}</th>
            <td className={`figure ${styles.right}`}>{countText(matchedCount)}</td>
            <td />
          </tr>
          <tr>
            <th scope="row">{phrase('reconciliation.openCount')}</th>
            <td className={`figure ${styles.right}`}>{countText(openCount)}</td>
            <td />
          </tr>
          {isBilling(counterpart) ? (
            <tr>
              <th scope="row">{phrase('reconciliation.fees')}</th>
              <td />
              <td className={`figure ${styles.right}`}>{moneyText(feeFen)}</td>
            </tr>
          ) : null}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** The seal, which is reckoned again only when somebody asks. */
function Seal({
  day: { day, sealedAt, sealedByName, missingBillReason },
  hash,
}: {
  day: ReconciliationDay;
  hash: string;
}) {
  const [isAsked, setAsked] = useState(false);
  const check = useAnswer(checkReconciliationSeal, { params: { day } }, { enabled: isAsked });
  return (
    <section aria-label={phrase('reconciliation.sealed')}>
      <h3 className={styles.head}>{phrase('reconciliation.sealed')}</h3>
      <p className={styles.facts}>
        <span>
          {phrase('reconciliation.sealedBy')} {sealedByName}
        </span>
        {sealedAt === null ? null : <Instant at={sealedAt} exact />}
      </p>
      {missingBillReason === null ? null : (
        <p className={styles.facts}>
          {phrase('reconciliation.missingBillReason')}: {missingBillReason}
        </p>
      )}
      <p className={styles.note}>
        {phrase('reconciliation.hash')} <CopyNumber value={hash} />
      </p>
      <Button loading={isAsked && check.isFetching} onClick={() => (isAsked ? void check.refetch() : setAsked(true))}>
        {phrase('reconciliation.check')}
      </Button>
      <div role="status" className={styles.check}>
        {check.data === undefined ? null : check.data.holds ? (
          <Alert type="success" title={phrase('reconciliation.holds')} />
        ) : (
          <Alert
            type="error"
            title={phrase('reconciliation.broken', {
              parts: check.data.broken.map((part) => phrase(`sealed-part.${part}`)).join(', '),
            })}
          />
        )}
      </div>
      {isAsked && check.error !== null ? <ErrorState failure={check.error} retry={() => void check.refetch()} /> : null}
    </section>
  );
}
