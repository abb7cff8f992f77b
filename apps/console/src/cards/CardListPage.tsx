import { UploadOutlined } from '@ant-design/icons';
import {
  type Card,
  enableCard,
  getCard,
  listCards,
  reportCardLost,
  restoreCard,
  setCardHolder,
} from '@voltdeck/contract/cards';
import { idParameter } from '@voltdeck/contract/fields';
import { formatYuan } from '@voltdeck/units/money';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { walletActs } from '../payments/transfers/wallet-acts.tsx';
import { walletOfCard } from '../payments/transfers/wallet-of.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { moneyText } from '../ui/figures.ts';
import { findable } from '../ui/is-masked.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { approvalOf, whyActWaits } from '../ui/list/act-waits.ts';
import { givenValues, type Taking } from '../ui/list/given-values.ts';
import { asking, auditOf, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { cardTones } from '../ui/state-colours.ts';
import { withWords } from '../words.ts';

/** Lazy: most visits to a list never open it. */
const CardFormDrawer = lazyPart(() => import('./CardFormDrawer.tsx'));
const CardChangeForm = lazyPart(() => import('./CardChangeForm.tsx'));
const CardHolderForm = lazyPart(() => import('./CardHolderForm.tsx'));
const ReplaceCardForm = lazyPart(() => import('./ReplaceCardForm.tsx'));
const CardImportDialog = lazyPart(withWords(['stationImports'], () => import('./CardImportDialog.tsx')));
const CardStationsDrawer = lazyPart(() => import('./CardStationsDrawer.tsx'));
const CancelCardForm = lazyPart(() => import('./CancelCardForm.tsx'));

const filters: Filters<typeof listCards> = {
  number: {},
  phone: { title: 'cards.customerPhone' },
  state: {},
  type: {},
  agentId: { title: 'cards.agent', may: seesAgents },
  customerId: { title: 'cards.customer' },
};

const look: ListPageProps<typeof listCards>['look'] = {
  number: { widthPx: 196, isPinned: true },
  physicalNumber: { widthPx: 196, isHidden: true },
  state: { tone: ({ state }) => cardTones[state] },
  customerPhone: { widthPx: 136 },
  boundAt: { isHidden: true },
  tapAmountFen: { isHidden: true },
  successorNumber: { widthPx: 196, isHidden: true, link: ({ successorNumber }) => successorLink(successorNumber) },
  balanceFen: { isKeyFact: true },
  expiresAt: { isExact: true },
  waits: { widthPx: 216, isHidden: true, link: approvalOf },
};

const successorLink = (number: string | null) =>
  number === null ? null : place('cardList', { number: findable(number) });

const takes: Taking<'cardList', 'add'> = { customerId: idParameter<'customer'>() };

const isCancelled = ({ state }: Card) => (state === 'cancelled' ? phrase('error.card.cancelled') : undefined);
const holderOf = ({ number, customerPhone }: Card) => ({ number, phone: customerPhone ?? '' });
const named = ({ number, balanceFen }: Card) => ({ number, balance: moneyText(balanceFen) });

/** Why a card’s whole money cannot leave it now; the server asks the same again. */
function whyNotQuiet({ heldFen, frozenFen, owedFen }: Card): string | undefined {
  if (heldFen > 0 || frozenFen > 0) return phrase('error.card.in_use');
  return owedFen > 0 ? phrase('error.card.owes', { owed: formatYuan(owedFen) }) : undefined;
}

const acts: Acts<Card> = {
  add: {
    on: 'list',
    label: 'cards.add',
    may: 'card.edit',
    overlay: (over) => (
      <CardFormDrawer
        given={givenValues(takes, over.given)}
        {...formIn(over, ({ number }: Card) => phrase('cards.issued', { number }))}
      />
    ),
  },
  import: {
    on: 'list',
    label: 'cards.import',
    icon: <UploadOutlined />,
    may: 'card.edit',
    overlay: ({ open, close, tell }) => <CardImportDialog open={open} onClose={close} onDone={tell} />,
  },
  recharge: {
    on: 'row',
    label: 'cards.recharge',
    may: 'recharge.create',
    because: ({ state }) => (state === 'active' ? undefined : phrase('error.card.not_usable')),
    leads: ({ id: cardId }) => place('recharge', { cardId }),
  },
  ...walletActs<Card>(walletOfCard, {
    receives: ({ state }) => (state === 'active' ? undefined : phrase('error.card.not_usable')),
  }),
  change: {
    on: 'row',
    label: 'cards.change',
    may: 'card.edit',
    because: isCancelled,
    overlay: (card, over) => (
      <CardChangeForm card={card} {...formIn(over, ({ number }: Card) => phrase('cards.saved', { number }))} />
    ),
  },
  bind: {
    on: 'row',
    label: 'cards.bind',
    may: 'card.edit',
    because: (card) => isCancelled(card) ?? whyActWaits('card_holder', card),
    overlay: (card, over) => (
      <CardHolderForm card={card} {...formIn(over, (saved: Card) => phrase('cards.bound', holderOf(saved)))} />
    ),
  },
  unbind: asking({
    label: 'cards.unbind',
    may: 'card.edit',
    isFor: ({ state, customerId }) => customerId !== null && state !== 'cancelled',
    question: (card) => phrase('cards.unbindQuestion', holderOf(card)),
    details: (card) => phrase('cards.unbindDetails', named(card)),
    act: ({ id }, idempotencyKey) =>
      call(setCardHolder, { params: { id }, body: { customerId: null }, idempotencyKey }),
    told: (card) => phrase('cards.unbound', named(card)),
  }),
  stations: {
    on: 'row',
    label: 'cards.stations',
    isFor: ({ type }) => type === 'offline',
    overlay: (card, { open, close }) => <CardStationsDrawer card={card} open={open} onClose={close} />,
  },
  records: { on: 'row', label: 'cards.records', leads: ({ id: cardId }) => place('chongzhiRecods', { cardId }) },
  uses: { on: 'row', label: 'cards.uses', leads: ({ id: cardId }) => place('useRecods', { cardId }) },
  orders: {
    on: 'row',
    label: 'cards.orders',
    leads: ({ id: cardId }) => place('orderListHistory', { cardId, time: 'placed' }),
  },
  lose: asking({
    label: 'cards.lose',
    may: 'card.block',
    danger: true,
    isFor: ({ state }) => state === 'active' || state === 'disabled',
    question: (card) => phrase('cards.loseQuestion', named(card)),
    details: (card) => phrase('cards.loseDetails', named(card)),
    act: ({ id }, idempotencyKey) => call(reportCardLost, { params: { id }, idempotencyKey }),
    told: (card) => phrase('cards.lost', named(card)),
  }),
  restore: asking({
    label: 'cards.restore',
    may: 'card.block',
    isFor: ({ state }) => state === 'lost',
    question: (card) => phrase('cards.restoreQuestion', named(card)),
    details: (card) => phrase('cards.restoreDetails', named(card)),
    act: ({ id }, idempotencyKey) => call(restoreCard, { params: { id }, idempotencyKey }),
    told: (card) => phrase('cards.restored', named(card)),
  }),
  disable: asking({
    label: 'cards.disable',
    may: 'card.block',
    danger: true,
    isFor: ({ state }) => state === 'active',
    question: (card) => phrase('cards.disableQuestion', named(card)),
    details: (card) => phrase('cards.disableDetails', named(card)),
    act: ({ id }, idempotencyKey) => call(enableCard, { params: { id }, body: { enabled: false }, idempotencyKey }),
    told: (card) => phrase('cards.disabledNow', named(card)),
  }),
  enable: {
    on: 'row',
    label: 'cards.enable',
    may: 'card.block',
    isFor: ({ state }) => state === 'disabled',
    deed: (card) => ({
      do: async (idempotencyKey) => {
        await call(enableCard, { params: { id: card.id }, body: { enabled: true }, idempotencyKey });
        return phrase('cards.enabledNow', named(card));
      },
    }),
  },
  replace: {
    on: 'row',
    label: 'cards.replace',
    may: 'card.replace',
    isFor: ({ state }) => state !== 'cancelled',
    because: whyNotQuiet,
    overlay: (card, over) => (
      <ReplaceCardForm
        card={card}
        {...formIn(over, (saved: Card) => phrase('cards.replaced', { number: card.number, successor: saved.number }))}
      />
    ),
  },
  cancel: {
    on: 'row',
    label: 'cards.cancel',
    may: 'card.cancel',
    danger: true,
    isFor: ({ state, balanceFen }) => state !== 'cancelled' || balanceFen > 0,
    because: (card) => whyNotQuiet(card) ?? whyActWaits('card_cancellation', card),
    overlay: (card, over) => (
      <CancelCardForm card={card} {...formIn(over, () => phrase('cards.cancelled', { number: card.number }))} />
    ),
  },
  audit: auditOf('card'),
};

/** IC cards: issue, bind, recharge, report lost, replace, cancel with payout; /cardList. */
export default function CardListPage() {
  return (
    <ListPage
      list={listCards}
      title="cards.title"
      record="cards.card"
      filters={filters}
      look={look}
      acts={acts}
      one={getCard}
      empty={{ title: 'cards.empty', text: 'cards.emptyText' }}
    />
  );
}
