import { type Debt, listDebts } from '@voltdeck/contract/debts';
import { lazy } from 'react';
import { phrase } from '../../phrases.ts';
import { place } from '../../session/place.ts';
import { moneyText } from '../../ui/figures.ts';
import { ListPage } from '../../ui/ListPage.tsx';
import { approvalOf, whyActWaits } from '../../ui/list/act-waits.ts';
import { auditOf } from '../../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../../ui/list-page.ts';

/** Lazy: most visits to a list never open it. */
const WriteOffForm = lazy(() => import('./WriteOffForm.tsx'));

const filters: Filters<typeof listDebts> = {
  phone: { title: 'debts.customerPhone' },
  cardNumber: {},
  number: {},
  siteId: { title: 'debts.site' },
  from: { title: 'debts.settledAt' },
  customerId: { title: 'debts.customer' },
  cardId: { title: 'debts.card' },
  agentId: { title: 'debts.agent', may: ({ user }) => user.dataScope !== 'self' },
};

const look: ListPageProps<typeof listDebts>['look'] = {
  number: { widthPx: 208, isPinned: true, link: ({ id }) => place('orderListDetailHistory', { id }) },
  cardNumber: {
    widthPx: 180,
    link: ({ cardNumber: number }) => (number === null ? null : place('cardList', { number })),
  },
  customerPhone: {
    widthPx: 140,
    link: ({ customerId: id }) => (id === null ? null : place('registerUserDetail', { id })),
  },
  owedFen: { isKeyFact: true },
  payerOwesFen: {
    widthPx: 200,
    // Beyond the limit nothing can be charged, which the figure alone does not say.
    text: ({ payerOwesFen, debtLimitFen }) =>
      payerOwesFen > debtLimitFen
        ? phrase('debts.beyond', { owed: moneyText(payerOwesFen), limit: moneyText(debtLimitFen) })
        : moneyText(payerOwesFen),
  },
  waits: { widthPx: 216, link: approvalOf },
};

const acts: Acts<Debt> = {
  recharge: {
    on: 'row',
    label: 'debts.recharge',
    may: 'recharge.create',
    leads: ({ cardId, customerId }) =>
      place('recharge', cardId !== null ? { cardId } : customerId !== null ? { customerId } : {}),
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
      empty={{ title: 'debts.empty', text: 'debts.emptyText' }}
    />
  );
}
