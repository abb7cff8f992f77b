import { type GridBill, getGridBill, listGridBills, lockGridBill } from '@voltdeck/contract/grid-bills';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { bill: GridBill; open: boolean; onClose: () => void; onSaved: (bill: GridBill) => void };

/** Unlocks a bill with a reason, so that it can be changed again. */
export default function UnlockGridBillForm({ bill, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      as="dialog"
      route={lockGridBill}
      params={{ id: bill.id }}
      given={{ locked: false }}
      title={`${phrase('gridBills.unlock')} · ${bill.siteName} ${bill.fromOn} – ${bill.toOn}`}
      submitLabel={phrase('gridBills.unlock')}
      fields={{ reason: { label: 'gridBills.unlockReason', rows: 2, requiredIf: () => true } }}
      fieldOf={{ 'review.reason_required': 'reason' }}
      refreshes={[listGridBills, getGridBill]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
