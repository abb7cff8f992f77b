import { changeGroup, createGroup, type Group, getGroup, groupSitesMax, listGroups } from '@voltdeck/contract/groups';
import { phrase } from '../phrases.ts';
import { seesAgents } from '../session/reach.ts';
import { useSession } from '../session/session.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { recordChoices } from '../ui/list/record-choices.ts';
import { RecordsSelect } from '../ui/RecordsSelect.tsx';

type Props = {
  /** Null for a new one. */
  group: Group | null;
  open: boolean;
  onClose: () => void;
  onSaved: (group: Group) => void;
};

/** Adds a group or changes one. */
export default function GroupFormDrawer({ group, open, onClose, onSaved }: Props) {
  const session = useSession();
  return (
    <RouteForm
      route={createGroup}
      change={changeGroup}
      record={group}
      title={group === null ? phrase('groups.addTitle') : phrase('groups.changeTitle', { name: group.name })}
      submitLabel={phrase(group === null ? 'groups.add' : 'groups.save')}
      draft={`group ${group?.id ?? 'add'}`}
      initial={{ funding: 'shared' }}
      fields={{
        name: { label: 'groups.name' },
        contact: { label: 'groups.contact', isShort: true },
        contactPhone: { label: 'groups.contactPhone', isShort: true, hint: 'groups.contactPhoneHint' },
        cardNumber: { label: 'groups.cardNumber', hint: 'groups.cardNumberHint', shownIf: () => group === null },
        agentId: {
          label: 'groups.agent',
          hint: 'groups.agentHint',
          shownIf: () => group === null && seesAgents(session),
        },
        funding: {
          label: 'groups.funding',
          word: (funding) => phrase(`group-funding.${funding}`),
          hint: 'groups.fundingHint',
        },
        remark: { label: 'groups.remark', rows: 2 },
        monthLimitFen: { label: 'groups.monthLimit', hint: 'groups.monthLimitHint', heading: 'groups.limitPart' },
        monthLimitCharges: { label: 'groups.monthLimitCharges', hint: 'groups.monthLimitChargesHint' },
        siteIds: {
          label: 'groups.sites',
          hint: 'groups.sitesHint',
          from: ({ sites }) => sites.map(({ id }) => id),
          control: <RecordsSelect choices={recordChoices.site} max={groupSitesMax} known={group?.sites ?? []} />,
        },
        hours: { label: 'groups.hours', hint: 'groups.hoursHint', kind: 'text' },
        title: { label: 'groups.title', hint: 'groups.titleHint', heading: 'groups.titlePart' },
        taxNumber: { label: 'groups.taxNumber', kind: 'code' },
        titleAddress: { label: 'groups.titleAddress', kind: 'text' },
        titlePhone: { label: 'groups.titlePhone' },
        bank: { label: 'groups.bank' },
        bankAccount: { label: 'groups.bankAccount', kind: 'code' },
        email: { label: 'groups.email' },
      }}
      adjust={(body) => ({ ...body, siteIds: body.siteIds ?? [] })}
      fieldOf={{ 'card.number_taken': 'cardNumber', 'group.has_pots': 'funding' }}
      refreshes={[listGroups, getGroup]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
