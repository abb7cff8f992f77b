import type { PayoutKind } from '@voltdeck/contract/agents';
import { changeDivider, createDivider, type Divider, getDivider, listDividers } from '@voltdeck/contract/dividers';
import type { AgentId } from '@voltdeck/units/id';
import { phrase } from '../phrases.ts';
import { useSession } from '../session/session.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { recordChoices } from '../ui/list/record-choices.ts';

type Props = {
  /** Null for a new one. */
  divider: Divider | null;
  /** The holder that a new one starts with. */
  agentId?: AgentId | undefined;
  open: boolean;
  onClose: () => void;
  /** `password` is set for a new account. */
  onSaved: (divider: Divider, password: string | null) => void;
};

type Asked = { payoutKind?: PayoutKind | null | undefined };
const hasPayout = ({ payoutKind }: Asked) => payoutKind !== undefined && payoutKind !== null;
const isCorporate = ({ payoutKind }: Asked) => payoutKind === 'corporate';

/** Adds a divider, with an account if it gets a login name, or changes one. */
export default function DividerFormDrawer({ divider, agentId, open, onClose, onSaved }: Props) {
  const { user } = useSession();
  // Its holder only sets a first payout account.
  const isSet = () => user.dataScope !== 'platform' && divider !== null && divider.payoutKind !== null;
  return (
    <RouteForm
      route={createDivider}
      change={changeDivider}
      record={divider}
      title={divider === null ? phrase('dividers.add') : phrase('dividers.editTitle', { name: divider.name })}
      submitLabel={phrase(divider === null ? 'dividers.add' : 'dividers.save')}
      draft={`divider ${divider?.id ?? 'add'}`}
      initial={agentId === undefined ? {} : { agentId }}
      fields={{
        name: { label: 'dividers.name', hint: 'dividers.nameHint', requiredIf: () => true },
        agentId: {
          label: 'dividers.holder',
          choices: recordChoices.agent,
          hint: 'dividers.holderHint',
          shownIf: () => divider === null,
        },
        phone: { label: 'dividers.phone', hint: 'dividers.phoneHint' },
        enteredOn: {
          label: 'dividers.enteredOn',
          ...(divider === null ? { hint: 'dividers.enteredOnHint' as const } : {}),
        },
        loginName: {
          label: 'dividers.loginName',
          kind: 'code',
          hint: 'dividers.loginNameHint',
          shownIf: () => divider === null,
        },
        remark: { label: 'dividers.remark', rows: 2 },
        payoutKind: {
          label: 'dividers.payoutKind',
          kind: 'select',
          word: (kind) => phrase(`dividers.payout.${kind}`),
          hint: 'dividers.payoutKindHint',
          fixedIf: isSet,
          heading: 'dividers.payoutPart',
        },
        payoutHolder: { label: 'dividers.payoutHolder', fixedIf: isSet, shownIf: hasPayout, requiredIf: hasPayout },
        payoutBank: { label: 'dividers.payoutBank', fixedIf: isSet, shownIf: hasPayout, requiredIf: hasPayout },
        payoutBranch: { label: 'dividers.payoutBranch', fixedIf: isSet, shownIf: hasPayout, requiredIf: isCorporate },
        payoutBankCode: {
          label: 'dividers.payoutBankCode',
          kind: 'code',
          hint: 'dividers.payoutBankCodeHint',
          fixedIf: isSet,
          shownIf: hasPayout,
          requiredIf: isCorporate,
        },
        payoutNumber: {
          label: 'dividers.payoutNumber',
          kind: 'code',
          fixedIf: isSet,
          shownIf: hasPayout,
          requiredIf: hasPayout,
        },
      }}
      fieldOf={{
        'user.name_taken': 'loginName',
        'user.phone_taken': 'phone',
        'position.beyond_own': 'loginName',
        'divider.no_position': 'loginName',
      }}
      refreshes={[listDividers, getDivider]}
      open={open}
      onClose={onClose}
      onSaved={(saved) => onSaved(saved, 'initialPassword' in saved ? saved.initialPassword : null)}
    />
  );
}
