import { deleteGroup, enableGroup, type Group, getGroup, listGroups } from '@voltdeck/contract/groups';
import type { Recharge } from '@voltdeck/contract/payments';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { opened, place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { moneyText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { approvalOf, whyActWaits } from '../ui/list/act-waits.ts';
import { asking, auditOf, deletion, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { groupTones } from '../ui/state-colours.ts';
import type { Moved } from './AllocateForm.tsx';

/** Lazy: most visits to a list never open it. */
const GroupFormDrawer = lazyPart(() => import('./GroupFormDrawer.tsx'));
const RechargeGroupForm = lazyPart(() => import('./RechargeGroupForm.tsx'));
const AllocateForm = lazyPart(() => import('./AllocateForm.tsx'));
const TakeBackForm = lazyPart(() => import('./TakeBackForm.tsx'));
const GroupStatementDialog = lazyPart(() => import('./GroupStatementDialog.tsx'));

const filters: Filters<typeof listGroups> = {
  name: {},
  contact: {},
  contactPhone: {},
  state: {},
  cardNumber: {},
  funding: {},
  agentId: { title: 'groups.agent', may: seesAgents },
  from: { title: 'groups.createdAt' },
};

const look: ListPageProps<typeof listGroups>['look'] = {
  name: { widthPx: 184, isPinned: true },
  contactPhone: { widthPx: 136 },
  cardNumber: { widthPx: 196 },
  state: { widthPx: 96, tone: ({ state }) => groupTones[state] },
  funding: { widthPx: 144 },
  balanceFen: { isKeyFact: true },
  boundCount: { isKeyFact: true, link: ({ id }) => place('userList', { groupId: id, state: ['bound'] }) },
  waitingCount: { link: ({ id }) => place('userList', { groupId: id, state: ['waiting'] }) },
  heldFen: { isHidden: true },
  owedFen: { isHidden: true },
  monthLimitCharges: { isHidden: true },
  sites: { widthPx: 200, isHidden: true },
  hours: { widthPx: 160, isHidden: true },
  title: { isHidden: true },
  taxNumber: { isHidden: true },
  remark: { isHidden: true },
  waits: { widthPx: 216, isHidden: true, link: approvalOf },
};

const named = ({ name, balanceFen }: Group) => ({ name, balance: moneyText(balanceFen) });
const whyDisabled = ({ state, name }: Group) =>
  state === 'enabled' ? undefined : phrase('error.group.disabled', { group: name });

const acts: Acts<Group> = {
  add: {
    on: 'list',
    label: 'groups.add',
    may: 'group.edit',
    overlay: (over) => (
      <GroupFormDrawer group={null} {...formIn(over, ({ name }: Group) => phrase('groups.added', { name }))} />
    ),
  },
  recharge: {
    on: 'row',
    label: 'groups.recharge',
    may: 'recharge.create',
    because: (group) => whyDisabled(group) ?? whyActWaits('recharge', group),
    overlay: (group, over) => (
      <RechargeGroupForm
        group={group}
        {...formIn(over, ({ amountFen, balanceAfterFen }: Recharge) =>
          phrase('groups.rechargedNow', { amount: moneyText(amountFen), balance: moneyText(balanceAfterFen) }),
        )}
      />
    ),
  },
  change: {
    on: 'row',
    label: 'groups.change',
    may: 'group.edit',
    overlay: (group, over) => (
      <GroupFormDrawer group={group} {...formIn(over, ({ name }: Group) => phrase('groups.saved', { name }))} />
    ),
  },
  allocate: {
    on: 'row',
    label: 'groups.allocate',
    may: 'group.allocate',
    isFor: ({ funding }) => funding === 'allocated',
    because: (group) => whyDisabled(group) ?? (group.boundCount === 0 ? phrase('error.group.no_members') : undefined),
    overlay: (group, over) => (
      <AllocateForm
        group={group}
        {...formIn(over, ({ members, amountFen }: Moved) =>
          phrase('groups.allocated', { count: members, amount: moneyText(amountFen) }),
        )}
      />
    ),
  },
  takeBack: {
    on: 'row',
    label: 'groups.takeBack',
    may: 'group.allocate',
    isFor: ({ potsFen }) => potsFen > 0,
    overlay: (group, over) => (
      <TakeBackForm
        group={group}
        {...formIn(over, ({ members, amountFen }: Moved) =>
          phrase('groups.takenBack', { count: members, amount: moneyText(amountFen) }),
        )}
      />
    ),
  },
  members: { on: 'row', label: 'groups.members', leads: ({ id: groupId }) => place('userList', { groupId }) },
  orders: { on: 'row', label: 'groups.orders', leads: ({ id: groupId }) => place('groupOrderList', { groupId }) },
  records: { on: 'row', label: 'groups.records', leads: ({ id: groupId }) => place('groupRechargeList', { groupId }) },
  invoice: {
    on: 'row',
    label: 'groups.invoice',
    may: 'invoice.create',
    leads: ({ id: groupId }) => opened('invoiceList', 'add', { groupId }),
  },
  statement: {
    on: 'row',
    label: 'groups.statement',
    overlay: (group, { open, close }) => <GroupStatementDialog group={group} open={open} onClose={close} />,
  },
  disable: asking({
    label: 'groups.disable',
    may: 'group.block',
    danger: true,
    isFor: ({ state }) => state === 'enabled',
    because: ({ boundCount, waitingCount }) =>
      boundCount + waitingCount > 0 ? phrase('error.group.has_members') : undefined,
    question: (group) => phrase('groups.disableQuestion', named(group)),
    details: (group) => phrase('groups.disableDetails', named(group)),
    act: ({ id }, idempotencyKey) => call(enableGroup, { params: { id }, body: { enabled: false }, idempotencyKey }),
    told: (group) => phrase('groups.disabledNow', named(group)),
  }),
  enable: {
    on: 'row',
    label: 'groups.enable',
    may: 'group.block',
    isFor: ({ state }) => state === 'disabled',
    deed: (group) => ({
      do: async (idempotencyKey) => {
        await call(enableGroup, { params: { id: group.id }, body: { enabled: true }, idempotencyKey });
        return phrase('groups.enabledNow', named(group));
      },
    }),
  },
  delete: deletion({
    label: 'groups.delete',
    may: 'group.delete',
    because: ({ boundCount, waitingCount, rechargedFen }) =>
      boundCount + waitingCount + rechargedFen > 0 ? phrase('error.group.has_records') : undefined,
    question: (group) => phrase('groups.deleteQuestion', named(group)),
    details: 'groups.deleteDetails',
    act: ({ id }, idempotencyKey) => call(deleteGroup, { params: { id }, idempotencyKey }),
    told: (group) => phrase('groups.deleted', named(group)),
  }),
  audit: auditOf('group'),
};

/** Groups whose members charge at their expense: add, recharge, allocate, disable, statements; /groupList. */
export default function GroupListPage() {
  return (
    <ListPage
      list={listGroups}
      title="groups.listTitle"
      record="groups.group"
      filters={filters}
      look={look}
      acts={acts}
      one={getGroup}
      empty={{ title: 'groups.empty', text: 'groups.emptyText' }}
    />
  );
}
