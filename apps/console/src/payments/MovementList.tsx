import { listMovements, type MoneyMovement } from '@voltdeck/contract/movements';
import { phrase } from '../phrases.ts';
import { type Place, place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Filters, ListPageProps } from '../ui/list-page.ts';
import { movementTones } from '../ui/state-colours.ts';
import { MovementSums } from './MovementSums.tsx';
import { MovementViews } from './MovementViews.tsx';

const filters: Filters<typeof listMovements> = {
  type: {},
  cardNumber: {},
  phone: { title: 'recharges.customerPhone' },
  number: {},
  from: { title: 'movements.createdAt' },
  channel: {},
  state: {},
  agentId: { title: 'movements.agent', may: seesAgents },
  cardId: { title: 'recharges.card', may: ({ user }) => user.permissions.includes('card.read') },
  customerId: { title: 'recharges.customer', may: ({ user }) => user.permissions.includes('customer.read') },
};

/** The order or the recharge that moved the money. */
function cause({ orderId, rechargeId, number }: MoneyMovement): Place | null {
  if (orderId !== null) return place('orderListDetailHistory', { id: orderId });
  return rechargeId === null ? null : place('chongzhiRecods', { view: 'recharges', number });
}

const look: ListPageProps<typeof listMovements>['look'] = {
  number: { widthPx: 220, isPinned: true, link: cause },
  createdAt: { widthPx: 144 },
  type: { widthPx: 112, isKeyFact: true },
  cardNumber: { widthPx: 172 },
  nickname: { widthPx: 120 },
  customerPhone: { widthPx: 136 },
  amountFen: { isKeyFact: true },
  paidAfterFen: { isHidden: true },
  giftAfterFen: { isHidden: true },
  balanceAfterFen: { isKeyFact: true },
  state: { widthPx: 112, tone: ({ state }) => movementTones[state] },
  agentName: { isHidden: true },
};

/** Every movement of the money of cards and registered users. */
export default function MovementList() {
  return (
    <ListPage
      list={listMovements}
      title="movements.title"
      record="movements.movement"
      nameOf={({ type, number }) => `${phrase(`movement-type.${type}`)} ${number}`}
      filters={filters}
      look={look}
      tools={<MovementViews view="all" />}
      before={() => <MovementSums list={listMovements} filters={filters} />}
      empty={{
        title: 'movements.empty',
        text: 'movements.emptyText',
        next: { label: 'recharges.toRecharge', place: place('recharge') },
      }}
    />
  );
}
