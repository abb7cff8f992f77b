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
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import styles from './movement-sums.module.css';

type Props = {
  list: typeof listMovements;
  filters: Filters<typeof listMovements>;
  /** Always part of the query, as in the list. */
  fixed?: Readonly<Record<string, unknown>>;
};

/** What the filtered movements come to, type by type, paid money and gifts together. */
export function MovementSums({ list, filters, fixed = {} }: Props) {
  const session = useSession();
  const [search] = useSearchParams();
  const { values } = readListState(search, filtersOf(list, filters, session), []);
  const input = { query: { ...values, ...fixed } } as unknown as CallInput<typeof getMovementSums>;
  const { data, isError, isPlaceholderData } = useAnswer(getMovementSums, input, { keepPrevious: true });
  const said = isError ? phrase('list.sumsFailed') : data && whyNone(data.sums);
  // One height whatever it says, so that the list below stays in its place.
  return (
    <ScrollRegion label={phrase('movements.sums')} className={styles.strip}>
      {said !== undefined ? (
        <p className={styles.said}>{said}</p>
      ) : (
        <dl className={styles.sums} aria-busy={data === undefined} data-old={isPlaceholderData}>
          {data === undefined ? (
            <div>
              <dt>{phrase('movements.sums')}</dt>
              <dd className={styles.bone} />
            </div>
          ) : (
            data.sums?.map(({ type, count, paidFen, giftFen }) => (
              <div key={type}>
                <dt>
                  {phrase(`movement-type.${type}`)} · {phrase('movements.sumsCount', { count: countText(count) })}
                </dt>
                <dd className="figure">{moneyText(paidFen + giftFen)}</dd>
              </div>
            ))
          )}
        </dl>
      )}
    </ScrollRegion>
  );
}

function whyNone(sums: readonly unknown[] | null): string | undefined {
  if (sums === null) return phrase('movements.sumsTooMany', { max: countText(summedMovementsMax) });
  return sums.length === 0 ? phrase('movements.sumsNone') : undefined;
}
