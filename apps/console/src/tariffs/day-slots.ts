import { type Period, periods, type TariffSlot } from '@voltdeck/tariffs/tariff';
import { slotTimes } from '../ui/form/slot-times.ts';

/** A slot as it is typed: its period may still be missing. */
export type TypedSlot = { start: string; end: string; period: string };

/** One half hour of the day. */
export type Cell = { period: Period | null; isOverlapped: boolean };

export const cellsOfDay = 48;

/** The half hours of the day as the slots fill them; where slots overlap, the later one of the list shows. */
export function cellsOf(slots: readonly TypedSlot[]): readonly Cell[] {
  const cells: Cell[] = Array.from({ length: cellsOfDay }, () => ({ period: null, isOverlapped: false }));
  for (const { start, end, period } of slots) {
    const known = periods.find((one) => one === period) ?? null;
    const [from, to] = [slotTimes.indexOf(start), slotTimes.indexOf(end)];
    if (from < 0) continue;
    for (let index = from; index < to; index += 1) {
      const isOverlapped = cells[index]?.period !== null;
      cells[index] = { period: known, isOverlapped };
    }
  }
  return cells;
}

/** A stretch of the day, "07:00" to "09:30". */
export type Span = { start: string; end: string };

/** The stretches of neighbouring half hours for which `key` is the same; those where it is null are left out. */
export function spansOf<Key>(
  cells: readonly Cell[],
  key: (cell: Cell) => Key | null,
): readonly (Span & { key: Key; from: number; to: number })[] {
  const found: (Span & { key: Key; from: number; to: number })[] = [];
  for (const [index, cell] of cells.entries()) {
    const one = key(cell);
    if (one === null) continue;
    const last = found.at(-1);
    const end = slotTimes[index + 1] ?? '';
    if (last !== undefined && last.to === index && last.key === one) Object.assign(last, { end, to: index + 1 });
    else found.push({ start: slotTimes[index] ?? '', end, key: one, from: index, to: index + 1 });
  }
  return found;
}

/** What of the day no slot covers, and what more than one does. */
export function coverageOf(slots: readonly TypedSlot[]): { gaps: readonly Span[]; overlaps: readonly Span[] } {
  const cells = cellsOf(slots);
  return {
    gaps: spansOf(cells, ({ period }) => (period === null ? true : null)),
    overlaps: spansOf(cells, ({ isOverlapped }) => (isOverlapped ? true : null)),
  };
}

/** The slots after painting the half hours from `from` to `to`, both included; null wipes them. */
export function paintedSlots(
  slots: readonly TypedSlot[],
  from: number,
  to: number,
  period: Period | null,
): readonly TariffSlot[] {
  const [first, last] = from <= to ? [from, to] : [to, from];
  const cells = cellsOf(slots).map((cell, index) => (index >= first && index <= last ? { ...cell, period } : cell));
  return spansOf(cells, ({ period: own }) => own).map(({ start, end, key }) => ({ start, end, period: key }));
}
