import {
  changeSettlementTerms,
  getSettlementPeriod,
  getSettlementTerms,
  listSettlementPeriods,
  type SettlementPeriod,
} from '@voltdeck/contract/settlements';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

/** An agent or a divider, of whose ids the other is null. */
export type SettledParty = Pick<SettlementPeriod, 'agentId' | 'dividerId' | 'partyName'>;

type Props = {
  period: SettledParty;
  open: boolean;
  onClose: () => void;
  onSaved: () => void;
};

/** How often a party is settled with, and whether by itself. */
export default function SettlementTermsForm({ period, open, onClose, onSaved }: Props) {
  const { agentId, dividerId, partyName } = period;
  const party = agentId === null ? { dividerId: dividerId ?? undefined } : { agentId };
  const { data: terms } = useAnswer(getSettlementTerms, { query: party }, { enabled: open });
  if (terms === undefined) return null;
  const { cycle, settlesItself, changeableOn, newCycleFrom } = terms;
  const whyNot = changeableOn === null ? undefined : phrase('settlements.changedOn', { day: changeableOn });
  return (
    <RouteForm
      as="dialog"
      route={changeSettlementTerms}
      draft={`settlement ${agentId ?? ''} ${dividerId ?? ''}`}
      title={phrase('settlements.changeTitle', { party: partyName })}
      submitLabel={phrase('settlements.change')}
      because={whyNot}
      intro={<p>{whyNot ?? phrase('settlements.changeNote', { day: newCycleFrom })}</p>}
      initial={{ cycle, settlesItself }}
      fields={{
        cycle: {
          label: 'settlements.newCycle',
          word: (each) => phrase(`settlement-cycle.${each}`),
          hint: () => phrase('settlements.nowCycle', { cycle: phrase(`settlement-cycle.${cycle}`) }),
        },
        settlesItself: {
          label: 'settlements.settlesItself',
          flagWords: ['settlements.byItself', 'settlements.byHand'],
        },
      }}
      adjust={(body) => ({ ...body, ...party })}
      refreshes={[listSettlementPeriods, getSettlementPeriod, getSettlementTerms]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
