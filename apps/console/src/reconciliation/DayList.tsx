import {
  getReconciliationDay,
  listReconciliationDays,
  listReconciliationDifferences,
  type ReconciliationDay,
  type ReconciliationState,
  runReconciliation,
  sealReconciliationDay,
} from '@voltdeck/contract/reconciliation';
import type { ReactNode } from 'react';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { countText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { asking, auditOf, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import type { Tone } from '../ui/state-colours.ts';
import { dayTones, reconciliationTones } from './tones.ts';

/** Lazy: most visits to a list never open them. */
const DayDrawer = lazyPart(() => import('./DayDrawer.tsx'));
const SealWithoutBillForm = lazyPart(() => import('./SealWithoutBillForm.tsx'));

const filters: Filters<typeof listReconciliationDays> = {
  from: { title: 'reconciliation.period' },
  sealed: { title: 'reconciliation.sealed', words: ['reconciliation.sealedYes', 'reconciliation.sealedNo'] },
};

const toneOf =
  (counterpart: string) =>
  ({ parts }: ReconciliationDay): Tone | null => {
    const state: ReconciliationState | undefined = parts.find((part) => part.counterpart === counterpart)?.state;
    return state === undefined ? null : reconciliationTones[state];
  };

const look: ListPageProps<typeof listReconciliationDays>['look'] = {
  day: { widthPx: 120, isPinned: true, opens: 'day' },
  state: { widthPx: 120, tone: ({ state }) => dayTones[state], isKeyFact: true },
  openCount: {
    widthPx: 96,
    isKeyFact: true,
    link: ({ day, openCount }) => (openCount === 0 ? null : place('reconciliationList', { view: 'differences', day })),
  },
  wechat: { widthPx: 112, tone: toneOf('wechat') },
  alipay: { widthPx: 112, tone: toneOf('alipay') },
  embedded: { widthPx: 112, tone: toneOf('embedded') },
  meters: { widthPx: 112, tone: toneOf('meters') },
  ledger: { widthPx: 112, tone: toneOf('ledger') },
  sealedByName: { widthPx: 112 },
};

const whySealed = ({ state }: ReconciliationDay) =>
  state === 'sealed' ? phrase('reconciliation.whySealed') : undefined;
const whyNotSealable = (day: ReconciliationDay) => {
  if (day.openCount > 0) return phrase('reconciliation.whyNotOpen', { count: countText(day.openCount) });
  return day.state === 'waiting' && !day.isBillGivenUp ? phrase('reconciliation.whyNotWaiting') : whySealed(day);
};
const lacksBill = ({ parts, state }: ReconciliationDay) =>
  state !== 'sealed' && parts.some((part) => part.state === 'waiting');
const changes = [getReconciliationDay, listReconciliationDifferences];

const acts: Acts<ReconciliationDay> = {
  day: {
    on: 'row',
    label: 'reconciliation.show',
    isQuiet: true,
    overlay: ({ day }, { open, close }) => <DayDrawer day={day} open={open} onClose={close} />,
  },
  differences: {
    on: 'row',
    label: 'reconciliation.showDifferences',
    leads: ({ day }) => place('reconciliationList', { view: 'differences', day }),
  },
  seal: asking({
    label: 'reconciliation.seal',
    may: 'reconciliation.seal',
    isFor: (day) => !lacksBill(day),
    because: whyNotSealable,
    question: ({ day }) => phrase('reconciliation.sealQuestion', { day }),
    details: ({ parts }) =>
      phrase('reconciliation.sealDetails', {
        matched: countText(parts.reduce((sum, { matchedCount }) => sum + matchedCount, 0)),
      }),
    act: ({ day }, idempotencyKey) => call(sealReconciliationDay, { params: { day }, body: {}, idempotencyKey }),
    told: ({ day }) => phrase('reconciliation.sealedNow', { day }),
    changes,
  }),
  sealWithoutBill: {
    on: 'row',
    label: 'reconciliation.seal',
    may: 'reconciliation.seal',
    isFor: lacksBill,
    because: whyNotSealable,
    overlay: (day, over) => (
      <SealWithoutBillForm day={day} {...formIn(over, () => phrase('reconciliation.sealedNow', { day: day.day }))} />
    ),
  },
  run: {
    on: 'row',
    label: 'reconciliation.run',
    may: 'reconciliation.run',
    because: whySealed,
    deed: ({ day }) => ({
      do: async (idempotencyKey) => {
        await call(runReconciliation, { params: { day }, idempotencyKey });
        return phrase('reconciliation.ran', { day });
      },
    }),
    changes,
  },
  audit: auditOf('reconciliation_day'),
};

/** Days with the state of each comparison. */
export function DayList({ tools }: { tools: ReactNode }) {
  return (
    <ListPage
      key="days"
      list={listReconciliationDays}
      title="reconciliation.title"
      record="reconciliation.dayRecord"
      filters={filters}
      look={look}
      acts={acts}
      tools={tools}
      empty={{ title: 'reconciliation.daysEmpty', text: 'reconciliation.daysEmptyText' }}
    />
  );
}
