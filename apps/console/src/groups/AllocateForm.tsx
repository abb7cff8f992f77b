import { listGroupMembers } from '@voltdeck/contract/group-members';
import { allocateToMembers, type Group, getGroup, listGroups, membersAtOnceMax } from '@voltdeck/contract/groups';
import { listMovements } from '@voltdeck/contract/movements';
import type { AnswerOf } from '@voltdeck/contract/route';
import { phrase } from '../phrases.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { RecordsSelect } from '../ui/RecordsSelect.tsx';
import { boundMembersOf } from './bound-members.ts';

export type Moved = AnswerOf<typeof allocateToMembers>;

type Props = { group: Group; open: boolean; onClose: () => void; onSaved: (moved: Moved) => void };

/** Fills the pots of members from the balance of their group. */
export default function AllocateForm({ group, open, onClose, onSaved }: Props) {
  const confirm = useConfirm();
  const { id, name, balanceFen, boundCount } = group;
  return (
    <RouteForm
      as="dialog"
      route={allocateToMembers}
      params={{ id }}
      draft={`group allocation ${id}`}
      title={phrase('groups.allocateTitle', { name })}
      submitLabel={phrase('groups.allocate')}
      intro={<p>{phrase('groups.allocateIntro', { balance: moneyText(balanceFen), count: boundCount })}</p>}
      initial={{ way: 'each' }}
      fields={{
        way: { label: 'groups.allocateWay', word: (way) => phrase(`allocation-way.${way}`) },
        amountFen: { label: 'groups.allocateAmount' },
        memberIds: {
          label: 'groups.allocateMembers',
          hint: 'groups.allocateMembersHint',
          control: <RecordsSelect choices={boundMembersOf(id)} max={membersAtOnceMax} />,
        },
        remark: { label: 'groups.remark', rows: 2 },
      }}
      asksFirst={async ({ way, amountFen, memberIds }) =>
        amountFen !== undefined &&
        confirm({
          question: phrase(way === 'fill' ? 'groups.allocateFillQuestion' : 'groups.allocateEachQuestion', {
            amount: moneyText(amountFen),
            count: memberIds?.length || boundCount,
          }),
          verb: phrase('groups.allocate'),
        })
      }
      fieldOf={{ 'group.balance': 'amountFen', 'group.nothing_to_move': 'amountFen', 'group.no_members': 'memberIds' }}
      refreshes={[listGroups, getGroup, listGroupMembers, listMovements]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
