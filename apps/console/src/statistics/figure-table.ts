import type { Place } from '../session/place.ts';

/** The figures of a chart as a table; the first cell of a row names it. */
export type FigureTable = {
  heads: readonly string[];
  rows: readonly FigureRow[];
  /** Below, in the same columns. */
  foot?: readonly string[];
};

export type FigureRow = {
  key: string;
  cells: readonly string[];
  /** The orders behind the row. */
  leads?: Place | null;
  /** Cells that are names rather than figures, by their place; the first always is. */
  names?: readonly number[];
};
