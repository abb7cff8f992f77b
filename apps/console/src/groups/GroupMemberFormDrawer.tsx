import {
  changeGroupMember,
  createGroupMember,
  type GroupMember,
  getGroupMember,
  listGroupMembers,
} from '@voltdeck/contract/group-members';
import { getGroup, listGroups } from '@voltdeck/contract/groups';
import type { GroupId } from '@voltdeck/units/id';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { recordChoices } from '../ui/list/record-choices.ts';

type Props = {
  /** Null for a new one. */
  member: GroupMember | null;
  given: { groupId?: GroupId };
  open: boolean;
  onClose: () => void;
  onSaved: (member: GroupMember) => void;
};

/** Names a user of a group, or changes the name and the limits of one. */
export default function GroupMemberFormDrawer({ member, given, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      route={createGroupMember}
      change={changeGroupMember}
      record={member}
      title={
        member === null ? phrase('groupMembers.addTitle') : phrase('groupMembers.changeTitle', { phone: member.phone })
      }
      submitLabel={phrase(member === null ? 'groupMembers.add' : 'groupMembers.save')}
      draft={`group user ${member?.id ?? 'add'}`}
      initial={given}
      fields={{
        groupId: { label: 'groupMembers.group', choices: recordChoices.group, shownIf: () => member === null },
        customerPhone: {
          label: 'groupMembers.phone',
          hint: 'groupMembers.phoneHint',
          shownIf: () => member === null,
          from: ({ phone }) => phone,
        },
        name: { label: 'groupMembers.name', hint: 'groupMembers.nameHint' },
        monthLimitFen: { label: 'groupMembers.monthLimit', hint: 'groupMembers.ownLimitHint' },
        monthLimitCharges: { label: 'groupMembers.monthLimitCharges', hint: 'groupMembers.ownLimitHint' },
      }}
      fieldOf={{
        'group.disabled': 'groupId',
        'group_member.named_already': 'customerPhone',
        'group_member.bound_elsewhere': 'customerPhone',
      }}
      refreshes={[listGroupMembers, getGroupMember, listGroups, getGroup]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
