import { type Card, enableCard, getCard, listCards, reportCardLost, restoreCard } from '@voltdeck/contract/cards';
import { idParameter } from '@voltdeck/contract/fields';
import { lazy } from 'react';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { moneyText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { givenValues, type Taking } from '../ui/list/given-values.ts';
import { asking, auditOf, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { cardTones } from '../ui/state-colours.ts';

/** Lazy: most visits to a list never open it. */
const CardFormDrawer = lazy(() => import('./CardFormDrawer.tsx'));
const CardExpiryForm = lazy(() => import('./CardExpiryForm.tsx'));

const filters: Filters<typeof listCards> = {
  number: {},
  phone: { title: 'cards.customerPhone' },
  state: {},
  agentId: { title: 'cards.agent', may: ({ user }) => user.dataScope !== 'self' },
  customerId: { title: 'cards.customer' },
};

const look: ListPageProps<typeof listCards>['look'] = {
  number: { widthPx: 196, isPinned: true },
  physicalNumber: { widthPx: 196, isHidden: true },
  state: { tone: ({ state }) => cardTones[state] },
  customerPhone: { widthPx: 136 },
  balanceFen: { isKeyFact: true },
  expiresAt: { isExact: true },
};

const takes: Taking<'cardList', 'add'> = { customerId: idParameter<'customer'>() };

const isCancelled = ({ state }: Card) => (state === 'cancelled' ? phrase('error.card.cancelled') : undefined);
const named = ({ number, balanceFen }: Card) => ({ number, balance: moneyText(balanceFen) });

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
  recharge: {
    on: 'row',
    label: 'cards.recharge',
    may: 'recharge.create',
    because: ({ state }) => (state === 'active' ? undefined : phrase('error.card.not_usable')),
    leads: ({ id: cardId }) => place('recharge', { cardId }),
  },
  expiry: {
    on: 'row',
    label: 'cards.expiry',
    may: 'card.edit',
    because: isCancelled,
    overlay: (card, over) => (
      <CardExpiryForm card={card} {...formIn(over, ({ number }: Card) => phrase('cards.saved', { number }))} />
    ),
  },
  records: { on: 'row', label: 'cards.records', leads: ({ id: cardId }) => place('chongzhiRecods', { cardId }) },
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
  audit: auditOf('card'),
};

/** IC cards: issue, recharge, report lost, disable; /cardList. */
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
