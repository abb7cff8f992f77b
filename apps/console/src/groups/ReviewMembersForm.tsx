import {
  type GroupMember,
  getGroupMember,
  listGroupMembers,
  reviewGroupMembers,
} from '@voltdeck/contract/group-members';
import { getGroup, listGroups } from '@voltdeck/contract/groups';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = {
  members: readonly GroupMember[];
  decision: 'agree' | 'refuse';
  open: boolean;
  onClose: () => void;
  onReviewed: (count: number) => void;
};

const titles = {
  agree: { one: 'groupMembers.agreeTitle', many: 'groupMembers.agreeManyTitle', verb: 'groupMembers.agree' },
  refuse: { one: 'groupMembers.refuseTitle', many: 'groupMembers.refuseManyTitle', verb: 'groupMembers.refuse' },
} as const;

/** Agrees to bindings or refuses them, with an opinion. */
export default function ReviewMembersForm({ members, decision, open, onClose, onReviewed }: Props) {
  const { one, many, verb } = titles[decision];
  const [first] = members;
  return (
    <RouteForm
      as="dialog"
      danger={decision === 'refuse'}
      route={reviewGroupMembers}
      given={{ ids: members.map(({ id }) => id), decision }}
      title={
        members.length === 1 && first !== undefined
          ? phrase(one, { phone: first.phone, group: first.groupName })
          : phrase(many, { count: members.length })
      }
      submitLabel={phrase(verb)}
      fields={{ opinion: { label: 'groupMembers.opinion', rows: 3, requiredIf: () => decision === 'refuse' } }}
      fieldOf={{ 'group_member.opinion_required': 'opinion' }}
      refreshes={[listGroupMembers, getGroupMember, listGroups, getGroup]}
      open={open}
      onClose={onClose}
      onSaved={({ decided }) => onReviewed(decided)}
    />
  );
}
