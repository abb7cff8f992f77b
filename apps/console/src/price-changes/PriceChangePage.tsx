import {
  getPriceChange,
  listPriceChangeStations,
  listPriceChanges,
  type PriceChange,
  type PriceChangeStation,
  priceChangeStationStates,
  removePriceChangeStations,
  retryPriceChange,
} from '@voltdeck/contract/price-changes';
import type { PriceChangeId } from '@voltdeck/units/id';
import { Skeleton } from 'antd';
import { call } from '../api/call.ts';
import { useConsoleEvents } from '../api/events.ts';
import { usePaced } from '../api/paced.ts';
import { useAnswer, useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useRecordId } from '../session/use-record-id.ts';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import { useActs } from '../ui/list/use-acts.tsx';
import { asking } from '../ui/list/usual-acts.ts';
import type { Acts, ListPageProps } from '../ui/list-page.ts';
import { useOfferedActs } from '../ui/offered-acts.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { onlineTone } from '../ui/state-colours.ts';
import { useTabTitle } from '../ui/tab-title.ts';
import { priceChangeActs } from './price-change-acts.ts';
import { priceChangeStationTones, priceChangeTones, reasonText } from './price-change-words.ts';
import styles from './price-changes.module.css';

/** Minimum interval between fetches while stations take the change. */
const askGapMs = 2_000;

/** One price change and what became of each of its stations, live; /rules/change?id=. */
export default function PriceChangePage() {
  const id = useRecordId<PriceChangeId>();
  if (id === null) return <NoPriceChange />;
  return <PriceChangeOf key={id} id={id} />;
}

function NoPriceChange() {
  return (
    <EmptyState
      title={phrase('priceChanges.notFound')}
      text={phrase('priceChanges.notFoundText')}
      action={
        <ScreenLink screen="priceChangeList">
          {phrase('shell.backToList', { list: phrase('priceChanges.title') })}
        </ScreenLink>
      }
    />
  );
}

const look: ListPageProps<typeof listPriceChangeStations>['look'] = {
  stationNumber: {
    widthPx: 200,
    isPinned: true,
    // One that now belongs to somebody else has no page here.
    link: ({ stationId, stationName }) => (stationName === null ? null : place('deviceDetail', { id: stationId })),
  },
  state: {
    widthPx: 320,
    isKeyFact: true,
    render: (row) => (
      <span className={styles.state}>
        <StateTag tone={priceChangeStationTones[row.state]}>
          {phrase(`price-change-station-state.${row.state}`)}
        </StateTag>
        <span className={styles.reason}>{reasonText(row)}</span>
      </span>
    ),
  },
  reason: { isHidden: true, text: reasonText },
  online: { tone: ({ online }) => (online === null ? null : onlineTone(online)) },
  siteName: { widthPx: 180 },
};

const acts: Acts<PriceChangeStation> = {
  retry: asking<PriceChangeStation>({
    label: 'priceChanges.retry',
    may: 'price_change.edit',
    isFor: ({ state }) => state === 'refused' || state === 'offline',
    question: ({ stationNumber }) => phrase('priceChanges.retryOneQuestion', { number: stationNumber }),
    details: 'priceChanges.retryText',
    act: ({ priceChangeId, stationId }, idempotencyKey) =>
      call(retryPriceChange, { params: { id: priceChangeId }, body: { stationIds: [stationId] }, idempotencyKey }),
    told: () => phrase('priceChanges.retried'),
    changes: [getPriceChange, listPriceChanges],
  }),
  remove: asking<PriceChangeStation>({
    label: 'priceChanges.remove',
    may: 'price_change.edit',
    danger: true,
    isFor: ({ state, appliedAt }) => state === 'waiting' && appliedAt === null,
    question: ({ stationNumber }) => phrase('priceChanges.removeQuestion', { number: stationNumber }),
    details: 'priceChanges.removeText',
    act: ({ priceChangeId, stationId }, idempotencyKey) =>
      call(removePriceChangeStations, {
        params: { id: priceChangeId },
        body: { stationIds: [stationId] },
        idempotencyKey,
      }),
    told: ({ stationNumber }) => phrase('priceChanges.removed', { number: stationNumber }),
    changes: [getPriceChange, listPriceChanges],
  }),
};

function PriceChangeOf({ id }: { id: PriceChangeId }) {
  const answer = useAnswer(getPriceChange, { params: { id } });
  const refresh = useRefresh();
  const askAgain = usePaced(() => void refresh(getPriceChange, listPriceChangeStations), askGapMs);
  const isSettled = answer.data === undefined || answer.data.state === 'done' || answer.data.state === 'cancelled';
  useConsoleEvents('price-change-changed', (event) => {
    if (event.priceChangeId === id) askAgain();
  });
  // Events do not say which stations belong here, so the page refetches at most every two seconds.
  useConsoleEvents('station-changed', () => {
    if (!isSettled) askAgain();
  });
  useConsoleEvents('missed', askAgain);
  useTabTitle(answer.data?.name);
  if (answer.isPending) {
    return (
      <div className={styles.page}>
        <Skeleton active paragraph={{ rows: 6 }} />
      </div>
    );
  }
  if (answer.data === undefined) {
    const absent = {
      title: phrase('priceChanges.notFound'),
      list: 'priceChangeList',
      listName: phrase('priceChanges.title'),
    } as const;
    return <ErrorState failure={answer.error} retry={() => void answer.refetch()} absent={absent} />;
  }
  const change = answer.data;
  return (
    <ListPage
      list={listPriceChangeStations}
      title="priceChanges.rowsTitle"
      nameOf={({ stationNumber }) => stationNumber}
      isPart
      name="price-change-stations-of-one"
      fixed={{ priceChangeId: id }}
      filters={{ state: {}, stationNumber: {}, protocol: {} }}
      look={look}
      acts={acts}
      before={() => <PriceChangeHead change={change} />}
      empty={{ title: 'priceChanges.noRows' }}
    />
  );
}

/** What it changes and when, and how its stations fared. */
function PriceChangeHead({ change }: { change: PriceChange }) {
  const { actsOf } = useActs(priceChangeActs, undefined, { list: listPriceChanges });
  const acts = actsOf(change);
  useOfferedActs(acts.map((act) => ({ ...act, key: `price-change.${act.key}` })));
  return (
    <section className={styles.head} aria-label={phrase('priceChanges.glance')}>
      <div className={styles.headLine}>
        <h1 className={styles.name}>{change.name}</h1>
        <StateTag tone={priceChangeTones[change.state]}>{phrase(`price-change-state.${change.state}`)}</StateTag>
        <div className={styles.acts}>
          {acts.map(({ key, label, danger, because, onClick }) => (
            <DisabledReason key={key} danger={danger} because={because} onClick={onClick}>
              {label}
            </DisabledReason>
          ))}
        </div>
      </div>
      <p className={styles.facts}>
        <span>
          {phrase('priceChanges.rule')} {change.ruleName}
        </span>
        <span>
          {phrase('priceChanges.slots')} {phrase(`price-change-slots.${change.slots}`)}
        </span>
        <span>
          {phrase('priceChanges.effectiveAt')} <Instant at={change.effectiveAt} />
        </span>
        {change.appliedAt === null ? null : (
          <span>
            {phrase('priceChanges.appliedAt')} <Instant at={change.appliedAt} />
          </span>
        )}
        {change.createdBy === null ? null : (
          <span>
            {phrase('priceChanges.createdBy')} {change.createdBy}
          </span>
        )}
        {change.remark === '' ? null : <span>{change.remark}</span>}
      </p>
      <ul className={styles.counts}>
        {priceChangeStationStates
          .filter((state) => change.tally[state] > 0)
          .map((state) => (
            <li key={state}>
              <StateTag tone={priceChangeStationTones[state]}>{phrase(`price-change-station-state.${state}`)}</StateTag>{' '}
              <span className="figure">{countText(change.tally[state])}</span>
            </li>
          ))}
      </ul>
    </section>
  );
}
