import type { OrderDetail } from '@voltdeck/contract/orders';
import { phrase } from '../phrases.ts';
import { nothingText, priceText, yuanText } from '../ui/figures.ts';
import { Panel } from '../ui/Panel.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import styles from './order-page.module.css';
import { PeriodChip } from './PeriodChip.tsx';
import { besideOurs, e4Text, tenthsWhText } from './station-bill-rows.ts';

/** The station's own bill for the charge, beside ours. */
export function StationBillPanel({ order }: { order: OrderDetail }) {
  if (order.stationBill === null) return null;
  const { rows, isDifferent } = besideOurs(order, order.stationBill);
  // Before settlement there is no bill of ours to compare with.
  const isBilled = order.state === 'completed';
  const { amountE4, energyTenthsWh, meterStartTenthsWh, meterStopTenthsWh } = order.stationBill;
  return (
    <Panel
      title={phrase('orders.stationBill')}
      flush
      tools={
        isBilled || isDifferent ? (
          <StateTag tone={isDifferent ? 'fault' : 'free'}>
            {phrase(isDifferent ? 'orders.stationBillDiffers' : 'orders.stationBillAgrees')}
          </StateTag>
        ) : undefined
      }
    >
      <ScrollRegion label={phrase('orders.stationBill')}>
        <table className={styles.figures}>
          <thead>
            <tr>
              <th scope="col">{phrase('orders.period')}</th>
              <th scope="col" className={styles.right}>{`${phrase('orders.energy')} (kWh)`}</th>
              <th scope="col" className={styles.right}>
                {phrase('orders.stationPrice')}
              </th>
              <th scope="col" className={styles.right}>
                {phrase('orders.ourPrice')}
              </th>
              <th scope="col" className={styles.right}>{`${phrase('orders.stationAmount')} (¥)`}</th>
              <th scope="col" className={styles.right}>{`${phrase('orders.ourAmount')} (¥)`}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.period}>
                <td>
                  <PeriodChip period={row.period} />
                </td>
                <td className={styles.right}>{tenthsWhText(row.energyTenthsWh)}</td>
                <td className={styles.right}>{priceText(row.priceE5)}</td>
                <td className={styles.right}>{row.ourPriceE5 === null ? nothingText : priceText(row.ourPriceE5)}</td>
                <td className={styles.right}>{e4Text(row.amountE4)}</td>
                <td className={styles.right}>{isBilled ? yuanText(row.ourFen) : nothingText}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{phrase('orders.total')}</th>
              <td className={styles.right}>{tenthsWhText(energyTenthsWh)}</td>
              <td />
              <td />
              <td className={styles.right}>{e4Text(amountE4)}</td>
              <td className={styles.right}>{isBilled ? yuanText(order.amountFen) : nothingText}</td>
            </tr>
          </tfoot>
        </table>
      </ScrollRegion>
      <p className={styles.registers}>
        {phrase('orders.stationRegisters', {
          from: tenthsWhText(meterStartTenthsWh),
          to: tenthsWhText(meterStopTenthsWh),
        })}
      </p>
    </Panel>
  );
}
