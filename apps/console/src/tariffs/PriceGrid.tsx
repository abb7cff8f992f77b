import { type Period, periods } from '@voltdeck/tariffs/tariff';
import { Form } from 'antd';
import { phrase } from '../phrases.ts';
import { nothingText } from '../ui/figures.ts';
import { PriceField } from '../ui/form/PriceField.tsx';
import { PeriodMark } from './PeriodMark.tsx';
import { rulePriceText } from './rule-price-text.ts';
import type { RuleValues } from './rule-values.ts';
import styles from './tariffs.module.css';

const fees = ['electricity', 'service'] as const;

const missing = {
  validator: (_: unknown, value: number | undefined) =>
    value === undefined ? Promise.reject(new Error(phrase('field.tariff.price_missing'))) : Promise.resolve(),
};

/** Two fees for each period, with their sum. One row serves a rule with one price. */
export function PriceGrid({ values, only }: { values: RuleValues; only?: Period }) {
  const rows = only === undefined ? periods : [only];
  return (
    <table className={styles.prices}>
      <thead>
        <tr>
          <th scope="col">{only === undefined ? phrase('tariffs.period') : phrase('tariffs.allDay')}</th>
          <th scope="col">{phrase('tariffs.electricityHead')}</th>
          <th scope="col">{phrase('tariffs.serviceHead')}</th>
          <th scope="col" className={styles.right}>
            {phrase('tariffs.sumHead')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((period) => {
          const { electricity, service } = values.prices[period] ?? {};
          const name = only === undefined ? phrase(`period.${period}`) : phrase('tariffs.allDay');
          return (
            <tr key={period}>
              <th scope="row">{only === undefined ? <PeriodMark period={period} /> : name}</th>
              {fees.map((fee) => (
                <td key={fee}>
                  <Form.Item name={['prices', period, fee]} rules={[missing]} className={styles.tight ?? ''}>
                    <PriceField label={`${name} ${phrase(`tariffs.${fee}Head`)}`} />
                  </Form.Item>
                </td>
              ))}
              <td className={styles.right}>
                {electricity === undefined || service === undefined
                  ? nothingText
                  : rulePriceText(electricity + service)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
