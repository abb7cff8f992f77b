import { type ColumnChoice, columnWidthsPx } from '@voltdeck/contract/views';

export const noColumnChoice: ColumnChoice = { order: [], shown: {}, pinned: {}, widthsPx: {} };

type Arrangeable = { key: string; initiallyHidden?: boolean; initiallyPinned?: boolean };
export type Arranged<Column> = {
  column: Column;
  isShown: boolean;
  isPinned: boolean;
  isFirst: boolean;
  /** The width that the user chose. */
  chosenPx: number | null;
};

/**
 * The columns as chosen, pinned ones first. The first column names the row, so it is always first, shown and pinned;
 * columns that the choice does not know keep the list's position.
 */
export function arrangeColumns<Column extends Arrangeable>(
  columns: readonly Column[],
  choice: ColumnChoice,
): Arranged<Column>[] {
  const [first, ...others] = columns;
  if (first === undefined) return [];
  const rank = new Map(choice.order.map((key, index) => [key, index]));
  const known = others.filter((column) => rank.has(column.key));
  known.sort((a, b) => (rank.get(a.key) ?? 0) - (rank.get(b.key) ?? 0));
  const ordered: Column[] = [];
  let next = 0;
  // New columns keep their position between their neighbours in the list.
  for (const column of others) {
    const placed = rank.has(column.key) ? known[next++] : column;
    if (placed !== undefined) ordered.push(placed);
  }
  const arranged = ordered.map((column) => ({
    column,
    isShown: choice.shown[column.key] ?? !column.initiallyHidden,
    isPinned: choice.pinned[column.key] ?? column.initiallyPinned ?? false,
    isFirst: false,
    chosenPx: choice.widthsPx[column.key] ?? null,
  }));
  return [
    { column: first, isShown: true, isPinned: true, isFirst: true, chosenPx: choice.widthsPx[first.key] ?? null },
    ...arranged.filter((item) => item.isPinned),
    ...arranged.filter((item) => !item.isPinned),
  ];
}

/** The choice after moving a column one place up or down among pinned or unpinned ones. */
export function moveColumn<Column extends Arrangeable>(
  columns: readonly Column[],
  choice: ColumnChoice,
  key: string,
  by: -1 | 1,
): ColumnChoice {
  const arranged = arrangeColumns(columns, choice).filter((item) => !item.isFirst);
  const from = arranged.findIndex((item) => item.column.key === key);
  const moved = arranged[from];
  const other = arranged[from + by];
  if (moved === undefined || other === undefined || moved.isPinned !== other.isPinned) return choice;
  const order = arranged.map((item) => item.column.key);
  order[from] = other.column.key;
  order[from + by] = key;
  return { ...choice, order };
}

/** The choice with another width for a column; null resets it. */
export function widenColumn(choice: ColumnChoice, key: string, widthPx: number | null): ColumnChoice {
  const { [key]: _former, ...others } = choice.widthsPx;
  if (widthPx === null) return { ...choice, widthsPx: others };
  const { min, max } = columnWidthsPx;
  return { ...choice, widthsPx: { ...others, [key]: Math.round(Math.min(max, Math.max(min, widthPx))) } };
}
