import type { InvoiceChoices } from '@voltdeck/contract/invoices';
import type { OrderId } from '@voltdeck/units/id';
import { Checkbox } from 'antd';
import { phrase } from '../phrases.ts';
import { energyText, moneyText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import styles from './invoices.module.css';

type Props = {
  /** Undefined until a registered user is chosen. */
  orders: InvoiceChoices['orders'] | undefined;
  /** Set by the form. */
  id?: string;
  value?: readonly OrderId[];
  onChange?: (value: OrderId[]) => void;
};

/** The settled orders of a registered user to choose from; one that cannot be invoiced says why. */
export function OrderPicker({ orders, id, value = [], onChange }: Props) {
  if (orders === undefined) return <p id={id}>{phrase('invoices.chooseCustomer')}</p>;
  if (orders.length === 0) return <p id={id}>{phrase('invoices.noOrders')}</p>;
  const chosen = new Set(value);
  const toggle = (orderId: OrderId) => {
    const next = new Set(chosen);
    if (!next.delete(orderId)) next.add(orderId);
    onChange?.([...next]);
  };
  return (
    <ul id={id} className={styles.picker}>
      {orders.map(({ orderId, number, siteName, agentName, endedAt, energyWh, amountFen, obstacle }) => (
        <li key={orderId}>
          <Checkbox checked={chosen.has(orderId)} disabled={obstacle !== null} onChange={() => toggle(orderId)}>
            <span className="figure">{number}</span> · {siteName}
            {agentName === null ? null : ` · ${agentName}`}
            <br />
            <span className={styles.second}>
              {endedAt === null ? null : <Instant at={endedAt} exact />} · {energyText(energyWh)} kWh ·{' '}
              {obstacle === null ? moneyText(amountFen) : phrase(`invoice-obstacle.${obstacle}`)}
            </span>
          </Checkbox>
        </li>
      ))}
    </ul>
  );
}
