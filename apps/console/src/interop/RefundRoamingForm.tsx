import {
  getRoamingCharge,
  listRoamingCharges,
  type RoamingCharge,
  type RoamingChargeDetail,
  refundRoamingCharge,
} from '@voltdeck/contract/roaming';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = {
  charge: RoamingCharge;
  open: boolean;
  onClose: () => void;
  onSaved: (charge: RoamingChargeDetail) => void;
};

/** Gives a customer back what both operators agreed was billed too much. */
export default function RefundRoamingForm({ charge, open, onClose, onSaved }: Props) {
  const { id, sequence, refundableFen } = charge;
  const max = moneyText(refundableFen);
  return (
    <RouteForm
      as="dialog"
      route={refundRoamingCharge}
      params={{ id }}
      title={phrase('roaming.refundTitle', { sequence })}
      submitLabel={({ amountFen }) => phrase('roaming.refundVerb', { amount: moneyText(amountFen ?? 0) })}
      intro={<p>{phrase('roaming.refundIntro', { max })}</p>}
      fields={{
        amountFen: {
          label: 'roaming.refundAmount',
          check: (amountFen) =>
            amountFen > 0 && amountFen <= refundableFen ? null : phrase('roaming.refundRange', { max }),
        },
        reason: { label: 'roaming.reason', hint: 'roaming.reasonHint', rows: 3 },
      }}
      fieldOf={{ 'order.refund_too_high': 'amountFen' }}
      refreshes={[listRoamingCharges, getRoamingCharge]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
