import { listScreens } from '@voltdeck/contract/list-screens';
import { listMovements, type MoneyMovement } from '@voltdeck/contract/movements';
import { listRecharges } from '@voltdeck/contract/payments';
import { Segmented } from 'antd';
import { useSearchParams } from 'react-router';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Filters, ListPageProps } from '../ui/list-page.ts';
import { listScreen } from '../ui/list-screen.ts';
import { movementTones } from '../ui/state-colours.ts';
import { useAddress } from '../ui/use-address.ts';
import { MovementSums } from './MovementSums.tsx';
import { rechargeActs, rechargeLook } from './recharge-acts.tsx';

const views = ['recharges', 'movements'] as const;
type View = (typeof views)[number];

const sharedFilters = ['number', 'groupId', 'from', 'to'];

const rechargeFilters: Filters<typeof listRecharges> = {
  groupId: { title: 'recharges.groupName' },
  number: {},
  reversed: { title: 'recharges.reversed', words: ['recharges.reversedYes', 'recharges.reversedNo'] },
  from: { title: 'recharges.createdAt' },
};

const movementFilters: Filters<typeof listMovements> = {
  groupId: { title: 'recharges.groupName' },
  type: {
    values: ['system_recharge', 'withdrawal', 'allocated', 'taken_back', 'consume', 'order_refund', 'refund_failed'],
  },
  number: {},
  from: { title: 'movements.createdAt' },
};

const cause = ({ orderId, number, rechargeId }: MoneyMovement) =>
  orderId !== null
    ? place('orderListDetailHistory', { id: orderId })
    : rechargeId === null
      ? null
      : place('groupRechargeList', { number });

const movementLook: ListPageProps<typeof listMovements>['look'] = {
  number: { widthPx: 220, isPinned: true, link: cause },
  type: { widthPx: 144, isKeyFact: true },
  amountFen: { isKeyFact: true },
  balanceAfterFen: { isKeyFact: true },
  state: { widthPx: 112, tone: ({ state }) => movementTones[state] },
  agentName: { isHidden: true },
};

function Views({ view }: { view: View }) {
  const [, setSearch] = useAddress();
  const change = (chosen: View) =>
    setSearch((current) => {
      const next = new URLSearchParams([...current].filter(([name]) => sharedFilters.includes(name)));
      if (chosen !== 'recharges') next.set('view', chosen);
      return next;
    });
  return (
    <Segmented<View>
      aria-label={phrase('movements.view')}
      value={view}
      onChange={change}
      options={views.map((value) => ({ value, label: phrase(`groupRecords.${value}`) }))}
    />
  );
}

/** What was put on groups, and what moved their balances: recharges, refunds, allocations, charges; /groupRechargeList. */
export default function GroupMoneyPage() {
  const [search] = useSearchParams();
  if (search.get('view') === 'movements') {
    return (
      <ListPage
        list={listMovements}
        screen={listScreen('movements-of-groups')}
        title="groupRecords.title"
        record="movements.movement"
        nameOf={({ type, number }) => `${phrase(`movement-type.${type}`)} ${number}`}
        filters={movementFilters}
        columns={[
          'number',
          'createdAt',
          'groupName',
          'type',
          'amountFen',
          'balanceAfterFen',
          'state',
          'operatorName',
          'remark',
          'agentName',
        ]}
        look={movementLook}
        tools={<Views view="movements" />}
        before={() => (
          <MovementSums
            list={listMovements}
            filters={movementFilters}
            fixed={listScreens['movements-of-groups'].fixed}
          />
        )}
        empty={{ title: 'groupRecords.empty', text: 'groupRecords.emptyText' }}
      />
    );
  }
  return (
    <ListPage
      list={listRecharges}
      screen={listScreen('recharges-of-groups')}
      title="groupRecords.title"
      record="recharges.recharge"
      filters={rechargeFilters}
      columns={[
        'number',
        'groupName',
        'amountFen',
        'giftFen',
        'state',
        'refundedFen',
        'repaidFen',
        'balanceBeforeFen',
        'balanceAfterFen',
        'createdAt',
        'operatorName',
        'remark',
        'reversedAt',
        'reversalReason',
        'waits',
      ]}
      look={rechargeLook}
      acts={rechargeActs}
      tools={<Views view="recharges" />}
      empty={{
        title: 'groupRecords.empty',
        text: 'groupRecords.emptyText',
        next: { label: 'groups.listTitle', place: place('groupList') },
      }}
    />
  );
}
