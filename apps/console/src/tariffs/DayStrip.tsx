import type { Period } from '@voltdeck/tariffs/tariff';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { phrase } from '../phrases.ts';
import { slotTimes } from '../ui/form/slot-times.ts';
import { periodColours } from '../ui/state-colours.ts';
import { useNarrow } from '../ui/use-narrow.ts';
import { type Cell, cellsOf, cellsOfDay, paintedSlots, spansOf, type TypedSlot } from './day-slots.ts';
import { rulePriceText } from './rule-price-text.ts';
import styles from './tariffs.module.css';

export type PriceOf = (period: Period) => { electricity?: number | undefined; service?: number | undefined };

const noPeriod = '';

/** The keys that paint: the numbers of the brushes, and the letters of their English names. */
const periodOfKey: Readonly<Record<string, Period>> = {
  '1': 'sharp',
  '2': 'peak',
  '3': 'flat',
  '4': 'valley',
  s: 'sharp',
  p: 'peak',
  r: 'flat',
  v: 'valley',
};

/** "07:00–07:30, peak, 1.5400": a half hour as it is read aloud and shown under the strip. */
function cellText(cell: Cell, span: string, priceOf: PriceOf): string {
  if (cell.period === null) return phrase('tariffs.cellEmpty', { span });
  const period = phrase(`period.${cell.period}`);
  const { electricity, service } = priceOf(cell.period);
  const text =
    electricity === undefined || service === undefined
      ? phrase('tariffs.cellUnpriced', { span, period })
      : phrase('tariffs.cell', {
          span,
          period,
          electricity: rulePriceText(electricity),
          service: rulePriceText(service),
          sum: rulePriceText(electricity + service),
        });
  return cell.isOverlapped ? phrase('tariffs.cellOverlapped', { cell: text }) : text;
}

const spanText = (from: number, to: number) =>
  `${slotTimes[Math.min(from, to)] ?? ''}–${slotTimes[Math.max(from, to) + 1] ?? ''}`;

type Rows = readonly { first: number; length: number }[];

/** One row of 48, or two of 24 where a thumb has to hit them. */
function rowsOf(isNarrow: boolean): Rows {
  return isNarrow
    ? [
        { first: 0, length: cellsOfDay / 2 },
        { first: cellsOfDay / 2, length: cellsOfDay / 2 },
      ]
    : [{ first: 0, length: cellsOfDay }];
}

type Shown = { cells: readonly Cell[]; rows: Rows };

/** The names of the stretches, over their cells. */
function Stretches({ cells, rows }: Shown, row: number) {
  const { first = 0, length = 0 } = rows[row] ?? {};
  return spansOf(cells.slice(first, first + length), ({ period }) => period).map(({ key, from, to }) => (
    <span
      key={from}
      className={styles.stretch}
      style={{ insetInlineStart: `${(from / length) * 100}%`, width: `${((to - from) / length) * 100}%` }}
      aria-hidden="true"
    >
      {to - from > 5 ? phrase(`period.${key}`) : phrase(`period-mark.${key}`)}
    </span>
  ));
}

/** The hours under a row. */
function Hours({ first, length }: { first: number; length: number }) {
  const everyHours = length === cellsOfDay ? 2 : 3;
  const hours = Array.from({ length: length / 2 / everyHours + 1 }, (_, index) => first / 2 + index * everyHours);
  return (
    <div className={styles.hours} aria-hidden="true">
      {hours.map((hour) => (
        <span key={hour} style={{ insetInlineStart: `${((hour * 2 - first) / length) * 100}%` }}>
          {String(hour).padStart(2, '0')}
        </span>
      ))}
    </div>
  );
}

function cellStyle(period: Period | null): CSSProperties {
  return { '--period': period === null ? 'transparent' : periodColours[period] } as CSSProperties;
}

/** The day of a rule as it is, without editing. */
export function DayView({ slots, label }: { slots: readonly TypedSlot[]; label: string }) {
  const rows = rowsOf(useNarrow());
  const cells = cellsOf(slots);
  const told = spansOf(cells, ({ period }) => period)
    .map(({ start, end, key }) => `${start}–${end} ${phrase(`period.${key}`)}`)
    .join(', ');
  return (
    <div role="img" aria-label={`${label}: ${told}`}>
      {rows.map(({ first, length }, row) => (
        <div key={first} className={styles.stripRow}>
          <div className={styles.cells} style={{ gridTemplateColumns: `repeat(${length}, 1fr)` }}>
            {cells.slice(first, first + length).map(({ period }, index) => (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: a half hour is its place in the day
                key={index}
                className={styles.cell}
                style={cellStyle(period)}
                data-empty={period === null}
              />
            ))}
          </div>
          {Stretches({ cells, rows }, row)}
          <Hours first={first} length={length} />
        </div>
      ))}
    </div>
  );
}

type Props = {
  slots: readonly TypedSlot[];
  onChange: (slots: readonly TypedSlot[]) => void;
  brush: Period;
  onBrush: (period: Period) => void;
  priceOf: PriceOf;
  label: string;
  disabled?: boolean;
};

/**
 * The 24 hours of a rule, painted with a period by mouse, finger or keyboard. One half hour has the focus; Shift
 * extends the selection from it, and a period's key or Space paints what is selected.
 */
export function DayStrip({ slots, onChange, brush, onBrush, priceOf, label, disabled = false }: Props) {
  const rows = rowsOf(useNarrow());
  const helpId = useId();
  const grid = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState({ from: 0, to: 0 });
  const [hovered, setHovered] = useState<number | null>(null);
  /** The half hours under the pointer since it went down. */
  const [stroke, setStroke] = useState<{ from: number; to: number } | null>(null);
  const [told, setTold] = useState('');
  const shown = stroke === null ? slots : paintedSlots(slots, stroke.from, stroke.to, brush);
  const cells = cellsOf(shown);
  const [low, high] = [Math.min(selected.from, selected.to), Math.max(selected.from, selected.to)];

  /** The focus follows the selection, which must not follow it back. */
  const isMoving = useRef(false);
  const focus = (index: number) => {
    isMoving.current = true;
    grid.current?.querySelector<HTMLElement>(`[data-cell="${index}"]`)?.focus({ preventScroll: true });
    isMoving.current = false;
  };
  const paint = (from: number, to: number, period: Period | null) => {
    onChange(paintedSlots(slots, from, to, period));
    const span = spanText(from, to);
    setTold(
      period === null
        ? phrase('tariffs.wiped', { span })
        : phrase('tariffs.painted', { span, period: phrase(`period.${period}`) }),
    );
  };

  const cellAt = ({ clientX, clientY }: PointerEvent): number | null => {
    const found = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-cell]');
    return found === null || found === undefined || !grid.current?.contains(found) ? null : Number(found.dataset.cell);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (disabled || event.button !== 0) return;
    const index = cellAt(event);
    if (index === null) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    setStroke({ from: index, to: index });
    focus(index);
    setSelected({ from: index, to: index });
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const index = cellAt(event);
    if (event.pointerType === 'mouse') setHovered(index);
    if (stroke === null || index === null || index === stroke.to) return;
    setStroke({ ...stroke, to: index });
  };
  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    if (stroke === null) return;
    // The last movement may not have been told apart from the end.
    const ended = { from: stroke.from, to: cellAt(event) ?? stroke.to };
    paint(ended.from, ended.to, brush);
    setSelected(ended);
    setStroke(null);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (disabled || event.altKey || event.ctrlKey || event.metaKey) return;
    const rowLength = rows[0]?.length ?? cellsOfDay;
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: selected.to - 1,
      ArrowRight: selected.to + 1,
      ArrowUp: selected.to - (rows.length === 1 ? 2 : rowLength),
      ArrowDown: selected.to + (rows.length === 1 ? 2 : rowLength),
      PageUp: selected.to - 6,
      PageDown: selected.to + 6,
      Home: 0,
      End: cellsOfDay - 1,
    };
    const target = steps[event.key];
    const period = periodOfKey[event.key.toLowerCase()];
    if (target !== undefined) {
      const to = Math.max(0, Math.min(cellsOfDay - 1, target));
      setSelected({ from: event.shiftKey ? selected.from : to, to });
      focus(to);
    } else if (event.key === 'a' && event.shiftKey) {
      setSelected({ from: 0, to: cellsOfDay - 1 });
    } else if (event.key === ' ' || event.key === 'Enter') {
      paint(selected.from, selected.to, brush);
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      paint(selected.from, selected.to, null);
    } else if (period !== undefined) {
      onBrush(period);
      paint(selected.from, selected.to, period);
    } else return;
    event.preventDefault();
  };

  const pointed = stroke?.to ?? hovered ?? selected.to;
  const pointedCell = cells[pointed] ?? { period: null, isOverlapped: false };
  const isRange = stroke !== null && stroke.from !== stroke.to;
  return (
    <div>
      {/** biome-ignore lint/a11y/useSemanticElements: a table would announce its cells as data, these are chosen */}
      <div
        ref={grid}
        role="grid"
        aria-label={label}
        aria-describedby={helpId}
        aria-multiselectable="true"
        aria-disabled={disabled}
        className={styles.strip}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => setStroke(null)}
        onPointerLeave={() => setHovered(null)}
        onKeyDown={onKeyDown}
        tabIndex={-1}
      >
        {rows.map(({ first, length }, row) => (
          // biome-ignore lint/a11y/useSemanticElements: see above
          // biome-ignore lint/a11y/useFocusableInteractive: its cells have the focus
          <div key={first} role="row" className={styles.stripRow}>
            <div className={styles.cells} role="presentation" style={{ gridTemplateColumns: `repeat(${length}, 1fr)` }}>
              {cells.slice(first, first + length).map((cell, at) => {
                const index = first + at;
                const isSelected = stroke === null && index >= low && index <= high;
                return (
                  // biome-ignore lint/a11y/useSemanticElements: see above
                  <div
                    key={index}
                    role="gridcell"
                    tabIndex={index === selected.to ? 0 : -1}
                    data-cell={index}
                    data-period={cell.period ?? noPeriod}
                    data-empty={cell.period === null}
                    data-overlapped={cell.isOverlapped}
                    aria-selected={isSelected}
                    aria-label={cellText(cell, spanText(index, index), priceOf)}
                    className={styles.cell}
                    style={cellStyle(cell.period)}
                    onFocus={() => {
                      if (!isMoving.current) setSelected({ from: index, to: index });
                    }}
                  />
                );
              })}
            </div>
            {Stretches({ cells, rows }, row)}
            <Hours first={first} length={length} />
          </div>
        ))}
      </div>
      <p className={styles.readout} aria-hidden="true">
        {isRange && stroke !== null
          ? phrase('tariffs.painting', { span: spanText(stroke.from, stroke.to), period: phrase(`period.${brush}`) })
          : cellText(pointedCell, spanText(pointed, pointed), priceOf)}
      </p>
      <p id={helpId} className={styles.help}>
        {phrase('tariffs.stripHelp')}
      </p>
      <span className={styles.unseen} aria-live="polite">
        {told}
      </span>
    </div>
  );
}
