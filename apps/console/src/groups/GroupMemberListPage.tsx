import { UploadOutlined } from '@ant-design/icons';
import { idParameter } from '@voltdeck/contract/fields';
import {
  type GroupMember,
  getGroupMember,
  listGroupMembers,
  releaseGroupMember,
} from '@voltdeck/contract/group-members';
import { listGroups } from '@voltdeck/contract/groups';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { moneyText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { givenValues, type Taking } from '../ui/list/given-values.ts';
import { asking, auditOf, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { groupMemberTones } from '../ui/state-colours.ts';
import { withWords } from '../words.ts';

/** Lazy: most visits to a list never open it. */
const GroupMemberFormDrawer = lazyPart(() => import('./GroupMemberFormDrawer.tsx'));
const ReviewMembersForm = lazyPart(() => import('./ReviewMembersForm.tsx'));
const GroupMemberImportDialog = lazyPart(withWords(['stationImports'], () => import('./GroupMemberImportDialog.tsx')));

const filters: Filters<typeof listGroupMembers> = {
  groupId: { title: 'groupMembers.group' },
  phone: {},
  name: {},
  state: {},
  source: {},
  agentId: { title: 'groups.agent', may: seesAgents },
  from: { title: 'groupMembers.createdAt' },
};

const look: ListPageProps<typeof listGroupMembers>['look'] = {
  name: { widthPx: 120 },
  phone: {
    widthPx: 136,
    isPinned: true,
    link: ({ customerId }) => (customerId === null ? null : place('registerUserDetail', { id: customerId })),
  },
  groupName: { widthPx: 160, isKeyFact: true, link: ({ groupName }) => place('groupList', { name: groupName }) },
  state: { widthPx: 128, isKeyFact: true, tone: ({ state }) => groupMemberTones[state] },
  opinion: { widthPx: 160 },
  limitCharges: { isHidden: true },
  potHeldFen: { isHidden: true },
  agentName: { isHidden: true },
  releasedAt: { isHidden: true },
};

const takes: Taking<'userList', 'add'> = { groupId: idParameter<'group'>() };

const isOpen = ({ state }: GroupMember) => state !== 'refused' && state !== 'released';
const isReviewable = ({ state }: GroupMember) => state === 'waiting' || state === 'not_bound';
const whyNotReviewable = (members: readonly GroupMember[]) =>
  members.every(isReviewable) ? undefined : phrase('groupMembers.notWaiting');
const named = ({ phone, groupName: group, potFen }: GroupMember) => ({ phone, group, pot: moneyText(potFen) });

function review(decision: 'agree' | 'refuse'): Acts<GroupMember> {
  const label = decision === 'agree' ? 'groupMembers.agree' : 'groupMembers.refuse';
  const told = decision === 'agree' ? 'groupMembers.agreed' : 'groupMembers.refused';
  const danger = decision === 'refuse';
  return {
    [decision]: {
      on: 'row',
      label,
      may: 'group_member.review',
      danger,
      isFor: isReviewable,
      overlay: (member, { open, close, tell }) => (
        <ReviewMembersForm
          members={[member]}
          decision={decision}
          open={open}
          onClose={close}
          onReviewed={() => tell(phrase(told, named(member)))}
        />
      ),
    },
    [`${decision}Many`]: {
      on: 'rows',
      label,
      may: 'group_member.review',
      danger,
      because: whyNotReviewable,
      overlay: (members, { open, close, tell, done }) => (
        <ReviewMembersForm
          members={members}
          decision={decision}
          open={open}
          onClose={close}
          onReviewed={(count) => {
            done();
            tell(phrase('groupMembers.decided', { count }));
          }}
        />
      ),
    },
  };
}

const acts: Acts<GroupMember> = {
  add: {
    on: 'list',
    label: 'groupMembers.add',
    may: 'group_member.edit',
    overlay: (over) => (
      <GroupMemberFormDrawer
        member={null}
        given={givenValues(takes, over.given)}
        {...formIn(over, (member: GroupMember) =>
          phrase(member.state === 'waiting' ? 'groupMembers.added' : 'groupMembers.invited', named(member)),
        )}
      />
    ),
  },
  import: {
    on: 'list',
    label: 'groupMembers.import',
    icon: <UploadOutlined />,
    may: 'group_member.edit',
    overlay: ({ open, close, tell }) => <GroupMemberImportDialog open={open} onClose={close} onDone={tell} />,
  },
  ...review('agree'),
  ...review('refuse'),
  change: {
    on: 'row',
    label: 'groupMembers.change',
    may: 'group_member.edit',
    isFor: isOpen,
    overlay: (member, over) => (
      <GroupMemberFormDrawer
        member={member}
        given={{}}
        {...formIn(over, (saved: GroupMember) => phrase('groupMembers.saved', named(saved)))}
      />
    ),
  },
  release: asking({
    label: 'groupMembers.release',
    may: 'group_member.release',
    danger: true,
    isFor: isOpen,
    question: (member) => phrase('groupMembers.releaseQuestion', named(member)),
    details: (member) => phrase('groupMembers.releaseDetails', named(member)),
    act: ({ id }, idempotencyKey) => call(releaseGroupMember, { params: { id }, idempotencyKey }),
    told: (member) => phrase('groupMembers.released', named(member)),
    changes: [listGroups],
  }),
  orders: {
    on: 'row',
    label: 'groupMembers.orders',
    isFor: ({ customerId }) => customerId !== null,
    leads: ({ groupId, customerId }) => place('groupOrderList', { groupId, customerId: customerId ?? undefined }),
  },
  audit: auditOf('group_member'),
};

/** Users of groups: add, import, review, limits, unbind; /userList. */
export default function GroupMemberListPage() {
  return (
    <ListPage
      list={listGroupMembers}
      title="groupMembers.title"
      record="groupMembers.member"
      nameOf={({ phone }) => phone}
      filters={filters}
      columns={[
        'phone',
        'name',
        'groupName',
        'state',
        'opinion',
        'monthSpentFen',
        'limitFen',
        'monthCharges',
        'limitCharges',
        'potFen',
        'potHeldFen',
        'source',
        'reviewerName',
        'reviewedAt',
        'agentName',
        'createdAt',
        'releasedAt',
      ]}
      look={look}
      acts={acts}
      one={getGroupMember}
      empty={{ title: 'groupMembers.empty', text: 'groupMembers.emptyText' }}
    />
  );
}
