import { startRehearsal } from '@voltdeck/contract/rehearsals';
import type { Tariff } from '@voltdeck/contract/tariffs';
import { listTasks } from '@voltdeck/contract/tasks';
import type { TariffId } from '@voltdeck/units/id';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { recordChoices } from '../ui/list/record-choices.ts';
import { lastMonth } from './last-month.ts';

type Props = {
  /** A stored rule, or one that was not saved. */
  rule: { id: TariffId; name: string } | { draft: Tariff['detail']; name: string };
  open: boolean;
  onClose: () => void;
};

/** Asks over which charges a rule is rehearsed, starts it and leads to its page. */
export default function RehearsalFormDrawer({ rule, open, onClose }: Props) {
  const navigate = useNavigate();
  const [initial] = useState(() => lastMonth(Date.now()));
  return (
    <RouteForm
      route={startRehearsal}
      title={phrase('rehearsals.start', { name: rule.name })}
      submitLabel={phrase('rehearsals.begin')}
      given={'id' in rule ? { tariffId: rule.id } : { draft: rule.draft, draftName: rule.name }}
      initial={initial}
      fields={{
        from: { label: 'rehearsals.from', isShort: true },
        to: { label: 'rehearsals.to', isShort: true },
        agentId: { label: 'rehearsals.agent', choices: recordChoices.agent },
        siteId: { label: 'rehearsals.site', choices: recordChoices.site },
        usedRuleId: {
          label: 'rehearsals.usedRule',
          hint: 'rehearsals.usedRuleHint',
          choices: recordChoices.tariff,
        },
      }}
      intro={<p>{phrase('rehearsals.intro')}</p>}
      refreshes={[listTasks]}
      open={open}
      onClose={onClose}
      onSaved={({ id }) => {
        onClose();
        void navigate(place('rehearsalDetail', { id }).address);
      }}
    />
  );
}
