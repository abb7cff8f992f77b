import { getInvoice, type Invoice, listInvoices, redLetterInvoice } from '@voltdeck/contract/invoices';
import { subtractFen } from '@voltdeck/units/money';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { invoice: Invoice; open: boolean; onClose: () => void; onSaved: (invoice: Invoice) => void };

/** Takes back what was refunded of an issued invoice, or all that stands of it; it says how much. */
export default function RedLetterForm({ invoice, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      as="dialog"
      danger
      route={redLetterInvoice}
      params={{ id: invoice.id }}
      title={phrase('invoices.redTitle', { number: invoice.number })}
      submitLabel={phrase('invoices.redLetter')}
      initial={{ extent: invoice.attention === 'red_letter_needed' ? 'refunded' : 'rest' }}
      fields={{
        extent: {
          label: 'invoices.redExtent',
          word: (extent) => phrase(`invoice-red-extent.${extent}`),
          hint: ({ extent }) =>
            extent === 'refunded'
              ? phrase('invoices.redPartIntro')
              : phrase('invoices.redIntro', { amount: moneyText(subtractFen(invoice.amountFen, invoice.reddenedFen)) }),
        },
        reason: { label: 'invoices.redReason', rows: 3 },
      }}
      refreshes={[listInvoices, getInvoice]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
