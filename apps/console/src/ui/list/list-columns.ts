/** How a person arranged the columns of one list. Unknown keys (of an older version) do no harm. */
export type ColumnChoice = {
  order: readonly string[];
  /** Shown or not, where it differs from what the list itself suggests. */
  shown: Readonly<Record<string, boolean>>;
  pinned: Readonly<Record<string, boolean>>;
};

export const noColumnChoice: ColumnChoice = { order: [], shown: {}, pinned: {} };

type Arrangeable = { key: string; initiallyHidden?: boolean; initiallyPinned?: boolean };
export type Arranged<Column> = { column: Column; isShown: boolean; isPinned: boolean; isFirst: boolean };

/**
 * The columns as chosen: pinned ones first. The first column names the row, so it always stays first, shown and
 * pinned; columns that the choice does not know stand where the list put them.
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
  // New columns keep their place between the neighbours that the list gave them.
  for (const column of others) {
    const placed = rank.has(column.key) ? known[next++] : column;
    if (placed !== undefined) ordered.push(placed);
  }
  const arranged = ordered.map((column) => ({
    column,
    isShown: choice.shown[column.key] ?? !column.initiallyHidden,
    isPinned: choice.pinned[column.key] ?? column.initiallyPinned ?? false,
    isFirst: false,
  }));
  return [
    { column: first, isShown: true, isPinned: true, isFirst: true },
    ...arranged.filter((item) => item.isPinned),
    ...arranged.filter((item) => !item.isPinned),
  ];
}

/** The choice after moving a column one place up or down among those of its own kind (pinned or not). */
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

const storageKey = (userId: number, list: string) => `voltdeck-columns:${userId}:${list}`;

function isRecordOfFlags(value: unknown): value is Record<string, boolean> {
  return typeof value === 'object' && value !== null && Object.values(value).every((flag) => typeof flag === 'boolean');
}

/** What was remembered; anything unreadable is the same as nothing. */
export function parseColumnChoice(text: string | null): ColumnChoice {
  if (text === null) return noColumnChoice;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return noColumnChoice;
    const { order, shown, pinned } = value as Record<string, unknown>;
    if (!Array.isArray(order) || !order.every((key) => typeof key === 'string')) return noColumnChoice;
    if (!isRecordOfFlags(shown) || !isRecordOfFlags(pinned)) return noColumnChoice;
    return { order, shown, pinned };
  } catch {
    return noColumnChoice;
  }
}

export function readColumnChoice(userId: number, list: string): ColumnChoice {
  return parseColumnChoice(localStorage.getItem(storageKey(userId, list)));
}

export function keepColumnChoice(userId: number, list: string, choice: ColumnChoice): void {
  localStorage.setItem(storageKey(userId, list), JSON.stringify(choice));
}
