import { getDividedPlace } from '@voltdeck/contract/dividers';
import type { DividerId, SiteId, StationId } from '@voltdeck/units/id';
import { Button, Skeleton } from 'antd';
import { useAnswer } from '../api/queries.ts';
import { Refused } from '../api/refused.ts';
import { phrase } from '../phrases.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { percentText } from '../ui/figures.ts';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import styles from './dividers.module.css';

type Props = {
  dividerId: DividerId;
  siteId?: SiteId | undefined;
  stationId?: StationId | undefined;
  fromOn?: string | undefined;
  lastOn?: string | undefined;
  /** Also says what new terms may have at most. */
  hasRoom?: boolean;
};

type Rates = { electricityPercent: number; servicePercent: number; occupancyPercent: number };
const fees = ['electricity', 'service', 'occupancy'] as const;

/** Who shares at a place and how much is left to the holder, as an order there is divided. */
export function DividedHere({ dividerId, hasRoom = false, ...query }: Props) {
  const answer = useAnswer(getDividedPlace, { params: { id: dividerId }, query }, { keepPrevious: true, staleMs: 0 });
  if (answer.isPending) return <Skeleton active paragraph={{ rows: 2 }} />;
  if (answer.data === undefined) return <Unknown failure={answer.error} retry={() => void answer.refetch()} />;
  const { agentName, dividers, remainder, left } = answer.data;
  const holder = agentName ?? phrase('dividers.platform');
  const cells = (rates: Rates) =>
    fees.map((fee) => (
      <td key={fee} className={`figure ${styles.right}`}>
        {percentText(rates[`${fee}Percent`])}
      </td>
    ));
  return (
    <ScrollRegion label={phrase('dividers.divided')}>
      <table className={styles.divided}>
        <caption className="for-readers">{phrase('dividers.divided')}</caption>
        <thead>
          <tr>
            <th scope="col">{phrase('dividers.divider')}</th>
            {fees.map((fee) => (
              <th key={fee} scope="col" className={styles.right}>
                {phrase(`dividers.${fee}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {dividers.map((divider) => (
            <tr key={divider.id} {...(divider.id === dividerId ? { className: styles.own } : {})}>
              <th scope="row">{divider.name}</th>
              {cells(divider)}
            </tr>
          ))}
          <tr className={styles.remainder}>
            <th scope="row">{phrase('dividers.remainder', { holder })}</th>
            {cells(remainder)}
          </tr>
          {hasRoom ? (
            <tr>
              <th scope="row">
                {phrase('dividers.left')}
                <small>{phrase('dividers.leftHint')}</small>
              </th>
              {cells(left)}
            </tr>
          ) : null}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** The place is not the holder's, perhaps since a moment ago, or could not be read. */
function Unknown({ failure, retry }: { failure: unknown; retry: () => void }) {
  if (!(failure instanceof Refused && failure.code === 'record.not_found')) {
    return <ErrorState failure={failure} title={phrase('dividers.dividedFailed')} retry={retry} />;
  }
  return (
    <div role="alert">
      <p className={styles.warning}>{phrase('dividers.notOfHolder')}</p>
      <Button onClick={retry}>{phrase('shell.retry')}</Button>
    </div>
  );
}
