import { listTransfers, type WalletTransfer } from '@voltdeck/contract/transfers';
import { place } from '../../session/place.ts';
import { ListPage } from '../../ui/ListPage.tsx';
import { auditOf } from '../../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../../ui/list-page.ts';

const filters: Filters<typeof listTransfers> = {
  number: {},
  phone: { title: 'transfers.phone' },
  cardNumber: { title: 'transfers.cardNumber' },
  kind: {},
  state: {},
  from: { title: 'transfers.createdAt' },
  customerId: { title: 'transfers.customerFilter' },
  cardId: { title: 'transfers.cardFilter' },
};

const look: ListPageProps<typeof listTransfers>['look'] = {
  number: { widthPx: 216, isPinned: true },
  state: { tone: ({ state }) => (state === 'done' ? 'free' : 'offline') },
  fromCardNumber: {
    widthPx: 180,
    link: ({ fromCardNumber: number }) => (number === null ? null : place('cardList', { number })),
  },
  fromCustomerPhone: { widthPx: 140 },
  toCardNumber: {
    widthPx: 180,
    link: ({ toCardNumber: number }) => (number === null ? null : place('cardList', { number })),
  },
  toCustomerPhone: { widthPx: 140 },
  amountFen: { isKeyFact: true },
  giftFen: { isHidden: true },
  reversedAt: { isHidden: true },
  reversalReason: { isHidden: true },
};

const acts: Acts<WalletTransfer> = { audit: auditOf('wallet_transfer') };

/** Money that moved between balances; /transferList. */
export default function TransferListPage() {
  return (
    <ListPage
      list={listTransfers}
      title="menu.transferList"
      record="transfers.record"
      filters={filters}
      look={look}
      acts={acts}
      hasGroups
      empty={{
        title: 'transfers.empty',
        text: 'transfers.emptyText',
        next: { label: 'transfers.toCustomers', place: place('registerUser') },
      }}
    />
  );
}
