import { type Period, periods } from '@voltdeck/tariffs/tariff';
import { Radio } from 'antd';
import { useState } from 'react';
import { phrase } from '../phrases.ts';
import { DayStrip, type PriceOf } from './DayStrip.tsx';
import { coverageOf, type Span, type TypedSlot } from './day-slots.ts';
import { PeriodMark } from './PeriodMark.tsx';
import { SlotTable } from './SlotTable.tsx';
import styles from './tariffs.module.css';

type Props = {
  /** Set by the form. */
  id?: string;
  value?: readonly TypedSlot[];
  onChange?: (slots: readonly TypedSlot[]) => void;
  priceOf: PriceOf;
  disabled?: boolean;
};

const spansText = (spans: readonly Span[]) => spans.map(({ start, end }) => `${start}–${end}`).join(', ');

/** Whether the day is covered once and everywhere, in words that change while it is painted or typed. */
function Coverage({ slots }: { slots: readonly TypedSlot[] }) {
  const { gaps, overlaps } = coverageOf(slots);
  const isCovered = gaps.length === 0 && overlaps.length === 0;
  return (
    <div role="status" className={styles.coverage} data-covered={isCovered}>
      {isCovered ? <span>{phrase('tariffs.covered', { count: slots.length })}</span> : null}
      {gaps.length > 0 ? <span>{phrase('tariffs.notCovered', { spans: spansText(gaps) })}</span> : null}
      {overlaps.length > 0 ? <span>{phrase('tariffs.overlapping', { spans: spansText(overlaps) })}</span> : null}
    </div>
  );
}

/** The slots of a day, drawn on a strip and typed in a table: two views of one value. */
export function SlotsEditor({ id, value = [], onChange = () => {}, priceOf, disabled = false }: Props) {
  const [brush, setBrush] = useState<Period>('peak');
  return (
    <div id={id}>
      <div className={styles.brushes}>
        <span className={styles.quiet}>{phrase('tariffs.brush')}</span>
        <Radio.Group
          size="small"
          optionType="button"
          aria-label={phrase('tariffs.brush')}
          disabled={disabled}
          value={brush}
          onChange={(event) => setBrush(event.target.value)}
          options={periods.map((period) => ({ value: period, label: <PeriodMark period={period} /> }))}
        />
      </div>
      <DayStrip
        slots={value}
        onChange={onChange}
        brush={brush}
        onBrush={setBrush}
        priceOf={priceOf}
        label={phrase('tariffs.strip')}
        disabled={disabled}
      />
      <Coverage slots={value} />
      <SlotTable slots={value} onChange={onChange} brush={brush} priceOf={priceOf} disabled={disabled} />
    </div>
  );
}
