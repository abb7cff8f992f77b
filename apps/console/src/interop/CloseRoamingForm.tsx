import {
  getRoamingCharge,
  listRoamingCharges,
  type RoamingCharge,
  upholdRoamingCharge,
  writeOffRoamingDebt,
} from '@voltdeck/contract/roaming';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = {
  charge: RoamingCharge;
  how: 'writeOff' | 'uphold';
  open: boolean;
  onClose: () => void;
  onSaved: (said: string) => void;
};

/** Ends what is left open of a paid charge: gives up its debt, or keeps to what was paid. */
export default function CloseRoamingForm({ charge, how, open, onClose, onSaved }: Props) {
  const { id, sequence, owedFen, amountFen, refundedFen } = charge;
  const usual = {
    as: 'dialog' as const,
    params: { id },
    fields: { reason: { label: 'roaming.reason', hint: 'roaming.reasonHint', rows: 3 } } as const,
    refreshes: [listRoamingCharges, getRoamingCharge],
    open,
    onClose,
  };
  if (how === 'writeOff') {
    return (
      <RouteForm
        {...usual}
        danger
        route={writeOffRoamingDebt}
        title={phrase('roaming.writeOffTitle', { sequence })}
        submitLabel={phrase('roaming.writeOffVerb')}
        intro={<p>{phrase('roaming.writeOffIntro', { owed: moneyText(owedFen) })}</p>}
        onSaved={() => onSaved(phrase('roaming.writtenOff', { sequence }))}
      />
    );
  }
  return (
    <RouteForm
      {...usual}
      route={upholdRoamingCharge}
      title={phrase('roaming.upholdTitle', { sequence })}
      submitLabel={phrase('roaming.upholdVerb')}
      intro={<p>{phrase('roaming.upholdIntro', { amount: moneyText(amountFen - refundedFen) })}</p>}
      onSaved={() => onSaved(phrase('roaming.upheld', { sequence }))}
    />
  );
}
