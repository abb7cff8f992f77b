import { getInvoice, type Invoice, listInvoices, sendInvoice } from '@voltdeck/contract/invoices';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { invoice: Invoice; open: boolean; onClose: () => void; onSaved: (invoice: Invoice) => void };

/** Sends the document to an address, the one before or another. */
export default function SendInvoiceForm({ invoice, open, onClose, onSaved }: Props) {
  // The server knows the whole of it.
  const isMasked = invoice.email.includes('*');
  return (
    <RouteForm
      as="dialog"
      route={sendInvoice}
      params={{ id: invoice.id }}
      title={phrase('invoices.sendTitle', { number: invoice.number })}
      submitLabel={phrase('invoices.send')}
      intro={<p>{phrase('invoices.sendIntro')}</p>}
      initial={isMasked ? {} : { email: invoice.email }}
      fields={{
        email: {
          label: 'invoices.sendEmail',
          hint: () => (isMasked ? phrase('invoices.sendToKnown', { email: invoice.email }) : undefined),
          requiredIf: () => invoice.email === '',
        },
      }}
      refreshes={[listInvoices, getInvoice]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
