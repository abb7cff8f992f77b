import {
  listPartnerCharges,
  listPartnerDays,
  type PartnerCharge,
  upholdPartnerCharge,
} from '@voltdeck/contract/roaming';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { charge: PartnerCharge; open: boolean; onClose: () => void; onSaved: (said: string) => void };

/** Ends what the daily comparison found, in favour of our order. */
export default function UpholdChargeForm({ charge, open, onClose, onSaved }: Props) {
  const { id, sequence, amountFen } = charge;
  return (
    <RouteForm
      as="dialog"
      route={upholdPartnerCharge}
      params={{ id }}
      title={phrase('roaming.upholdTitle', { sequence })}
      submitLabel={phrase('roaming.upholdVerb')}
      intro={<p>{phrase('roaming.upholdOrderIntro', { amount: moneyText(amountFen) })}</p>}
      fields={{ reason: { label: 'roaming.reason', hint: 'roaming.reasonHint', rows: 3 } }}
      refreshes={[listPartnerCharges, listPartnerDays]}
      open={open}
      onClose={onClose}
      onSaved={() => onSaved(phrase('roaming.upheld', { sequence }))}
    />
  );
}
