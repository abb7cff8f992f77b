import { orderStates } from '@voltdeck/charging/states';
import { type AbnormalOrder, listAbnormalOrders } from '@voltdeck/contract/abnormal-orders';
import { evidenceLines } from '@voltdeck/contract/flag-evidence';
import { getOrder } from '@voltdeck/contract/orders';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { listScreen } from '../ui/list-screen.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { acceptance, flaggedActs } from './abnormal-acts.tsx';
import { FlagList } from './FlagList.tsx';
import { orderFilters, orderLook } from './order-list.tsx';
import styles from './order-lists.module.css';
import { sayEvidence } from './say-evidence.ts';

const { abnormal: _, ...furtherFilters } = orderFilters(orderStates);
const filters: Filters<typeof listAbnormalOrders> = {
  handled: { words: ['abnormal.handledOnly', 'abnormal.unhandledOnly'] },
  rule: { title: 'abnormal.rule', words: 'abnormal-rule' },
  from: { title: 'orders.periodFilter', which: { name: 'time', words: 'orders.timeKind' } },
  ...furtherFilters,
  waitsFor: { title: 'orders.waitsFor', words: 'settlement-wait' },
  paymentState: {},
};

/** A chip for each rule, pale once a person has dealt with it. */
function Rules({ flags }: AbnormalOrder) {
  return (
    <span className={styles.rules}>
      {flags.map(({ rule, handled }) => (
        <StateTag key={rule} tone={handled === null ? 'fault' : 'offline'}>
          {phrase(`abnormal-rule.${rule}`)}
        </StateTag>
      ))}
    </span>
  );
}

/** What the rules saw, in two lines: without its end most of it says nothing. */
function Evidence({ flags }: AbnormalOrder) {
  const said = evidenceLines(flags, sayEvidence).join(' · ');
  return (
    <span className={styles.evidence} title={said}>
      {said}
    </span>
  );
}

const { duration, number, startedAt, endedAt, ...further } = orderLook('orderListDetailAbnormal');
const look: ListPageProps<typeof listAbnormalOrders>['look'] = {
  ...further,
  // Every row is flagged, so none is marked.
  number: {
    ...number,
    widthPx: 220,
    render: undefined,
    link: ({ id }) => place('orderListDetailAbnormal', { id }),
  },
  duration: { ...duration, isKeyFact: undefined, isHidden: true },
  flaggedBecause: { widthPx: 168, isKeyFact: true, render: (order) => <Rules {...order} /> },
  evidence: { widthPx: 248, isKeyFact: true, render: (order) => <Evidence {...order} /> },
  atStakeFen: { widthPx: 104, isKeyFact: true },
  unhandledSince: { widthPx: 144, isKeyFact: true },
  startedAt: { ...startedAt, isHidden: true },
  endedAt,
  handled: { tone: ({ unhandled }) => (unhandled ? 'occupied' : 'offline') },
  handledReason: { widthPx: 200, isHidden: true },
  startMode: { isHidden: true },
  paidFen: { isHidden: true },
  refundedFen: { isHidden: true },
  paymentType: { isHidden: true },
  stopReason: { isHidden: true },
};

const acts: Acts<AbnormalOrder> = { ...flaggedActs<AbnormalOrder>(), ...acceptance };

/** Orders that a rule flagged and that nobody has dealt with yet, with what speaks for each; /orderListAbnormal. */
export default function AbnormalOrderListPage() {
  return (
    <ListPage
      list={listAbnormalOrders}
      screen={listScreen('orders-abnormal')}
      title="abnormal.title"
      record="orders.order"
      filters={filters}
      initially={() => ({ handled: 'false' })}
      hasGroups
      look={look}
      acts={acts}
      details={({ flags }) => <FlagList flags={flags} />}
      one={getOrder}
      empty={{
        title: 'abnormal.empty',
        text: 'abnormal.emptyText',
        next: { label: 'abnormal.toHistory', place: place('orderListHistory') },
      }}
    />
  );
}
