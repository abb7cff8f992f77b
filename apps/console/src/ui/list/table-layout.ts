const columnWidthPx = 140;
export const selectionWidthPx = 44;
export const detailsWidthPx = 40;
/** Pinned columns may take this share of the width, so that the rest of the table stays readable. */
const pinnedShareMax = 0.5;

export type LaidOut<Column> = {
  column: Column;
  widthPx: number;
  /** The sticky offset of a pinned column from the left edge. */
  stickyLeftPx: number | null;
  isLastPinned: boolean;
};

/**
 * Widths that fill the room and never fall below the columns' minimum, with the offsets of pinned columns. A width that
 * the user chose is kept. `beforePx` and `afterPx` are taken by selection and actions. If there are more columns than
 * room, the visible ones fill it, so that the actions cut none.
 */
export function layOut<Column extends { title: string; widthPx?: number; sort?: unknown }>(
  columns: readonly { column: Column; isPinned: boolean; chosenPx: number | null }[],
  roomPx: number,
  beforePx: number,
  afterPx: number,
): LaidOut<Column>[] {
  const wanted = columns.map(
    ({ column, chosenPx }) =>
      chosenPx ?? Math.max(column.widthPx ?? columnWidthPx, headWidthPx(column.title, column.sort !== undefined)),
  );
  const freePx = roomPx - beforePx - afterPx;
  const count = afterPx === 0 || sumOf(wanted) <= freePx ? columns.length : wholeColumns(wanted, freePx);
  const givenPx = sumOf(columns.slice(0, count).map(({ chosenPx }) => chosenPx ?? 0));
  const askedPx = sumOf(wanted.slice(0, count)) - givenPx;
  const scale = Math.max(1, (freePx - givenPx) / Math.max(1, askedPx));
  const widthsPx = columns.map(({ chosenPx }, index) => {
    const wantedPx = wanted[index] ?? columnWidthPx;
    return chosenPx !== null || index >= count ? wantedPx : Math.floor(wantedPx * scale);
  });
  // The last column takes the rounding rest, and all of the rest if every column has a chosen width.
  const last = columns[count - 1];
  const restPx = freePx - sumOf(widthsPx.slice(0, count));
  if (last !== undefined && restPx > 0 && (last.chosenPx === null || count === columns.length)) {
    widthsPx[count - 1] = (widthsPx[count - 1] ?? 0) + restPx;
  }
  let left = beforePx;
  const laidOut = columns.map(({ column, isPinned }, index): LaidOut<Column> => {
    const widthPx = widthsPx[index] ?? columnWidthPx;
    const fits = isPinned && left + widthPx + afterPx <= roomPx * (index === 0 ? 0.7 : pinnedShareMax);
    const stickyLeftPx = fits ? left : null;
    if (fits) left += widthPx;
    return { column, widthPx, stickyLeftPx, isLastPinned: false };
  });
  const lastPinned = laidOut.findLast((item) => item.stickyLeftPx !== null);
  if (lastPinned !== undefined) lastPinned.isLastPinned = true;
  return laidOut;
}

function sumOf(widthsPx: readonly number[]): number {
  return widthsPx.reduce((total, widthPx) => total + widthPx, 0);
}

/** How many of the first columns fit completely. */
function wholeColumns(widthsPx: readonly number[], roomPx: number): number {
  let usedPx = 0;
  const cut = widthsPx.findIndex((widthPx) => {
    usedPx += widthPx;
    return usedPx > roomPx;
  });
  return Math.max(1, cut === -1 ? widthsPx.length : cut);
}

export type HeadGroup = { title: string | null; span: number; firstKey: string };

/** Neighbouring columns of one group share a head; null if no column has a group. */
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

export const cellPaddingPx = 20;
const sortMarkPx = 14;

/** A generous estimate: CJK characters are square, Latin ones slightly more than half as wide. */
export function textWidthPx(text: string): number {
  return [...text].reduce((sum, letter) => sum + (letter > '\u2e7f' ? 14 : 8.2), 0);
}

export function headWidthPx(title: string, isSortable: boolean): number {
  return Math.ceil(textWidthPx(title) * 0.93) + cellPaddingPx + (isSortable ? sortMarkPx : 0);
}

/** The width for the action texts of the widest row. */
export function actionsWidthPx(rows: readonly (readonly string[])[]): number {
  const widest = rows.reduce((width, labels) => {
    const inline = labels.slice(0, inlineActionsMax);
    const menuPx = labels.length > inlineActionsMax ? 32 : 0;
    return Math.max(width, inline.reduce((sum, label) => sum + textWidthPx(label) + 16, 0) + menuPx);
  }, 0);
  return Math.min(320, Math.max(72, Math.ceil(widest + 24)));
}

export const inlineActionsMax = 2;
