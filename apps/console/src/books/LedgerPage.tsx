import {
  getLedgerAccount,
  getLedgerTransfer,
  type LedgerAccount,
  type LedgerTransfer,
  listLedgerAccounts,
  listLedgerTransfers,
  listProofRuns,
} from '@voltdeck/contract/books';
import { Segmented } from 'antd';
import { useSearchParams } from 'react-router';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { nothingText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { useAddress } from '../ui/use-address.ts';
import { withWords } from '../words.ts';
import { BalancesPanel } from './BalancesPanel.tsx';
import { ProofPanel } from './ProofPanel.tsx';
import { ownerPlace, ownerText, partyText } from './party-words.ts';

/** Lazy: most visits to a list never open one. */
const TransferDrawer = lazyPart(withWords(['errors'], () => import('./TransferDrawer.tsx')));
const AccountDrawer = lazyPart(() => import('./AccountDrawer.tsx'));

const views = ['transfers', 'accounts', 'proof'] as const;
type View = (typeof views)[number];

const transferFilters: Filters<typeof listLedgerTransfers> = {
  reason: {},
  from: { title: 'books.at' },
  orderNumber: {},
  cardNumber: { title: 'books.cardNumber' },
  phone: { title: 'books.phone' },
  fromFen: { title: 'books.amountFrom' },
  toFen: { title: 'books.amountTo' },
  account: { title: 'books.accountFilter' },
};

const transferLook: ListPageProps<typeof listLedgerTransfers>['look'] = {
  position: { widthPx: 112, isPinned: true, opens: 'transfer' },
  createdAt: { widthPx: 184, isExact: true },
  reason: { widthPx: 112, isKeyFact: true },
  fromKind: { widthPx: 136 },
  fromOwner: { widthPx: 168, text: ({ from }) => ownerText(from) ?? nothingText, link: ({ from }) => ownerPlace(from) },
  toKind: { widthPx: 136 },
  toOwner: { widthPx: 168, text: ({ to }) => ownerText(to) ?? nothingText, link: ({ to }) => ownerPlace(to) },
  postingCount: { widthPx: 80 },
  amountFen: { isKeyFact: true },
  orderNumber: {
    widthPx: 208,
    link: ({ orderId }) => (orderId === null ? null : place('orderListDetailHistory', { id: orderId })),
  },
  reversedAt: { isHidden: true },
  key: { isHidden: true },
};

const transferActs: Acts<LedgerTransfer> = {
  transfer: {
    on: 'row',
    label: 'books.show',
    isQuiet: true,
    overlay: ({ id, position }, { open, close }) => (
      <TransferDrawer id={id} position={position} open={open} onClose={close} />
    ),
  },
};

const accountFilters: Filters<typeof listLedgerAccounts> = {
  kind: {},
  balance: { title: 'books.balanceSign', words: 'balance-sign' },
  cardNumber: { title: 'books.cardNumber' },
  phone: { title: 'books.phone' },
  siteId: { title: 'books.site' },
  agentId: { title: 'books.agent', may: seesAgents },
};

const accountLook: ListPageProps<typeof listLedgerAccounts>['look'] = {
  key: { widthPx: 232, isPinned: true, opens: 'account' },
  kind: { widthPx: 160, isKeyFact: true },
  owner: { widthPx: 200, text: (account) => ownerText(account) ?? nothingText, link: ownerPlace },
  balanceFen: { isKeyFact: true },
};

const accountActs: Acts<LedgerAccount> = {
  account: {
    on: 'row',
    label: 'books.show',
    isQuiet: true,
    overlay: ({ id }, { open, close }) => <AccountDrawer id={id} open={open} onClose={close} />,
  },
};

const runFilters: Filters<typeof listProofRuns> = {
  kind: {},
  different: { title: 'books.different', words: ['books.differentYes', 'books.differentNo'] },
  from: { title: 'books.beganAt' },
};

const runLook: ListPageProps<typeof listProofRuns>['look'] = {
  beganAt: { widthPx: 184, isPinned: true, isExact: true },
  outcome: { tone: ({ outcome }) => (outcome === 'compared' ? 'free' : 'occupied'), isKeyFact: true },
  differences: { isKeyFact: true },
};

/** The books: their transfers, their accounts, and the proof that both agree; /ledgerList. */
export default function LedgerPage() {
  const [search] = useSearchParams();
  const view = views.find((each) => each === search.get('view')) ?? 'transfers';
  const tools = <ViewSwitch view={view} />;
  switch (view) {
    case 'transfers':
      return (
        <ListPage
          key={view}
          list={listLedgerTransfers}
          title="books.title"
          nameOf={({ reason, position }) => `${phrase(`transfer-reason.${reason}`)} ${position}`}
          filters={transferFilters}
          look={transferLook}
          acts={transferActs}
          one={getLedgerTransfer}
          tools={tools}
          empty={{ title: 'books.transfersEmpty', text: 'books.transfersEmptyText' }}
        />
      );
    case 'accounts':
      return (
        <ListPage
          key={view}
          list={listLedgerAccounts}
          title="books.accounts"
          nameOf={partyText}
          filters={accountFilters}
          look={accountLook}
          acts={accountActs}
          one={getLedgerAccount}
          tools={tools}
          before={() => <BalancesPanel />}
          empty={{ title: 'books.accountsEmpty', text: 'books.accountsEmptyText' }}
        />
      );
    case 'proof':
      return (
        <ListPage
          key={view}
          list={listProofRuns}
          title="books.proof"
          record="books.proofRun"
          filters={runFilters}
          look={runLook}
          tools={tools}
          before={() => <ProofPanel />}
          empty={{ title: 'books.proofEmpty', text: 'books.proofEmptyText' }}
        />
      );
  }
}

/** Each view is a list with filters of its own. */
function ViewSwitch({ view }: { view: View }) {
  const [, setSearch] = useAddress();
  return (
    <Segmented
      aria-label={phrase('books.views')}
      value={view}
      onChange={(next) => setSearch(next === 'transfers' ? {} : { view: next }, { replace: true })}
      options={views.map((value) => ({ value, label: phrase(`books.${value}`) }))}
    />
  );
}
