import { listRecharges } from '@voltdeck/contract/payments';
import { place } from '../session/place.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Filters } from '../ui/list-page.ts';
import { MovementViews } from './MovementViews.tsx';
import { rechargeActs, rechargeLook } from './recharge-acts.tsx';

const filters: Filters<typeof listRecharges> = {
  number: {},
  cardNumber: {},
  phone: { title: 'recharges.customerPhone' },
  reversed: { title: 'recharges.reversed', words: ['recharges.reversedYes', 'recharges.reversedNo'] },
  from: { title: 'recharges.createdAt' },
  cardId: { title: 'recharges.card' },
  customerId: { title: 'recharges.customer' },
};

/** What was put on cards and registered users, with what is only known of recharges. */
export default function RechargeList() {
  return (
    <ListPage
      list={listRecharges}
      title="movements.title"
      tools={<MovementViews view="recharges" />}
      record="recharges.recharge"
      filters={filters}
      look={rechargeLook}
      acts={rechargeActs}
      empty={{
        title: 'recharges.empty',
        text: 'recharges.emptyText',
        next: { label: 'recharges.toRecharge', place: place('recharge') },
      }}
    />
  );
}
