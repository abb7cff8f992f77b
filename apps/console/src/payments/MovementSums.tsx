import { getMovementSums, type listMovements, summedMovementsMax } from '@voltdeck/contract/movements';
import { useSearchParams } from 'react-router';
import type { CallInput } from '../api/call.ts';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useSession } from '../session/session.ts';
import { countText, moneyText } from '../ui/figures.ts';
import { filtersOf } from '../ui/list/filters-of.ts';
import { readListState } from '../ui/list/list-query.ts';
import type { Filters } from '../ui/list-page.ts';
import styles from './movement-sums.module.css';

type Props = { list: typeof listMovements; filters: Filters<typeof listMovements> };

/** What the filtered movements come to, type by type, paid money and gifts together. */
export function MovementSums({ list, filters }: Props) {
  const session = useSession();
  const [search] = useSearchParams();
  const { values } = readListState(search, filtersOf(list, filters, session), []);
  const input = { query: values } as unknown as CallInput<typeof getMovementSums>;
  const { data, isPlaceholderData } = useAnswer(getMovementSums, input, { keepPrevious: true });
  if (data === undefined) return null;
  if (data.sums === null) {
    return <p className={styles.said}>{phrase('movements.sumsTooMany', { max: countText(summedMovementsMax) })}</p>;
  }
  if (data.sums.length === 0) return null;
  return (
    <dl className={styles.sums} aria-label={phrase('movements.sums')} data-old={isPlaceholderData}>
      {data.sums.map(({ type, count, paidFen, giftFen }) => (
        <div key={type}>
          <dt>
            {phrase(`movement-type.${type}`)} · {phrase('movements.sumsCount', { count: countText(count) })}
          </dt>
          <dd className="figure">{moneyText(paidFen + giftFen)}</dd>
        </div>
      ))}
    </dl>
  );
}
