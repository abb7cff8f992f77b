import { getOrder, type OrderDetail } from '@voltdeck/contract/orders';
import { correctOrderShares, getOrderShares } from '@voltdeck/contract/shares';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { order: OrderDetail; open: boolean; onClose: () => void; onSaved: () => void };

/** Shares an order anew, with a reason, where its terms were entered wrong or too late. */
export default function CorrectSharesForm({ order: { id, number }, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      as="dialog"
      route={correctOrderShares}
      params={{ id }}
      draft={`share correction ${id}`}
      title={phrase('shares.correctTitle', { number })}
      submitLabel={phrase('shares.correct')}
      intro={<p>{phrase('shares.correctNote')}</p>}
      fields={{ reason: { label: 'shares.correctReason', rows: 3 } }}
      refreshes={[getOrderShares, getOrder]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
