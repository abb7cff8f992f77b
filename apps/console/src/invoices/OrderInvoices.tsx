import { listInvoices } from '@voltdeck/contract/invoices';
import type { OrderId } from '@voltdeck/units/id';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { moneyText } from '../ui/figures.ts';
import { Panel } from '../ui/Panel.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { invoiceTones } from '../ui/state-colours.ts';
import styles from './invoices.module.css';

const shownMax = 10;

/** The invoices that an order is or was on; nothing where there is none. */
export default function OrderInvoices({ orderId }: { orderId: OrderId }) {
  const { data } = useAnswer(listInvoices, { query: { orderId, pageSize: shownMax } });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Panel title={phrase('invoices.ofOrder')}>
      <ul className={styles.list}>
        {data.items.map(({ id, number, kind, step, state, attention, amountFen }) => (
          <li key={id}>
            <ScreenLink screen="invoiceList" query={{ number }}>
              {number}
            </ScreenLink>{' '}
            {kind === 'red' ? `${phrase('invoice-kind.red')} ` : null}
            {moneyText(amountFen)} <StateTag tone={invoiceTones[state]}>{phrase(`invoice-step.${step}`)}</StateTag>{' '}
            {attention === null ? null : (
              <StateTag tone="occupied">{phrase(`invoice-attention.${attention}`)}</StateTag>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
