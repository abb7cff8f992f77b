import {
  getReconciliationDay,
  listReconciliationDays,
  listReconciliationDifferences,
  type ReconciliationDay,
  sealReconciliationDay,
} from '@voltdeck/contract/reconciliation';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = {
  day: ReconciliationDay;
  open: boolean;
  onClose: () => void;
  onSaved: (sealed: ReconciliationDay) => void;
};

/** Seals a day whose bill of a channel never came, with how that is known. */
export default function SealWithoutBillForm({ day: { day, parts }, open, onClose, onSaved }: Props) {
  const channels = parts
    .filter(({ state }) => state === 'waiting')
    .map((part) => phrase(`counterpart.${part.counterpart}`));
  return (
    <RouteForm
      as="dialog"
      route={sealReconciliationDay}
      params={{ day }}
      title={phrase('reconciliation.sealQuestion', { day })}
      submitLabel={phrase('reconciliation.seal')}
      intro={<p>{phrase('reconciliation.missingBillIntro', { channels: channels.join(', ') })}</p>}
      fields={{
        missingBillReason: { label: 'reconciliation.missingBillReason', rows: 3, requiredIf: () => true },
      }}
      refreshes={[listReconciliationDays, getReconciliationDay, listReconciliationDifferences]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
