import { getInvoice, type Invoice, listInvoices, reviewInvoices } from '@voltdeck/contract/invoices';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { sumText } from './invoice-words.ts';

type Props = { invoice: Invoice; open: boolean; onClose: () => void; onRejected: (told: string) => void };

/** Rejects an application with a reason, which its user reads. */
export default function RejectInvoiceForm({ invoice, open, onClose, onRejected }: Props) {
  return (
    <RouteForm
      as="dialog"
      danger
      route={reviewInvoices}
      given={{ ids: [invoice.id], decision: 'reject' as const }}
      title={phrase('invoices.rejectTitle', { count: 1 })}
      submitLabel={phrase('invoices.reject')}
      intro={<p>{phrase('invoices.rejectIntro', { amount: sumText([invoice]) })}</p>}
      fields={{
        // The server names what is missing in the specification's words.
        reason: { label: 'invoices.rejectionReason', rows: 3 },
      }}
      fieldOf={{ 'invoice.reason_required': 'reason' }}
      refreshes={[listInvoices, getInvoice]}
      open={open}
      onClose={onClose}
      onSaved={({ decided }) => onRejected(phrase('invoices.rejected', { count: decided }))}
    />
  );
}
