import { setImmediate as nextTurn } from 'node:timers/promises';

/** A rectangle of cells that show the value of the first. Columns count from 0, lines from 1; both ends belong to it. */
export type Area = { from: Place; to: Place };
type Place = { line: number; column: number };

/** Cells that merged ones may fill: twenty columns of ten thousand rows, far beyond what anybody merges. */
export const mergedCellsMax = 200_000;
/** Cells filled without yielding to other requests: some milliseconds. */
const cellsAtOnce = 10_000;

/** "AB12" is in column 27; infinity where there is none. */
export function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64;
  return column === 0 ? Number.POSITIVE_INFINITY : column - 1;
}

/** "B2:C9"; null for what names no area. */
export function areaOf(reference: string): Area | null {
  const places = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(reference);
  if (places === null) return null;
  const [, fromColumn = '', fromLine, toColumn = '', toLine] = places;
  const area = {
    from: { line: Number(fromLine), column: columnOf(fromColumn) },
    to: { line: Number(toLine), column: columnOf(toColumn) },
  };
  return area.from.line > area.to.line || area.from.column > area.to.column ? null : area;
}

export function isOverlapping(one: Area, other: Area): boolean {
  return (
    one.from.line <= other.to.line &&
    other.from.line <= one.to.line &&
    one.from.column <= other.to.column &&
    other.from.column <= one.to.column
  );
}

type Row<Cell> = { line: number; cells: Map<number, Cell> };
type Bounds = {
  /** Columns that the first row, which has the heads, may get cells in. */
  headColumns: readonly number[];
  /** The same for the other rows. */
  columns: readonly number[];
  /** Characters that may be added. */
  charactersMax: number;
};

/**
 * Gives merged cells the value of the first in each area. `rows` stand in the order of their lines. Everything is
 * counted first: false, and nothing is filled, where it would be more than `mergedCellsMax` or the characters allowed.
 */
export async function spread<Cell extends { text: string }>(
  rows: readonly Row<Cell>[],
  areas: readonly Area[],
  { headColumns, columns, charactersMax }: Bounds,
): Promise<boolean> {
  const blocks = areas.flatMap(({ from, to }) => {
    const first = placeOfLine(rows, from.line);
    const cell = rows[first]?.line === from.line ? rows[first]?.cells.get(from.column) : undefined;
    if (cell === undefined) return [];
    const end = placeOfLine(rows, to.line + 1);
    const isIn = (column: number) => column >= from.column && column <= to.column;
    const heads = { cell, first: 0, end: first === 0 ? 1 : 0, columns: headColumns.filter(isIn) };
    return [heads, { cell, first: Math.max(1, first), end, columns: columns.filter(isIn) }];
  });
  let cells = 0;
  let characters = 0;
  for (const { cell, first, end, columns: filled } of blocks) {
    const count = Math.max(0, end - first) * filled.length;
    cells += count;
    characters += count * cell.text.length;
  }
  if (cells > mergedCellsMax || characters > charactersMax) return false;
  let done = 0;
  for (const { cell, first, end, columns: filled } of blocks) {
    for (const row of rows.slice(first, end)) {
      for (const column of filled) row.cells.set(column, cell);
      done += filled.length;
      if (done < cellsAtOnce) continue;
      done = 0;
      await nextTurn();
    }
  }
  return true;
}

/** The place of the first row at this line or below. */
function placeOfLine(rows: readonly { line: number }[], line: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.line ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
