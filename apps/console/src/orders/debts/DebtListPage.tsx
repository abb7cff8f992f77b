import { type Debt, listDebts } from '@voltdeck/contract/debts';
import { lazyPart } from '../../api/lazy-part.ts';
import { place } from '../../session/place.ts';
import { seesAgents } from '../../session/reach.ts';
import { ListPage } from '../../ui/ListPage.tsx';
import { approvalOf, whyActWaits } from '../../ui/list/act-waits.ts';
import { auditOf } from '../../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../../ui/list-page.ts';

/** Lazy: most visits to a list never open it. */
const WriteOffForm = lazyPart(() => import('./WriteOffForm.tsx'));

const filters: Filters<typeof listDebts> = {
  phone: { title: 'debts.customerPhone' },
  cardNumber: {},
  number: {},
  siteId: { title: 'debts.site' },
  from: { title: 'debts.settledAt' },
  customerId: { title: 'debts.customer' },
  cardId: { title: 'debts.card' },
  groupId: { title: 'debts.group', may: ({ user }) => user.permissions.includes('group.read') },
  agentId: { title: 'debts.agent', may: seesAgents },
};

const look: ListPageProps<typeof listDebts>['look'] = {
  number: { widthPx: 220, isPinned: true, link: ({ id }) => place('orderListDetailHistory', { id }) },
  cardNumber: {
    widthPx: 172,
    link: ({ cardNumber: number }) => (number === null ? null : place('cardList', { number })),
  },
  customerPhone: {
    widthPx: 136,
    link: ({ customerId: id }) => (id === null ? null : place('registerUserDetail', { id })),
  },
  nickname: { widthPx: 112 },
  groupName: { widthPx: 160, link: ({ groupName: name }) => (name === null ? null : place('groupList', { name })) },
  owedFen: { isKeyFact: true },
  payerOwesFen: { isKeyFact: true },
  beyond: { widthPx: 144, tone: ({ payerOwesFen, debtLimitFen }) => (payerOwesFen > debtLimitFen ? 'fault' : null) },
  waits: { widthPx: 216, link: approvalOf },
};

const acts: Acts<Debt> = {
  recharge: {
    on: 'row',
    label: 'debts.recharge',
    may: 'recharge.create',
    leads: ({ cardId, customerId, groupName }) => {
      if (groupName !== null) return place('groupList', { name: groupName });
      return place('recharge', cardId !== null ? { cardId } : customerId !== null ? { customerId } : {});
    },
  },
  writeOff: {
    on: 'row',
    label: 'debts.writeOff',
    may: 'debt.write_off',
    danger: true,
    because: (debt) => whyActWaits('write_off', debt),
    overlay: (debt, { open, close, tell }) => <WriteOffForm debt={debt} open={open} onClose={close} onSaved={tell} />,
  },
  audit: auditOf('order'),
};

/** Who owes for which orders, and since when; /debtList. */
export default function DebtListPage() {
  return (
    <ListPage
      list={listDebts}
      title="menu.debtList"
      record="debts.record"
      filters={filters}
      look={look}
      acts={acts}
      note="debts.note"
      empty={{ title: 'debts.empty', text: 'debts.emptyText' }}
    />
  );
}
