const columnWidthPx = 140;
export const selectionWidthPx = 44;
export const detailsWidthPx = 40;
/** Pinned columns may take this part of the room; beyond it the rest of the table could not be read. */
const pinnedShareMax = 0.5;

export type LaidOut<Column> = {
  column: Column;
  widthPx: number;
  /** Distance from the left edge where the column stays, for pinned ones. */
  stickyLeftPx: number | null;
  isLastPinned: boolean;
};

/**
 * Widths that fill the room and never fall below what the columns ask for; pinned columns with their distance from the
 * left edge. `beforePx` and `afterPx` are taken by selection and actions.
 */
export function layOut<Column extends { title: string; widthPx?: number; sort?: unknown }>(
  columns: readonly { column: Column; isPinned: boolean }[],
  roomPx: number,
  beforePx: number,
  afterPx: number,
): LaidOut<Column>[] {
  const wanted = columns.map(({ column }) =>
    Math.max(column.widthPx ?? columnWidthPx, headWidthPx(column.title, column.sort !== undefined)),
  );
  const sum = wanted.reduce((total, width) => total + width, 0);
  const scale = Math.max(1, (roomPx - beforePx - afterPx) / Math.max(1, sum));
  let left = beforePx;
  const laidOut = columns.map(({ column, isPinned }, index): LaidOut<Column> => {
    const widthPx = Math.floor((wanted[index] ?? columnWidthPx) * scale);
    const fits = isPinned && left + widthPx + afterPx <= roomPx * (index === 0 ? 0.7 : pinnedShareMax);
    const stickyLeftPx = fits ? left : null;
    if (fits) left += widthPx;
    return { column, widthPx, stickyLeftPx, isLastPinned: false };
  });
  const last = laidOut.findLast((item) => item.stickyLeftPx !== null);
  if (last !== undefined) last.isLastPinned = true;
  return laidOut;
}

export type HeadGroup = { title: string | null; span: number; firstKey: string };

/** Neighbouring columns of one group stand under one head; null where no column has a group. */
export function headGroups(columns: readonly { key: string; group?: string }[]): HeadGroup[] | null {
  if (columns.every((column) => column.group === undefined)) return null;
  const groups: HeadGroup[] = [];
  for (const column of columns) {
    const last = groups.at(-1);
    const title = column.group ?? null;
    if (last !== undefined && title !== null && last.title === title) last.span += 1;
    else groups.push({ title, span: 1, firstKey: column.key });
  }
  return groups;
}

const cellPaddingPx = 20;
const sortMarkPx = 14;

/** An estimate that is rather too wide: CJK characters fill their square, Latin ones a bit more than half of it. */
export function textWidthPx(text: string): number {
  return [...text].reduce((sum, letter) => sum + (letter > '\u2e7f' ? 14 : 8.2), 0);
}

function headWidthPx(title: string, isSortable: boolean): number {
  return Math.ceil(textWidthPx(title) * 0.93) + cellPaddingPx + (isSortable ? sortMarkPx : 0);
}

/** Room for the texts of the actions of one row, from the widest row. */
export function actionsWidthPx(rows: readonly (readonly string[])[]): number {
  const widest = rows.reduce((width, labels) => {
    const inline = labels.slice(0, inlineActionsMax);
    const menuPx = labels.length > inlineActionsMax ? 32 : 0;
    return Math.max(width, inline.reduce((sum, label) => sum + textWidthPx(label) + 16, 0) + menuPx);
  }, 0);
  return Math.min(320, Math.max(72, Math.ceil(widest + 24)));
}

export const inlineActionsMax = 2;
