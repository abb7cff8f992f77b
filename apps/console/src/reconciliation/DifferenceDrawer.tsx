import { getReconciliationDifference, type ReconciliationDifference } from '@voltdeck/contract/reconciliation';
import type { ReconciliationDifferenceId } from '@voltdeck/units/id';
import { Alert, Drawer, Skeleton } from 'antd';
import { Link } from 'react-router';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { to } from '../session/to.ts';
import { useMayGo } from '../session/use-go.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { energyText, moneyText, nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import styles from './reconciliation.module.css';
import { numberOf, recordPlace } from './record-place.ts';
import { differenceTones } from './tones.ts';

const widthPx = 640;

type Props = { id: ReconciliationDifferenceId; open: boolean; onClose: () => void };

/** One difference: what to do, both sides, the records behind it, and who dealt with it. */
export default function DifferenceDrawer({ id, open, onClose }: Props) {
  const answer = useAnswer(getReconciliationDifference, { params: { id } }, { enabled: open });
  return (
    <Drawer
      title={
        answer.data === undefined
          ? phrase('reconciliation.difference')
          : `${phrase(`difference-kind.${answer.data.kind}`)} ${numberOf(answer.data)}`
      }
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
        <Shown difference={answer.data} />
      )}
    </Drawer>
  );
}

function Shown({ difference }: { difference: ReconciliationDifference }) {
  const { state, repair, day, counterpart, otherDay } = difference;
  return (
    <>
      <p className={styles.facts}>
        <StateTag tone={differenceTones[state]}>{phrase(`difference-state.${state}`)}</StateTag>
        <span>
          {day} · {phrase(`counterpart.${counterpart}`)}
        </span>
        {otherDay === null ? null : (
          <span>
            {phrase('reconciliation.otherDay')} {otherDay}
          </span>
        )}
      </p>
      <Alert
        type={state === 'open' || state === 'taken' ? 'warning' : 'info'}
        title={phrase(`repair.${repair}`)}
        description={phrase(`repair-how.${repair}`)}
      />
      <h3 className={styles.head}>{phrase('reconciliation.bothSides')}</h3>
      <BothSides difference={difference} />
      <Records difference={difference} />
      <h3 className={styles.head}>{phrase('reconciliation.history')}</h3>
      <History difference={difference} />
    </>
  );
}

function BothSides({ difference }: { difference: ReconciliationDifference }) {
  const { ourFen, theirFen, ourWh, theirWh, ourAt, theirAt, number, thirdPartyNumber } = difference;
  const isOfEnergy = difference.counterpart === 'meters';
  const amount = (fen: number | null) => (fen === null ? nothingText : moneyText(fen));
  const energy = (wh: number | null) => (wh === null ? nothingText : energyText(wh));
  return (
    <ScrollRegion label={phrase('reconciliation.bothSides')}>
      <table className={styles.table}>
        <thead>
          <tr>
            <td />
            <th scope="col">{phrase('reconciliation.ours')}</th>
            <th scope="col">{phrase(`counterpart.${difference.counterpart}`)}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{phrase(isOfEnergy ? 'reconciliation.energy' : 'reconciliation.amount')}</th>
            <td className="figure">{isOfEnergy ? energy(ourWh) : amount(ourFen)}</td>
            <td className="figure">{isOfEnergy ? energy(theirWh) : amount(theirFen)}</td>
          </tr>
          <tr>
            <th scope="row">{phrase('reconciliation.time')}</th>
            <td>{ourAt === null ? nothingText : <Instant at={ourAt} exact />}</td>
            <td>{theirAt === null ? nothingText : <Instant at={theirAt} exact />}</td>
          </tr>
          <tr>
            <th scope="row">{phrase('reconciliation.number')}</th>
            <td>{number === null ? nothingText : <CopyNumber value={number} />}</td>
            <td>{thirdPartyNumber === null ? nothingText : <CopyNumber value={thirdPartyNumber} />}</td>
          </tr>
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function Records({ difference }: { difference: ReconciliationDifference }) {
  const mayGo = useMayGo();
  const { orderId } = difference;
  const record = recordPlace(difference);
  return (
    <p className={styles.facts}>
      {record === null || !mayGo(record.screen) ? null : (
        <Link to={record.address}>
          {phrase(orderId === null ? 'reconciliation.payment' : 'reconciliation.order')} {difference.number}
        </Link>
      )}
      {orderId === null || !mayGo('deviceLogCharging') ? null : (
        <Link to={to('deviceLogCharging', { orderId })}>{phrase('reconciliation.log')}</Link>
      )}
    </p>
  );
}

function History({ difference }: { difference: ReconciliationDifference }) {
  const { foundAt, takenAt, takenByName, endedAt, endedByName, outcome, reason } = difference;
  return (
    <ul className={styles.history}>
      <li>
        <Instant at={foundAt} exact /> {phrase('reconciliation.wasFound')}
      </li>
      {takenAt === null ? null : (
        <li>
          <Instant at={takenAt} exact /> {phrase('reconciliation.wasTaken', { name: takenByName ?? '' })}
        </li>
      )}
      {endedAt === null ? null : (
        <li>
          <Instant at={endedAt} exact />{' '}
          {outcome === null
            ? phrase('reconciliation.endedByItself')
            : phrase('reconciliation.wasEnded', {
                name: endedByName ?? '',
                outcome: phrase(`difference-outcome.${outcome}`),
              })}
          {reason === null ? null : <div className={styles.reason}>{reason}</div>}
        </li>
      )}
    </ul>
  );
}
