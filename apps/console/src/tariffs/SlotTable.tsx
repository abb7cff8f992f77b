import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { type Period, periods, slotsMax } from '@voltdeck/tariffs/tariff';
import { Button, Select } from 'antd';
import { memo, useEffect, useRef } from 'react';
import { phrase } from '../phrases.ts';
import { nothingText } from '../ui/figures.ts';
import { withChange, withOneMore } from '../ui/form/slot-edits.ts';
import { slotTimes } from '../ui/form/slot-times.ts';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import type { PriceOf } from './DayStrip.tsx';
import type { TypedSlot } from './day-slots.ts';
import { PeriodMark } from './PeriodMark.tsx';
import { rulePriceText } from './rule-price-text.ts';
import styles from './tariffs.module.css';

type Props = {
  slots: readonly TypedSlot[];
  onChange: (slots: readonly TypedSlot[]) => void;
  /** The period of a slot that is added. */
  brush: Period;
  priceOf: PriceOf;
  disabled?: boolean;
};

const startOptions = slotTimes.slice(0, -1).map((time) => ({ value: time, label: time }));
const periodOptions = () => periods.map((period) => ({ value: period, label: <PeriodMark period={period} /> }));

function sumText(priceOf: PriceOf, period: string): string {
  const known = periods.find((one) => one === period);
  if (known === undefined) return nothingText;
  const { electricity, service } = priceOf(known);
  return electricity === undefined || service === undefined ? nothingText : rulePriceText(electricity + service);
}

type RowProps = {
  slot: TypedSlot;
  index: number;
  sum: string;
  disabled: boolean;
  change: (index: number, part: Partial<TypedSlot> | null) => void;
};

/** Memoised: a day may have 48 of them, and every stroke on the strip changes only some. */
const SlotRow = memo(function SlotRow({ slot, index, sum, disabled, change }: RowProps) {
  return (
    <tr>
      <td>
        <Select
          aria-label={phrase('shell.slotStart', { number: index + 1 })}
          disabled={disabled}
          showSearch
          className={styles.time ?? ''}
          value={slot.start}
          options={startOptions}
          onChange={(start) => change(index, { start })}
        />
      </td>
      <td>
        <Select
          aria-label={phrase('shell.slotEnd', { number: index + 1 })}
          disabled={disabled}
          showSearch
          className={styles.time ?? ''}
          value={slot.end}
          options={slotTimes.filter((time) => time > slot.start).map((time) => ({ value: time, label: time }))}
          onChange={(end) => change(index, { end })}
        />
      </td>
      <td>
        <Select
          aria-label={phrase('shell.slotPeriod', { number: index + 1 })}
          disabled={disabled}
          className={styles.periodSelect ?? ''}
          value={slot.period}
          options={periodOptions()}
          onChange={(period) => change(index, { period })}
        />
      </td>
      <td className={styles.right}>{sum}</td>
      <td>
        <Button
          type="text"
          danger
          disabled={disabled}
          icon={<DeleteOutlined />}
          aria-label={phrase('shell.slotRemove', { number: index + 1 })}
          onClick={() => change(index, null)}
        />
      </td>
    </tr>
  );
}, isSameRow);

function isSameRow(before: RowProps, after: RowProps): boolean {
  const [a, b] = [before.slot, after.slot];
  const isSameSlot = a.start === b.start && a.end === b.end && a.period === b.period;
  return isSameSlot && before.index === after.index && before.sum === after.sum && before.disabled === after.disabled;
}

/** The slots as typed, one line each, with the sum of both fees. */
export function SlotTable({ slots, onChange, brush, priceOf, disabled = false }: Props) {
  const longer = slots.length < slotsMax ? withOneMore(slots, brush) : null;
  const latest = useRef({ slots, onChange });
  useEffect(() => {
    latest.current = { slots, onChange };
  });
  // Rows that did not change keep an earlier one of these, so it acts on the latest slots.
  const change = (index: number, part: Partial<TypedSlot> | null) => {
    const now = latest.current;
    now.onChange(part === null ? now.slots.filter((_, at) => at !== index) : withChange(now.slots, index, part));
  };
  return (
    <>
      <ScrollRegion label={phrase('tariffs.slotTable')}>
        <table className={styles.slotTable}>
          <thead>
            <tr>
              <th scope="col">{phrase('tariffs.slotStart')}</th>
              <th scope="col">{phrase('tariffs.slotEnd')}</th>
              <th scope="col">{phrase('tariffs.period')}</th>
              <th scope="col" className={styles.right}>
                {phrase('tariffs.sumHead')}
              </th>
              <th scope="col">
                <span className={styles.unseen}>{phrase('tariffs.removeHead')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {slots.map((slot, index) => (
              <SlotRow
                // biome-ignore lint/suspicious/noArrayIndexKey: a slot is its place among the others
                key={index}
                slot={slot}
                index={index}
                sum={sumText(priceOf, slot.period)}
                disabled={disabled}
                change={change}
              />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <Button icon={<PlusOutlined />} disabled={disabled || longer === null} onClick={() => longer && onChange(longer)}>
        {phrase('shell.slotAdd')}
      </Button>
    </>
  );
}
