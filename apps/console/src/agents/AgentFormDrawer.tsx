import {
  type Agent,
  changeAgent,
  createAgent,
  findAgents,
  getAgent,
  listAgents,
  type PayoutKind,
} from '@voltdeck/contract/agents';
import { listUsers } from '@voltdeck/contract/users';
import { phrase } from '../phrases.ts';
import { useSession } from '../session/session.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { recordChoices } from '../ui/list/record-choices.ts';

type Props = {
  /** Null for a new one. */
  agent: Agent | null;
  open: boolean;
  onClose: () => void;
  /** `password` is set for a new agent. */
  onSaved: (agent: Agent, password: string | null) => void;
};

type Asked = { payoutKind?: PayoutKind | null | undefined };
const hasPayout = ({ payoutKind }: Asked) => payoutKind !== undefined && payoutKind !== null;
const isCorporate = ({ payoutKind }: Asked) => payoutKind === 'corporate';

/** Adds an agent with its main account, or changes one. */
export default function AgentFormDrawer({ agent, open, onClose, onSaved }: Props) {
  const { user } = useSession();
  const isPlatform = user.dataScope === 'platform';
  // From above, a payout account is only set for the first time.
  const isSet = () => !isPlatform && agent !== null && agent.payoutKind !== null;
  return (
    <RouteForm
      route={createAgent}
      change={changeAgent}
      record={agent}
      title={agent === null ? phrase('agents.addTitle') : phrase('agents.editTitle', { name: agent.realName })}
      submitLabel={phrase(agent === null ? 'agents.add' : 'agents.save')}
      draft={`agent ${agent?.id ?? 'add'}`}
      initial={{ kind: 'agent' }}
      fields={{
        loginName: {
          label: 'agents.loginName',
          kind: 'code',
          hint: 'agents.loginNameHint',
          heading: 'agents.accountPart',
        },
        realName: { label: 'agents.realName', hint: 'agents.realNameHint', requiredIf: () => true },
        // An agent of an earlier version may have none.
        phone: { label: 'agents.phone', hint: 'agents.phoneHint', requiredIf: () => agent?.phone !== null },
        positionId: { label: 'agents.position', hint: 'agents.positionHint' },
        sharePercent: {
          label: 'agents.share',
          hint: agent === null ? 'agents.shareHint' : 'agents.shareAfter',
          heading: 'agents.businessPart',
          requiredIf: () => true,
        },
        parentId: {
          label: 'agents.parent',
          choices: recordChoices.agent,
          hint: isPlatform ? 'agents.parentHint' : 'agents.ownParentHint',
        },
        kind: { label: 'agents.kind', word: (kind) => phrase(`agent-kind.${kind}`) },
        contact: { label: 'agents.contact' },
        address: { label: 'agents.address', kind: 'text' },
        creditCode: { label: 'agents.creditCode', kind: 'code', hint: 'agents.creditCodeHint' },
        subscribedOn: {
          label: 'agents.subscribedOn',
          ...(agent === null ? { hint: 'agents.subscribedOnHint' as const } : {}),
        },
        licenceFileId: {
          label: 'agents.licence',
          pictures: { purpose: 'licence' },
          from: ({ licenceFileId: id, licenceUrl: url, realName: name }) =>
            id === null || url === null ? [] : [{ id, key: String(id), url, name }],
        },
        payoutKind: {
          label: 'agents.payoutKind',
          kind: 'select',
          word: (kind) => phrase(`payout-kind.${kind}`),
          hint: isSet() ? 'error.payout_account.already_set' : 'agents.payoutKindHint',
          fixedIf: isSet,
          heading: 'agents.payoutPart',
        },
        payoutHolder: { label: 'agents.payoutHolder', fixedIf: isSet, shownIf: hasPayout, requiredIf: hasPayout },
        payoutBank: { label: 'agents.payoutBank', fixedIf: isSet, shownIf: hasPayout, requiredIf: hasPayout },
        payoutBranch: { label: 'agents.payoutBranch', fixedIf: isSet, shownIf: hasPayout, requiredIf: isCorporate },
        payoutBankCode: {
          label: 'agents.payoutBankCode',
          kind: 'code',
          hint: 'agents.payoutBankCodeHint',
          fixedIf: isSet,
          shownIf: hasPayout,
          requiredIf: isCorporate,
        },
        payoutNumber: {
          label: 'agents.payoutNumber',
          kind: 'code',
          fixedIf: isSet,
          shownIf: hasPayout,
          requiredIf: hasPayout,
        },
      }}
      // An emptied subscription date of a new agent means today.
      adjust={({ subscribedOn, ...body }) => ({
        ...body,
        ...(agent === null && subscribedOn === null ? {} : { subscribedOn }),
      })}
      fieldOf={{
        'user.name_taken': 'loginName',
        'user.phone_taken': 'phone',
        'position.beyond_own': 'positionId',
        'agent.no_position': 'positionId',
        'agent.no_account': 'positionId',
        'agent.too_deep': 'parentId',
        'agent.circle': 'parentId',
        'agent.positions_of_parent': 'parentId',
      }}
      refreshes={[listAgents, getAgent, findAgents, listUsers]}
      open={open}
      onClose={onClose}
      onSaved={(saved) => onSaved(saved, 'initialPassword' in saved ? saved.initialPassword : null)}
    />
  );
}
