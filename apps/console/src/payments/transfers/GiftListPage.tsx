import { listGifts, type WalletGift } from '@voltdeck/contract/transfers';
import { place } from '../../session/place.ts';
import { ListPage } from '../../ui/ListPage.tsx';
import { auditOf } from '../../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../../ui/list-page.ts';

const filters: Filters<typeof listGifts> = {
  number: {},
  phone: { title: 'gifts.customerPhone' },
  cardNumber: {},
  kind: {},
  state: {},
  from: { title: 'gifts.createdAt' },
  customerId: { title: 'transfers.customerFilter' },
  cardId: { title: 'transfers.cardFilter' },
};

const look: ListPageProps<typeof listGifts>['look'] = {
  number: { widthPx: 216, isPinned: true },
  kind: { tone: ({ kind }) => (kind === 'given' ? 'free' : 'occupied') },
  state: { tone: ({ state }) => (state === 'done' ? 'free' : 'offline') },
  cardNumber: {
    widthPx: 180,
    link: ({ cardNumber: number }) => (number === null ? null : place('cardList', { number })),
  },
  customerPhone: { widthPx: 140 },
  amountFen: { isKeyFact: true },
  reversedAt: { isHidden: true },
  reversalReason: { isHidden: true },
};

const acts: Acts<WalletGift> = { audit: auditOf('wallet_gift') };

/** Gifts that were given into balances or taken back; /giftList. */
export default function GiftListPage() {
  return (
    <ListPage
      list={listGifts}
      title="menu.giftList"
      record="gifts.record"
      filters={filters}
      look={look}
      acts={acts}
      empty={{
        title: 'gifts.empty',
        text: 'gifts.emptyText',
        next: { label: 'transfers.toCustomers', place: place('registerUser') },
      }}
    />
  );
}
