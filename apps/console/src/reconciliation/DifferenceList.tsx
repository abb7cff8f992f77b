import {
  askAboutReconciliationDifference,
  getReconciliationDay,
  getReconciliationDifference,
  isDifferenceOpen,
  listReconciliationDays,
  listReconciliationDifferences,
  type ReconciliationDifference,
  takeReconciliationDifference,
} from '@voltdeck/contract/reconciliation';
import type { ReactNode } from 'react';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { auditOf, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { numberOf, recordPlace } from './record-place.ts';
import { differenceTones } from './tones.ts';

/** Lazy: most visits to a list never open them. */
const DifferenceDrawer = lazyPart(() => import('./DifferenceDrawer.tsx'));
const EndDifferenceForm = lazyPart(() => import('./EndDifferenceForm.tsx'));

const filters: Filters<typeof listReconciliationDifferences> = {
  state: {},
  counterpart: {},
  kind: {},
  number: {},
  from: { title: 'reconciliation.period' },
  mine: { title: 'reconciliation.mine', words: ['reconciliation.mineYes', 'reconciliation.mineNo'] },
  day: {},
};

const look: ListPageProps<typeof listReconciliationDifferences>['look'] = {
  number: { widthPx: 208, isPinned: true, opens: 'difference', text: numberOf },
  day: { widthPx: 104 },
  counterpart: { widthPx: 104 },
  kind: { widthPx: 120, isKeyFact: true },
  subject: { widthPx: 88 },
  ourFen: { widthPx: 104, isKeyFact: true },
  theirFen: { widthPx: 104, isKeyFact: true },
  ourWh: { widthPx: 112 },
  theirWh: { widthPx: 112 },
  repair: { widthPx: 256 },
  state: { widthPx: 104, tone: ({ state }) => differenceTones[state] },
  takenByName: { widthPx: 104 },
  takenAt: { isHidden: true },
  otherDay: { widthPx: 112 },
  ourAt: { isHidden: true },
  theirAt: { isHidden: true },
  thirdPartyNumber: { isHidden: true },
  outcome: { isHidden: true },
  reason: { isHidden: true },
  endedByName: { isHidden: true },
  endedAt: { isHidden: true },
  foundAt: { isHidden: true },
};

const whyNot = ({ state, isSealed }: ReconciliationDifference) => {
  if (isSealed) return phrase('reconciliation.whySealed');
  return isDifferenceOpen(state) ? undefined : phrase('reconciliation.whyOver');
};
const changes = [getReconciliationDifference, listReconciliationDays, getReconciliationDay];
const may = 'reconciliation.repair';

const acts: Acts<ReconciliationDifference> = {
  difference: {
    on: 'row',
    label: 'reconciliation.show',
    isQuiet: true,
    overlay: ({ id }, { open, close }) => <DifferenceDrawer id={id} open={open} onClose={close} />,
  },
  take: {
    on: 'row',
    label: ({ state }) => (state === 'taken' ? 'reconciliation.takeOver' : 'reconciliation.take'),
    may,
    because: whyNot,
    deed: (row) => ({
      ...(row.state === 'taken'
        ? {
            ask: {
              question: phrase('reconciliation.takeOverQuestion', { name: row.takenByName ?? '' }),
              verb: phrase('reconciliation.takeOver'),
            },
          }
        : {}),
      do: async (idempotencyKey) => {
        await call(takeReconciliationDifference, { params: { id: row.id }, idempotencyKey });
        return phrase('reconciliation.tookIt', { number: numberOf(row) });
      },
    }),
    changes,
  },
  end: {
    on: 'row',
    label: 'reconciliation.end',
    may,
    because: whyNot,
    overlay: (difference, over) => (
      <EndDifferenceForm
        difference={difference}
        {...formIn(over, (ended: ReconciliationDifference) =>
          phrase('reconciliation.endedNow', { number: numberOf(ended) }),
        )}
      />
    ),
  },
  ask: {
    on: 'row',
    label: 'reconciliation.ask',
    may,
    isFor: ({ isAskable }) => isAskable,
    because: whyNot,
    deed: (row) => ({
      ask: {
        question: phrase('reconciliation.askQuestion', { number: numberOf(row) }),
        details: phrase('reconciliation.askDetails'),
        verb: phrase('reconciliation.ask'),
      },
      do: async (idempotencyKey) => {
        const asked = await call(askAboutReconciliationDifference, { params: { id: row.id }, idempotencyKey });
        const number = numberOf(row);
        return isDifferenceOpen(asked.state)
          ? { warning: phrase('reconciliation.askedStill', { number }) }
          : phrase('reconciliation.askedOver', { number });
      },
    }),
    changes,
  },
  record: {
    on: 'row',
    label: ({ orderId }) => (orderId === null ? 'reconciliation.payment' : 'reconciliation.order'),
    isFor: (row) => recordPlace(row) !== null,
    leads: (row) => recordPlace(row) ?? place('reconciliationList', { view: 'differences' }),
  },
  log: {
    on: 'row',
    label: 'reconciliation.log',
    isFor: ({ orderId }) => orderId !== null,
    leads: ({ orderId }) => place('deviceLogCharging', orderId === null ? {} : { orderId }),
  },
  audit: auditOf('reconciliation_difference'),
};

/** Every difference of every day; at first those that nobody has dealt with. */
export function DifferenceList({ tools }: { tools: ReactNode }) {
  return (
    <ListPage
      key="differences"
      list={listReconciliationDifferences}
      title="reconciliation.differences"
      record="reconciliation.difference"
      nameOf={(row) => `${phrase('reconciliation.difference')} ${numberOf(row)}`}
      filters={filters}
      initially={() => ({ state: 'open,taken' })}
      look={look}
      acts={acts}
      one={getReconciliationDifference}
      tools={tools}
      empty={{ title: 'reconciliation.differencesEmpty', text: 'reconciliation.differencesEmptyText' }}
    />
  );
}
