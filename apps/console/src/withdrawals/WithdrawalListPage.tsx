import { idParameter } from '@voltdeck/contract/fields';
import {
  getWithdrawal,
  listWithdrawals,
  retryWithdrawal,
  reviewsMax,
  reviewWithdrawal,
  reviewWithdrawals,
  type Withdrawal,
} from '@voltdeck/contract/withdrawals';
import { addFen, fen } from '@voltdeck/units/money';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { moneyText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { approvalOf, whyActWaits } from '../ui/list/act-waits.ts';
import { givenValues, type Taking } from '../ui/list/given-values.ts';
import { asking, askingMany, auditOf, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { withdrawalTones } from '../ui/state-colours.ts';
import { isByChannel, outcomesOf, payeeOf } from './withdrawal-words.ts';

/** Lazy: most visits to a list never open it. */
const WithdrawalFormDrawer = lazyPart(() => import('./WithdrawalFormDrawer.tsx'));
const RejectWithdrawalsForm = lazyPart(() => import('./RejectWithdrawalsForm.tsx'));
const PayByHandForm = lazyPart(() => import('./PayByHandForm.tsx'));
const StateOutcomeForm = lazyPart(() => import('./StateOutcomeForm.tsx'));

const filters: Filters<typeof listWithdrawals> = {
  state: {},
  number: {},
  phone: { title: 'withdrawals.phone' },
  way: {},
  attention: {},
  from: { title: 'withdrawals.appliedAt' },
  customerId: { title: 'withdrawals.customer' },
};

function stateOf({ state, waits, awaitsPayee }: Withdrawal): string {
  if (state === 'waiting' && waits.length > 0) return phrase('withdrawals.waitsForApproval');
  if (state === 'in_review' && awaitsPayee) return phrase('withdrawals.awaitsPayee');
  return phrase(`withdrawal-state.${state}`);
}

const look: ListPageProps<typeof listWithdrawals>['look'] = {
  number: { widthPx: 220, isPinned: true },
  customerPhone: { widthPx: 136, link: ({ customerId }) => place('chongzhiRecods', { customerId }) },
  nickname: { widthPx: 104 },
  state: {
    widthPx: 128,
    render: (row) => <StateTag tone={withdrawalTones[row.state]}>{stateOf(row)}</StateTag>,
  },
  amountFen: { widthPx: 104, isKeyFact: true },
  giftFen: { widthPx: 104 },
  payoutFen: { widthPx: 104 },
  payeeAccount: { widthPx: 196 },
  failure: { widthPx: 220 },
  attention: { widthPx: 220 },
  feeFen: { isHidden: true },
  receipt: { isHidden: true },
  remark: { widthPx: 200, isKeyFact: true },
  waits: { widthPx: 216, link: approvalOf },
};

const takes: Taking<'refund', 'add'> = { customerId: idParameter<'customer'>() };

const moneyOf = ({ amountFen, feeFen, payoutFen }: Withdrawal) => ({
  amount: moneyText(amountFen),
  fee: moneyText(feeFen),
  payout: moneyText(payoutFen),
});
const whyNotPass = (row: Withdrawal) =>
  row.state === 'waiting' ? whyActWaits('withdrawal', row) : phrase('withdrawals.notWaiting');
const isRejectable = (row: Withdrawal) => row.state === 'waiting' || (row.frozen && !isUnderWay(row));
/** The channel has been asked and may still pay it. */
const isUnderWay = ({ state, way }: Withdrawal) => state === 'in_review' && isByChannel(way);
const sumOf = (rows: readonly Withdrawal[], of: 'amountFen' | 'payoutFen') =>
  moneyText(addFen(fen(0), ...rows.map((row) => row[of])));

const whyNotAll = (rows: readonly Withdrawal[]) => {
  if (rows.length > reviewsMax) return phrase('withdrawals.tooMany', { max: reviewsMax });
  return rows.every(({ state }) => state === 'waiting') ? undefined : phrase('withdrawals.notWaiting');
};

const acts: Acts<Withdrawal> = {
  add: {
    on: 'list',
    label: 'withdrawals.add',
    may: 'withdrawal.create',
    overlay: (over) => (
      <WithdrawalFormDrawer
        given={givenValues(takes, over.given)}
        {...formIn(over, ({ number }: Withdrawal) => phrase('withdrawals.applied', { number }))}
      />
    ),
  },
  pass: asking({
    label: 'withdrawals.pass',
    may: 'withdrawal.review',
    because: whyNotPass,
    question: ({ number }) => phrase('withdrawals.passQuestion', { number }),
    details: (row) => {
      const details = phrase('withdrawals.passDetails', {
        ...moneyOf(row),
        name: payeeOf(row),
        way: phrase(`withdrawal-way.${row.way}`),
      });
      return isByChannel(row.way) ? details : `${details} ${phrase('withdrawals.passByHand')}`;
    },
    act: ({ id }, idempotencyKey) =>
      call(reviewWithdrawal, { params: { id }, body: { decision: 'pass' }, idempotencyKey }),
    told: ({ number }) => phrase('withdrawals.passed', { number }),
  }),
  reject: {
    on: 'row',
    label: 'withdrawals.reject',
    may: 'withdrawal.review',
    danger: true,
    because: (row) => (isRejectable(row) ? undefined : phrase('withdrawals.notWaiting')),
    overlay: (withdrawal, { open, close, tell }) => (
      <RejectWithdrawalsForm withdrawals={[withdrawal]} open={open} onClose={close} onRejected={tell} />
    ),
  },
  byHand: {
    on: 'row',
    label: 'withdrawals.byHand',
    may: 'withdrawal.pay',
    isFor: (row) => row.frozen && row.state !== 'waiting' && !isUnderWay(row),
    overlay: (withdrawal, over) => (
      <PayByHandForm
        withdrawal={withdrawal}
        {...formIn(over, ({ number }: Withdrawal) => phrase('withdrawals.paid', { number }))}
      />
    ),
  },
  retry: asking({
    label: 'withdrawals.retry',
    may: 'withdrawal.pay',
    isFor: ({ state, frozen, way }) => state === 'failed' && frozen && isByChannel(way),
    question: ({ number }) => phrase('withdrawals.retryQuestion', { number }),
    details: (row) => phrase('withdrawals.retryDetails', { ...moneyOf(row), failure: row.failure ?? '' }),
    act: ({ id }, idempotencyKey) => call(retryWithdrawal, { params: { id }, idempotencyKey }),
    told: ({ number }) => phrase('withdrawals.retried', { number }),
  }),
  outcome: {
    on: 'row',
    label: 'withdrawals.outcome',
    may: 'withdrawal.resolve',
    isFor: (row) => outcomesOf(row).length > 0,
    because: (row) => whyActWaits('withdrawal_outcome', row),
    overlay: (withdrawal, { open, close, tell }) => (
      <StateOutcomeForm
        withdrawal={withdrawal}
        open={open}
        onClose={close}
        onSaved={() => tell(phrase('withdrawals.outcomeStated', { number: withdrawal.number }))}
      />
    ),
  },
  passMany: askingMany({
    label: 'withdrawals.passMany',
    may: 'withdrawal.review',
    because: (rows) => whyNotAll(rows) ?? rows.map(whyNotPass).find((why) => why !== undefined),
    question: (rows) => phrase('withdrawals.passManyQuestion', { count: rows.length }),
    details: (rows) =>
      phrase('withdrawals.passManyDetails', { payout: sumOf(rows, 'payoutFen'), amount: sumOf(rows, 'amountFen') }),
    act: async (rows, idempotencyKey) => {
      const body = { ids: rows.map(({ id }) => id), decision: 'pass' as const };
      const { decided, waiting } = await call(reviewWithdrawals, { body, idempotencyKey });
      return phrase('withdrawals.manyDone', { decided, waiting });
    },
  }),
  rejectMany: {
    on: 'rows',
    label: 'withdrawals.rejectMany',
    may: 'withdrawal.review',
    danger: true,
    because: whyNotAll,
    overlay: (withdrawals, { open, close, done, tell }) => (
      <RejectWithdrawalsForm
        withdrawals={withdrawals}
        open={open}
        onClose={close}
        onRejected={(told) => {
          done();
          tell(told);
        }}
      />
    ),
  },
  audit: auditOf('withdrawal'),
};

/** What registered users want back, from application to payout; /refund. */
export default function WithdrawalListPage() {
  return (
    <ListPage
      list={listWithdrawals}
      title="withdrawals.title"
      record="withdrawals.withdrawal"
      filters={filters}
      look={look}
      acts={acts}
      one={getWithdrawal}
      empty={{ title: 'withdrawals.empty', text: 'withdrawals.emptyText' }}
    />
  );
}
