import {
  getSettlementPeriod,
  listSettledShares,
  listSettlementPeriods,
  type SettlementPeriod,
} from '@voltdeck/contract/settlements';
import type { SettlementPeriodId } from '@voltdeck/units/id';
import { subtractFen } from '@voltdeck/units/money';
import { Skeleton } from 'antd';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { isPlatform } from '../session/reach.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useSession } from '../session/session.ts';
import { useRecordId } from '../session/use-record-id.ts';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText, moneyText, nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import { useActs } from '../ui/list/use-acts.tsx';
import type { ListPageProps } from '../ui/list-page.ts';
import { useOfferedActs } from '../ui/offered-acts.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { settlementTones } from '../ui/state-colours.ts';
import { useTabTitle } from '../ui/tab-title.ts';
import { settlementActs } from './settlement-acts.tsx';
import styles from './settlements.module.css';

const { closeMany: _close, payOutMany: _payOut, ...actsOfOne } = settlementActs;

const look: ListPageProps<typeof listSettledShares>['look'] = {
  orderNumber: {
    widthPx: 220,
    isPinned: true,
    link: ({ orderId }) => place('orderListDetailHistory', { id: orderId }),
  },
  at: { widthPx: 168 },
  siteName: { widthPx: 160 },
  reason: { widthPx: 120, render: ({ reason }) => phrase(`share-reason.${reason}`) },
  amountFen: { isKeyFact: true },
  corrects: {
    widthPx: 200,
    link: ({ correctsPeriodId }) =>
      correctsPeriodId === null ? null : place('settlementDetail', { id: correctsPeriodId }),
  },
};

/** One settlement period with every share in it; /settlementDetail?id=. */
export default function SettlementPage() {
  const id = useRecordId<SettlementPeriodId>();
  if (id === null) {
    return (
      <EmptyState
        title={phrase('settlements.noSuch')}
        action={
          <ScreenLink screen="settlementList">
            {phrase('shell.backToList', { list: phrase('settlements.title') })}
          </ScreenLink>
        }
      />
    );
  }
  return <PeriodOf key={id} id={id} />;
}

function PeriodOf({ id }: { id: SettlementPeriodId }) {
  const answer = useAnswer(getSettlementPeriod, { params: { id } });
  useTabTitle(answer.data === undefined ? undefined : `${answer.data.partyName} ${answer.data.fromOn}`);
  const { actsOf, overlay } = useActs<SettlementPeriod>(
    actsOfOne,
    answer.data === undefined ? undefined : [answer.data],
    { list: listSettlementPeriods, one: getSettlementPeriod },
  );
  const acts = answer.data === undefined ? [] : actsOf(answer.data);
  useOfferedActs(acts.map((act) => ({ ...act, key: `settlement.${act.key}` })));
  if (answer.isPending) return <Skeleton active paragraph={{ rows: 6 }} className={styles.page ?? ''} />;
  if (answer.data === undefined) {
    const absent = {
      title: phrase('settlements.noSuch'),
      list: 'settlementList',
      listName: phrase('settlements.title'),
    } as const;
    return <ErrorState failure={answer.error} retry={() => void answer.refetch()} absent={absent} />;
  }
  const period = answer.data;
  return (
    <>
      <ListPage
        list={listSettledShares}
        title="settlements.sharesTitle"
        nameOf={({ orderNumber }) => orderNumber}
        isPart
        name="settled-shares-of-one"
        fixed={{ periodId: id }}
        filters={{ orderNumber: {} }}
        look={look}
        before={() => <Head period={period} acts={acts} />}
        empty={{ title: 'settlements.noShares' }}
      />
      {overlay}
    </>
  );
}

type RowActs = ReturnType<ReturnType<typeof useActs<SettlementPeriod>>['actsOf']>;

/** Whose it is, what it came to, and what can be done. */
function Head({ period, acts }: { period: SettlementPeriod; acts: RowActs }) {
  const { partyName, party, fromOn, toOn, state, closedAt, closedByName, paidOutAt, paidOutByName, failure } = period;
  // Others are not told who it was, so they are not told that it was nobody.
  const byNobody = isPlatform(useSession()) ? phrase('settlements.byItself') : null;
  const money = (fen: SettlementPeriod['netFen']) => (fen === null ? nothingText : moneyText(fen));
  const figures = [
    { label: 'settlements.orders', value: countText(period.orders) },
    { label: 'settlements.shares', value: moneyText(period.sharesFen) },
    { label: 'settlements.carriedIn', value: money(period.carriedInFen) },
    { label: 'settlements.net', value: money(period.netFen) },
    { label: 'settlements.paidOutAmount', value: money(period.paidOutFen) },
  ] as const;
  return (
    <section className={styles.head} aria-label={phrase('settlements.glance')}>
      <div className={styles.headLine}>
        <h1 className={styles.name}>{partyName}</h1>
        <StateTag tone={settlementTones[state]}>{phrase(`settlement-state.${state}`)}</StateTag>
        <div className={styles.acts}>
          {acts.map(({ key, label, danger, because, onClick }) => (
            <DisabledReason key={key} danger={danger} because={because} onClick={onClick}>
              {label}
            </DisabledReason>
          ))}
        </div>
      </div>
      <p className={styles.brief}>
        <span>{phrase(`settled-kind.${party}`)}</span>
        <span className="figure">
          {fromOn === toOn ? fromOn : phrase('settlements.fromTo', { from: fromOn, to: toOn })}
        </span>
        <span>{phrase(`settlement-cycle.${period.cycle}`)}</span>
        <span>{phrase(period.settlesItself ? 'settlements.byItself' : 'settlements.byHand')}</span>
        {closedAt === null ? null : (
          <span>
            {phrase('settlements.closedAt')} <Instant at={closedAt} /> {closedByName ?? byNobody}
          </span>
        )}
        {paidOutAt === null ? null : (
          <span>
            {phrase('settlements.paidOutAt')} <Instant at={paidOutAt} /> {paidOutByName ?? byNobody}
          </span>
        )}
      </p>
      <dl className={styles.figures}>
        {figures.map(({ label, value }) => (
          <div key={label}>
            <dt>{phrase(label)}</dt>
            <dd className="figure">{value}</dd>
          </div>
        ))}
      </dl>
      {period.restsInFen > 0 ? (
        <p className={styles.brief}>{phrase('settlements.restsIn', { amount: moneyText(period.restsInFen) })}</p>
      ) : null}
      <RestOf period={period} />
      {failure === null ? null : (
        <p className={styles.warning} role="status">
          {phrase('settlements.failedBecause', { failure })}
        </p>
      )}
    </section>
  );
}

/** What of the net was not paid out, and the period that carries it. */
function RestOf({ period }: { period: SettlementPeriod }) {
  const { netFen, paidOutFen, restPeriodId, restFromOn, restToOn } = period;
  if (netFen === null || paidOutFen === null || restPeriodId === null) return null;
  return (
    <p className={styles.brief}>
      <span>{phrase('settlements.rest', { amount: moneyText(subtractFen(netFen, paidOutFen)) })}</span>
      <ScreenLink screen="settlementDetail" query={{ id: restPeriodId }}>
        {phrase('settlements.fromTo', { from: restFromOn ?? '', to: restToOn ?? '' })}
      </ScreenLink>
    </p>
  );
}
