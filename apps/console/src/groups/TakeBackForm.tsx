import { listGroupMembers } from '@voltdeck/contract/group-members';
import { type Group, getGroup, listGroups, membersAtOnceMax, takeBackFromMembers } from '@voltdeck/contract/groups';
import { listMovements } from '@voltdeck/contract/movements';
import { phrase } from '../phrases.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { RecordsSelect } from '../ui/RecordsSelect.tsx';
import type { Moved } from './AllocateForm.tsx';
import { boundMembersOf } from './bound-members.ts';

type Props = { group: Group; open: boolean; onClose: () => void; onSaved: (moved: Moved) => void };

/** Takes money out of the pots of members back to their group. */
export default function TakeBackForm({ group, open, onClose, onSaved }: Props) {
  const confirm = useConfirm();
  const { id, name, potsFen, boundCount } = group;
  return (
    <RouteForm
      as="dialog"
      danger
      route={takeBackFromMembers}
      params={{ id }}
      title={phrase('groups.takeBackTitle', { name })}
      submitLabel={phrase('groups.takeBack')}
      intro={<p>{phrase('groups.takeBackIntro', { pots: moneyText(potsFen) })}</p>}
      fields={{
        amountFen: { label: 'groups.takeBackAmount', hint: 'groups.takeBackAmountHint' },
        memberIds: {
          label: 'groups.allocateMembers',
          hint: 'groups.allocateMembersHint',
          control: <RecordsSelect choices={boundMembersOf(id)} max={membersAtOnceMax} />,
        },
        remark: { label: 'groups.remark', rows: 2 },
      }}
      asksFirst={async ({ amountFen, memberIds }) => {
        const count = memberIds?.length || boundCount;
        const amount = moneyText(amountFen ?? potsFen);
        const whole = memberIds?.length ? 'groups.takeBackWholeQuestion' : 'groups.takeBackAllQuestion';
        return confirm({
          question: phrase(amountFen === undefined ? whole : 'groups.takeBackQuestion', { count, amount }),
          verb: phrase('groups.takeBack'),
        });
      }}
      fieldOf={{ 'group.nothing_to_move': 'amountFen', 'group.no_members': 'memberIds' }}
      refreshes={[listGroups, getGroup, listGroupMembers, listMovements]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
