import { getInvoice, type Invoice, listInvoices, reviewInvoices } from '@voltdeck/contract/invoices';
import { Alert } from 'antd';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { sumText } from './invoice-words.ts';

type Props = { invoices: readonly Invoice[]; open: boolean; onClose: () => void; onReviewed: (told: string) => void };

/** Passes or rejects the selected applications together; the server says what is still missing. */
export default function ReviewInvoicesForm({ invoices, open, onClose, onReviewed }: Props) {
  return (
    <RouteForm
      as="dialog"
      route={reviewInvoices}
      given={{ ids: invoices.map(({ id }) => id) }}
      title={phrase('invoices.reviewTitle', { count: invoices.length })}
      submitLabel={phrase('invoices.reviewMany')}
      intro={
        invoices.length === 0 ? (
          <Alert type="info" showIcon title={phrase('invoices.rowsFirst')} />
        ) : (
          <p>{phrase('invoices.reviewIntro', { amount: sumText(invoices) })}</p>
        )
      }
      fields={{
        decision: { label: 'invoices.decision', word: (value) => phrase(`invoices.decision.${value}`) },
        reason: { label: 'invoices.reason', rows: 3, shownIf: ({ decision }) => decision === 'reject' },
      }}
      fieldOf={{ 'invoice.decision_required': 'decision', 'invoice.reason_required': 'reason' }}
      refreshes={[listInvoices, getInvoice]}
      open={open}
      onClose={onClose}
      onSaved={({ decided }) => onReviewed(phrase('invoices.reviewed', { count: decided }))}
    />
  );
}
