import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Select } from 'antd';
import { phrase } from '../../phrases.ts';
import styles from './form.module.css';
import type { FieldOption } from './form-fields.ts';
import { type Slot, withChange, withOneMore } from './slot-edits.ts';
import { slotTimes } from './slot-times.ts';

type Props = {
  /** Set by the form. */
  id?: string;
  value?: readonly Slot[] | undefined;
  onChange?: ((slots: readonly Slot[]) => void) | undefined;
  /** The periods to choose from. */
  options: readonly FieldOption[];
  disabled?: boolean;
};

const startOptions = slotTimes.slice(0, -1).map((time) => ({ value: time, label: time }));

/** The day in slots of half hours: each starts where the previous one ends, and the last may reach 24:00. */
export default function SlotsField({ id, value = [], onChange, options, disabled = false }: Props) {
  const change = (index: number, part: Partial<Slot>) => onChange?.(withChange(value, index, part));
  const longer = withOneMore(value, `${options[0]?.value}`);
  return (
    <div id={id} className={styles.slots}>
      {value.map((slot, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a slot is its place among the others
        <div key={index} className={styles.slot}>
          <Select
            aria-label={phrase('shell.slotStart', { number: index + 1 })}
            disabled={disabled}
            showSearch
            value={slot.start}
            options={startOptions}
            onChange={(start) => change(index, { start })}
          />
          <Select
            aria-label={phrase('shell.slotEnd', { number: index + 1 })}
            disabled={disabled}
            showSearch
            value={slot.end}
            options={slotTimes.filter((time) => time > slot.start).map((time) => ({ value: time, label: time }))}
            onChange={(end) => change(index, { end })}
          />
          <Select
            aria-label={phrase('shell.slotPeriod', { number: index + 1 })}
            disabled={disabled}
            value={slot.period}
            options={options as { value: string; label: string }[]}
            onChange={(period) => change(index, { period })}
          />
          <Button
            type="text"
            danger
            disabled={disabled}
            icon={<DeleteOutlined />}
            aria-label={phrase('shell.slotRemove', { number: index + 1 })}
            onClick={() => onChange?.(value.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button
        icon={<PlusOutlined />}
        disabled={disabled || longer === null}
        onClick={() => longer && onChange?.(longer)}
      >
        {phrase('shell.slotAdd')}
      </Button>
    </div>
  );
}
