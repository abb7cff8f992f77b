import { type InvoiceCall, type InvoiceDetail, listInvoiceCalls } from '@voltdeck/contract/invoices';
import { Skeleton } from 'antd';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Instant } from '../ui/Instant.tsx';
import styles from './invoices.module.css';

/** What was said with the provider about an invoice, each call to be opened. */
export function InvoiceCalls({ invoice }: { invoice: Pick<InvoiceDetail, 'id'> }) {
  const answer = useAnswer(listInvoiceCalls, { params: { id: invoice.id } });
  if (answer.isPending) return <Skeleton active paragraph={{ rows: 2 }} title={false} />;
  if (answer.data === undefined) {
    return <ErrorState failure={answer.error} retry={() => void answer.refetch()} />;
  }
  const { items } = answer.data;
  return items.length === 0 ? (
    <p className={styles.second}>{phrase('invoices.noCalls')}</p>
  ) : (
    <ol className={styles.list}>
      {items.map((call) => (
        <li key={call.id}>
          <Call call={call} />
        </li>
      ))}
    </ol>
  );
}

function Call({ call }: { call: InvoiceCall }) {
  const { at, kind, outcome, tookMs, problem, number, requestId, status, request, response } = call;
  return (
    <details>
      <summary>
        <Instant at={at} exact /> {phrase(`invoice-call.${kind}`)} · {phrase(`invoice-call-outcome.${outcome}`)} ·{' '}
        {tookMs} ms
        {problem === null ? null : ` · ${problem}`}
      </summary>
      <p className={styles.second}>
        {phrase('invoices.requestNumber')} {number}
        {requestId === null ? null : ` · ${phrase('invoices.requestId')} ${requestId}`}
        {status === null ? null : ` · HTTP ${status}`}
      </p>
      <pre className={styles.body}>{request}</pre>
      {response === null ? null : <pre className={styles.body}>{response}</pre>}
    </details>
  );
}
