import { isPaidOut } from '@voltdeck/charging/states';
import {
  type AgentWithdrawal,
  getAgentWithdrawal,
  getPartyIncome,
  listAgentWithdrawals,
  retryAgentWithdrawal,
  reviewAgentWithdrawal,
  reviewAgentWithdrawals,
} from '@voltdeck/contract/agent-withdrawals';
import { getAgent, listAgents } from '@voltdeck/contract/agents';
import { reviewsMax } from '@voltdeck/contract/withdrawals';
import type { DividerId } from '@voltdeck/units/id';
import { addFen, fen } from '@voltdeck/units/money';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { isPlatform, seesAgents, seesDividers } from '../session/reach.ts';
import { type Session, useSession } from '../session/session.ts';
import { moneyText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { approvalOf, whyActWaits } from '../ui/list/act-waits.ts';
import { asking, askingMany, auditOf, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { withdrawalTones } from '../ui/state-colours.ts';
import { useChosenDivider } from './chosen-divider.ts';
import { IncomeFigures } from './IncomeFigures.tsx';

/** Lazy: most visits to a list never open it. */
const AgentWithdrawalFormDrawer = lazyPart(() => import('./AgentWithdrawalFormDrawer.tsx'));
const RejectAgentWithdrawalsForm = lazyPart(() => import('./RejectAgentWithdrawalsForm.tsx'));
const PayAgentWithdrawalForm = lazyPart(() => import('./PayAgentWithdrawalForm.tsx'));
const PayoutAccountForm = lazyPart(() => import('./PayoutAccountForm.tsx'));
const FailAgentWithdrawalForm = lazyPart(() => import('./FailAgentWithdrawalForm.tsx'));
const ReturnAgentWithdrawalForm = lazyPart(() => import('./ReturnAgentWithdrawalForm.tsx'));

/** A divider has withdrawals of its own only. */
const isStaff = ({ user }: Session) => user.dataScope !== 'divider';

const filters: Filters<typeof listAgentWithdrawals> = {
  state: {},
  number: {},
  agentId: { title: 'payee-party.agent', may: seesAgents },
  dividerId: { title: 'payee-party.divider', may: seesDividers },
  party: { may: isStaff },
  from: { title: 'agent-withdrawals.appliedAt' },
  way: {},
};

function stateOf({ state, waits }: AgentWithdrawal): string {
  return state === 'waiting' && waits.length > 0
    ? phrase('agent-withdrawals.waitsForApproval')
    : phrase(`withdrawal-state.${state}`);
}

const look: ListPageProps<typeof listAgentWithdrawals>['look'] = {
  number: { widthPx: 220, isPinned: true },
  partyName: {
    widthPx: 168,
    link: ({ agentId, dividerId }) => {
      if (agentId !== null) return place('childrenAccount', { id: agentId });
      return dividerId === null ? null : place('dividerDetail', { id: dividerId });
    },
  },
  party: { widthPx: 96 },
  state: {
    widthPx: 148,
    isKeyFact: true,
    render: (row) => <StateTag tone={withdrawalTones[row.state]}>{stateOf(row)}</StateTag>,
  },
  amountFen: { widthPx: 112, isKeyFact: true },
  payoutFen: { widthPx: 112, isKeyFact: true },
  payeeHolder: { widthPx: 168 },
  payeeBank: { widthPx: 148 },
  payeeAccount: { widthPx: 196 },
  failure: { widthPx: 220, isKeyFact: true },
  receipt: { widthPx: 168, isKeyFact: true },
  appliedAt: { isKeyFact: true },
  feeFen: { isHidden: true },
  payeeKind: { isHidden: true },
  way: { isHidden: true },
  processedAt: { isHidden: true },
  returnedAt: { isHidden: true },
  remark: { widthPx: 200, isKeyFact: true },
  waits: { widthPx: 216, link: approvalOf },
};

const moneyOf = ({ amountFen, feeFen, payoutFen }: AgentWithdrawal) => ({
  amount: moneyText(amountFen),
  fee: moneyText(feeFen),
  payout: moneyText(payoutFen),
});
const whyFrozen = ({ partyIsFrozen }: AgentWithdrawal) =>
  partyIsFrozen ? phrase('error.agent_withdrawal.party_frozen') : undefined;
const whyNotPass = (row: AgentWithdrawal) =>
  row.state === 'waiting'
    ? (whyFrozen(row) ?? whyActWaits('agent_withdrawal', row))
    : phrase('agent-withdrawals.notWaiting');
const isPaid = ({ state }: AgentWithdrawal) => isPaidOut(state);
const sumOf = (rows: readonly AgentWithdrawal[], of: 'amountFen' | 'payoutFen') =>
  moneyText(addFen(fen(0), ...rows.map((row) => row[of])));
const whyNotAll = (rows: readonly AgentWithdrawal[]) => {
  if (rows.length > reviewsMax) return phrase('agent-withdrawals.tooMany', { max: reviewsMax });
  return rows.every(({ state }) => state === 'waiting') ? undefined : phrase('agent-withdrawals.notWaiting');
};

type ColumnKey = keyof (typeof listAgentWithdrawals)['columns'];
const allColumns = Object.keys(listAgentWithdrawals.columns) as ColumnKey[];
const ownColumns = allColumns.filter((key) => key !== 'party' && key !== 'partyName');

/** Routes besides the list whose answers an act changes. */
const changes = [getPartyIncome, getAgent, listAgents];

/** What the platform does with them. */
const platformActs: Acts<AgentWithdrawal> = {
  pass: asking({
    label: 'agent-withdrawals.pass',
    may: 'agent_withdrawal.review',
    changes,
    isFor: ({ state }) => state === 'waiting',
    because: whyNotPass,
    question: ({ number }) => phrase('agent-withdrawals.passQuestion', { number }),
    details: (row) =>
      phrase('agent-withdrawals.passDetails', {
        ...moneyOf(row),
        name: row.payeeHolder,
        bank: row.payeeBank,
        account: row.payeeAccount,
      }),
    act: ({ id }, idempotencyKey) =>
      call(reviewAgentWithdrawal, { params: { id }, body: { decision: 'pass' }, idempotencyKey }),
    told: ({ number }) => phrase('agent-withdrawals.passed', { number }),
  }),
  pay: {
    on: 'row',
    label: 'agent-withdrawals.pay',
    may: 'agent_withdrawal.pay',
    isFor: ({ state, frozen }) => frozen && state !== 'waiting',
    because: whyFrozen,
    overlay: (withdrawal, over) => (
      <PayAgentWithdrawalForm
        withdrawal={withdrawal}
        {...formIn(over, ({ number }: AgentWithdrawal) => phrase('agent-withdrawals.paid', { number }))}
      />
    ),
  },
  reject: {
    on: 'row',
    label: 'agent-withdrawals.reject',
    may: 'agent_withdrawal.review',
    danger: true,
    isFor: ({ frozen }) => frozen,
    overlay: (withdrawal, { open, close, tell }) => (
      <RejectAgentWithdrawalsForm withdrawals={[withdrawal]} open={open} onClose={close} onRejected={tell} />
    ),
  },
  fail: {
    on: 'row',
    label: 'agent-withdrawals.fail',
    may: 'agent_withdrawal.pay',
    danger: true,
    isFor: ({ state }) => state === 'in_review',
    overlay: (withdrawal, over) => (
      <FailAgentWithdrawalForm
        withdrawal={withdrawal}
        {...formIn(over, ({ number }: AgentWithdrawal) => phrase('agent-withdrawals.failed', { number }))}
      />
    ),
  },
  retry: asking({
    label: 'agent-withdrawals.retry',
    may: 'agent_withdrawal.pay',
    isFor: ({ state, frozen }) => state === 'failed' && frozen,
    because: whyFrozen,
    question: ({ number }) => phrase('agent-withdrawals.retryQuestion', { number }),
    details: (row) => phrase('agent-withdrawals.retryDetails', { ...moneyOf(row), failure: row.failure ?? '' }),
    act: ({ id }, idempotencyKey) => call(retryAgentWithdrawal, { params: { id }, idempotencyKey }),
    told: ({ number }) => phrase('agent-withdrawals.retried', { number }),
  }),
  return: {
    on: 'row',
    label: 'agent-withdrawals.return',
    may: 'agent_withdrawal.return',
    danger: true,
    isFor: isPaid,
    because: (row) => whyActWaits('agent_withdrawal_return', row),
    overlay: (withdrawal, { open, close, tell }) => (
      <ReturnAgentWithdrawalForm
        withdrawal={withdrawal}
        open={open}
        onClose={close}
        onSaved={() => tell(phrase('agent-withdrawals.returned', { number: withdrawal.number }))}
      />
    ),
  },
  passMany: askingMany({
    label: 'agent-withdrawals.passMany',
    may: 'agent_withdrawal.review',
    changes,
    because: (rows) => whyNotAll(rows) ?? rows.map(whyNotPass).find((why) => why !== undefined),
    question: (rows) => phrase('agent-withdrawals.passManyQuestion', { count: rows.length }),
    details: (rows) =>
      phrase('agent-withdrawals.passManyDetails', {
        payout: sumOf(rows, 'payoutFen'),
        amount: sumOf(rows, 'amountFen'),
      }),
    act: async (rows, idempotencyKey) => {
      const body = { ids: rows.map(({ id }) => id), decision: 'pass' as const };
      const { decided, waiting } = await call(reviewAgentWithdrawals, { body, idempotencyKey });
      return phrase('agent-withdrawals.manyDone', { decided, waiting });
    },
  }),
  rejectMany: {
    on: 'rows',
    label: 'agent-withdrawals.rejectMany',
    may: 'agent_withdrawal.review',
    danger: true,
    because: whyNotAll,
    overlay: (withdrawals, { open, close, done, tell }) => (
      <RejectAgentWithdrawalsForm
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
  audit: auditOf('agent_withdrawal'),
};

/** Applies for the own balance or that of a divider. */
const applyFor = (dividerId: DividerId | undefined): Acts<AgentWithdrawal> => ({
  add: {
    on: 'list',
    label: dividerId === undefined ? 'agent-withdrawals.add' : 'agent-withdrawals.addForDivider',
    may: 'agent_withdrawal.create',
    overlay: (over) => (
      <AgentWithdrawalFormDrawer
        dividerId={dividerId}
        {...formIn(over, ({ number }: AgentWithdrawal) => phrase('agent-withdrawals.applied', { number }))}
      />
    ),
  },
});

/** The people of an agent or a divider set where it is paid. */
const ownAccount: Acts<AgentWithdrawal> = {
  account: {
    on: 'list',
    label: 'agent-withdrawals.setAccount',
    may: 'agent_withdrawal.account',
    overlay: ({ open, close, tell }) => (
      <PayoutAccountForm open={open} onClose={close} onSaved={() => tell(phrase('agent-withdrawals.accountSaved'))} />
    ),
  },
};

function actsOf(mayDecide: boolean, dividerId: DividerId | undefined): Acts<AgentWithdrawal> {
  const applying = mayDecide && dividerId === undefined ? {} : applyFor(dividerId);
  return mayDecide ? { ...applying, ...platformActs } : { ...applying, ...ownAccount };
}

/** What agents and dividers withdraw from their balance, from application to payment; /tixianRecods. */
export default function AgentWithdrawalListPage() {
  const session = useSession();
  const mayDecide = isPlatform(session);
  const dividerId = useChosenDivider();
  return (
    <ListPage
      list={listAgentWithdrawals}
      title="agent-withdrawals.title"
      record="agent-withdrawals.withdrawal"
      filters={filters}
      columns={isStaff(session) ? allColumns : ownColumns}
      look={look}
      acts={actsOf(mayDecide, dividerId)}
      one={getAgentWithdrawal}
      before={() => <IncomeFigures />}
      empty={{
        title: 'agent-withdrawals.empty',
        text: mayDecide ? 'agent-withdrawals.emptyText' : 'agent-withdrawals.emptyOwn',
      }}
    />
  );
}
