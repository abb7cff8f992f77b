import type { OrderDetail } from '@voltdeck/contract/orders';
import { Checkbox } from 'antd';
import { useState } from 'react';
import { phrase } from '../phrases.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { energyText, moneyText, nothingText, priceText, yuanText } from '../ui/figures.ts';
import { Panel } from '../ui/Panel.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { type BillRow, billRows, billSums, exactFeeYuan, isRoundedProduct, periodSums } from './bill-rows.ts';
import styles from './order-page.module.css';
import { PeriodChip } from './PeriodChip.tsx';
import { spanText } from './span-text.ts';

function whyNoBill(order: OrderDetail): { title: string; text: string } {
  if (order.waitsFor === 'person') {
    return { title: phrase('orders.noBillWaits'), text: phrase('orders.noBillWaitsText') };
  }
  const isRunning = order.state === 'charging' || order.state === 'placed';
  const hasNoRule = order.tariff === null && order.startedAt !== null;
  return {
    title: phrase(isRunning ? 'orders.noBillYet' : 'orders.noBill'),
    text: phrase(hasNoRule ? 'orders.noRule' : 'orders.noBillText'),
  };
}

/** The billing rule of the order, and how its energy was divided into periods. */
function pricedByText({ tariff, pricedBy }: OrderDetail): string | undefined {
  const rule =
    tariff === null
      ? []
      : [tariff.name === null ? phrase('orders.freeOfCharge') : phrase('orders.pricedBy', { name: tariff.name })];
  const from = pricedBy === null ? [] : [phrase(`orders.pricedFrom.${pricedBy}`)];
  return [...rule, ...from].join(' · ') || undefined;
}

function tierText(row: Extract<BillRow, { kind: 'hour' }>): string {
  return row.tierToW === null
    ? phrase('orders.tierFrom', { from: row.tierFromW })
    : phrase('orders.tier', { from: row.tierFromW, to: row.tierToW });
}

/** The bill line by line: time, period, energy, prices and both fees. */
export function BillTable(props: {
  order: OrderDetail;
  /** The lines belong to a charge that is still running. */
  isEstimate?: boolean;
  forPaper?: boolean;
}) {
  const { order, isEstimate = false, forPaper = false } = props;
  const [explained, setExplained] = useState(false);
  const rows = billRows(order.lines);
  const sums = billSums(order.lines);
  const byPeriod = periodSums(order.lines);
  const isByHour = rows[0]?.kind === 'hour';
  const canExplain = rows.some((row) => row.kind === 'energy');
  const isRunning = order.state === 'charging' || order.state === 'placed';

  const table =
    rows.length === 0 ? (
      <EmptyState {...whyNoBill(order)} />
    ) : (
      <ScrollRegion label={phrase('orders.bill')}>
        <table className={styles.figures}>
          <thead>
            <tr>
              <th scope="col">{phrase('orders.span')}</th>
              <th scope="col">{phrase(isByHour ? 'orders.tierHead' : 'orders.period')}</th>
              <th scope="col" className={styles.right}>{`${phrase('orders.energy')} (kWh)`}</th>
              <th scope="col" className={styles.right}>
                {phrase(isByHour ? 'orders.stepsHead' : 'orders.electricityPriceHead')}
              </th>
              <th scope="col" className={styles.right}>
                {phrase(isByHour ? 'orders.stepPriceHead' : 'orders.servicePriceHead')}
              </th>
              <th scope="col" className={styles.right}>{`${phrase('orders.electricityFee')} (¥)`}</th>
              <th scope="col" className={styles.right}>{`${phrase('orders.serviceFee')} (¥)`}</th>
              <th scope="col" className={styles.right}>{`${phrase('orders.lineSum')} (¥)`}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <td className={`figure ${styles.nowrap}`}>{spanText(row.from, row.to)}</td>
                {row.kind === 'energy' ? (
                  <>
                    <td>
                      <PeriodChip period={row.period} />
                    </td>
                    <td className={styles.right}>{energyText(row.energyWh, 3)}</td>
                    <td className={styles.right}>{priceText(row.electricityPriceE5)}</td>
                    <td className={styles.right}>{priceText(row.servicePriceE5)}</td>
                    <td className={styles.right}>
                      {yuanText(row.electricityFeeFen)}
                      {explained ? (
                        <Calculation
                          energyWh={row.energyWh}
                          priceE5={row.electricityPriceE5}
                          feeFen={row.electricityFeeFen}
                        />
                      ) : null}
                    </td>
                    <td className={styles.right}>
                      {yuanText(row.serviceFeeFen)}
                      {explained ? (
                        <Calculation energyWh={row.energyWh} priceE5={row.servicePriceE5} feeFen={row.serviceFeeFen} />
                      ) : null}
                    </td>
                  </>
                ) : (
                  <>
                    <td className={styles.nowrap}>{tierText(row)}</td>
                    <td className={styles.right}>{energyText(row.energyWh, 3)}</td>
                    <td className={styles.right}>
                      {phrase('orders.stepsOf', { steps: row.steps, minutes: row.stepMinutes })}
                    </td>
                    <td className={styles.right}>{yuanText(row.feeFenPerStep)}</td>
                    <td className={styles.right}>{yuanText(row.electricityFeeFen)}</td>
                    <td className={styles.right}>{yuanText(row.serviceFeeFen)}</td>
                  </>
                )}
                <td className={styles.right}>{yuanText(row.sumFen)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            {byPeriod.length < 2 || byPeriod.length === rows.length
              ? null
              : byPeriod.map((sum) => (
                  <tr key={sum.period} className={styles.subtotal}>
                    <td>{phrase('orders.ofWhich')}</td>
                    <td>
                      <PeriodChip period={sum.period} />
                    </td>
                    <td className={styles.right}>{energyText(sum.energyWh, 3)}</td>
                    <td />
                    <td />
                    <td className={styles.right}>{yuanText(sum.electricityFeeFen)}</td>
                    <td className={styles.right}>{yuanText(sum.serviceFeeFen)}</td>
                    <td className={styles.right}>{yuanText(sum.sumFen)}</td>
                  </tr>
                ))}
            <tr className={styles.total}>
              <th scope="row" colSpan={2}>
                {phrase(isRunning ? 'orders.soFar' : 'orders.total')}
              </th>
              <td className={styles.right}>{energyText(sums.energyWh, 3)}</td>
              <td />
              <td />
              <td className={styles.right}>{yuanText(sums.electricityFeeFen)}</td>
              <td className={styles.right}>{yuanText(sums.serviceFeeFen)}</td>
              <td className={styles.right}>{moneyText(sums.sumFen)}</td>
            </tr>
          </tfoot>
        </table>
      </ScrollRegion>
    );

  if (forPaper) {
    return (
      <>
        {table}
        <p className={styles.rule}>{phrase(isByHour ? 'orders.roundingHour' : 'orders.rounding')}</p>
      </>
    );
  }
  return (
    <Panel
      title={phrase('orders.bill')}
      flush
      note={pricedByText(order)}
      tools={
        canExplain ? (
          <Checkbox checked={explained} onChange={(event) => setExplained(event.target.checked)}>
            {phrase('orders.showCalculation')}
          </Checkbox>
        ) : undefined
      }
    >
      {table}
      {isEstimate ? <p className={styles.estimate}>{phrase('orders.estimate')}</p> : null}
      {rows.length === 0 ? null : (
        <p className={styles.rule}>{phrase(isByHour ? 'orders.roundingHour' : 'orders.rounding')}</p>
      )}
    </Panel>
  );
}

/** The calculation of a fee. A fee that is not the rounded product gets no explanation. */
function Calculation({ energyWh, priceE5, feeFen }: { energyWh: number; priceE5: number; feeFen: number }) {
  return (
    <span className={styles.calculation}>
      {isRoundedProduct(energyWh, priceE5, feeFen) ? (
        <>
          <span>{`${energyText(energyWh, 3)} × ${priceText(priceE5)}`}</span>
          <span>{`= ${exactFeeYuan(energyWh, priceE5)}`}</span>
        </>
      ) : (
        nothingText
      )}
    </span>
  );
}
