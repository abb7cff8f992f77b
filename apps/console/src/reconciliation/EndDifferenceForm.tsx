import {
  endReconciliationDifference,
  getReconciliationDay,
  getReconciliationDifference,
  listReconciliationDays,
  listReconciliationDifferences,
  type ReconciliationDifference,
} from '@voltdeck/contract/reconciliation';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { numberOf } from './record-place.ts';

type Props = {
  difference: ReconciliationDifference;
  open: boolean;
  onClose: () => void;
  onSaved: (ended: ReconciliationDifference) => void;
};

/** Records how a difference was dealt with, and why. */
export default function EndDifferenceForm({ difference, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      as="dialog"
      route={endReconciliationDifference}
      params={{ id: difference.id }}
      title={phrase('reconciliation.endTitle', { number: numberOf(difference) })}
      submitLabel={phrase('reconciliation.end')}
      intro={<p>{phrase('reconciliation.endIntro')}</p>}
      fields={{
        outcome: { label: 'reconciliation.outcome', word: (outcome) => phrase(`difference-outcome.${outcome}`) },
        reason: { label: 'reconciliation.reason', rows: 3 },
      }}
      refreshes={[
        listReconciliationDifferences,
        getReconciliationDifference,
        listReconciliationDays,
        getReconciliationDay,
      ]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
