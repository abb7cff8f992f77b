import type { ApiError } from '@voltdeck/contract/errors';
import { languages } from '@voltdeck/contract/languages';
import type { PhraseKey } from '@voltdeck/phrases/phrase';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type ReadRow, readWorkbook, type WorkbookFault } from './read-workbook.ts';
import { say } from './say.ts';

/** After the head of a column that must be filled. */
export const requiredMark = '*';

export type SheetColumns = Readonly<Record<string, { title: PhraseKey; isRequired?: true; words?: string }>>;

/** The texts of a row by the fields that they fill; empty cells are absent. */
export type SheetCells<Column extends string> = Partial<Record<Column, string>>;

export type SheetRow<Column extends string> = {
  line: number;
  cells: SheetCells<Column>;
  /** Numbers of which Excel has lost the last digits. */
  rounded: readonly Column[];
};

export type SheetFile<Column extends string> = {
  rows: readonly SheetRow<Column>[];
  ignoredColumns: readonly string[];
};

type Sheet<Columns extends SheetColumns> = {
  columns: Columns;
  limits: { rowsMax: number; columnsMax: number };
  /** The example of the template, which is never imported: what it has in `numberColumn`, `number` by default. */
  exampleNumber: string;
  numberColumn?: keyof Columns & string;
};

/** Longer than any field, so truncated text fails its length check. */
const cellTextMax = 500;
const headTextMax = 60;
/** More than ten thousand rows with every field full. */
const charactersMax = 10_000_000;
const unpackedBytesMax = 48 * 1024 * 1024;

/** Heads of our own files that fill no field. */
const passedHeads = ['import.line', 'import.reason'] as const;

const plainHead = (head: string) => head.replace(requiredMark, '').replaceAll(/\s/g, '').toLowerCase();
const passed = new Set(passedHeads.flatMap((key) => languages.map((language) => plainHead(say(language, key)))));

/**
 * A reader of workbooks whose first row has the heads of a template, in any order and in either language: a template of
 * one language is read in every language.
 */
export function sheetReader<const Columns extends SheetColumns>({
  columns,
  limits,
  exampleNumber,
  numberColumn = 'number',
}: Sheet<Columns>) {
  type Column = keyof Columns & string;
  type Places = ReadonlyMap<Column, number>;
  const known = Object.entries(columns) as [Column, Columns[Column]][];
  const { rowsMax, columnsMax } = limits;
  const columnByHead = new Map(
    known.flatMap(([column, { title }]) =>
      languages.map((language) => [plainHead(say(language, title)), column] as const),
    ),
  );
  const refusalOf: Readonly<Record<WorkbookFault, ApiError>> = {
    not_a_workbook: { code: 'file.wrong_type', params: { types: 'xlsx' } },
    unreadable: { code: 'file.unreadable' },
    too_large_inside: { code: 'import.too_large_inside' },
    too_many_rows: { code: 'import.too_many_rows', params: { max: rowsMax } },
  };

  function columnsIn({ cells }: ReadRow): Result<{ placeOf: Places; ignoredColumns: readonly string[] }, ApiError> {
    const placeOf = new Map<Column, number>();
    const ignoredColumns: string[] = [];
    for (const [place, { text }] of cells) {
      const column = columnByHead.get(plainHead(text));
      if (column === undefined) {
        if (!passed.has(plainHead(text))) ignoredColumns.push(text.slice(0, headTextMax).toWellFormed());
      } else if (placeOf.has(column)) {
        return failed({ code: 'import.repeated_column', words: { column: columns[column]?.title ?? '' } });
      } else placeOf.set(column, place);
    }
    const missing = known.flatMap(([column, { title, isRequired }]) =>
      isRequired === true && !placeOf.has(column) ? [title] : [],
    );
    const [first] = missing;
    if (first !== undefined) {
      return failed({ code: 'import.missing_columns', params: { count: missing.length }, words: { column: first } });
    }
    return ok({ placeOf, ignoredColumns });
  }

  function rowOf({ line, cells }: ReadRow, placeOf: Places): SheetRow<Column> {
    const given: SheetCells<Column> = {};
    const rounded: Column[] = [];
    for (const [column, place] of placeOf) {
      const cell = cells.get(place);
      if (cell === undefined) continue;
      given[column] = cell.text;
      if (cell.isRounded) rounded.push(column);
    }
    return { line, cells: given, rounded };
  }

  return async (file: Buffer): Promise<Result<SheetFile<Column>, ApiError>> => {
    // One row for the heads, one for the example.
    const bounds = { rowsMax: rowsMax + 2, columnsMax, cellTextMax, charactersMax, unpackedBytesMax };
    const read = await readWorkbook(file, bounds, (head) => columnByHead.has(plainHead(head)));
    if (!read.ok) return failed(refusalOf[read.error]);
    const [heads, ...rows] = read.value;
    if (heads === undefined) return failed({ code: 'import.no_rows' });
    const found = columnsIn(heads);
    if (!found.ok) return found;
    const { placeOf, ignoredColumns } = found.value;
    const given = rows
      .map((row) => rowOf(row, placeOf))
      .filter(({ cells }) => cells[numberColumn as Column] !== exampleNumber);
    const filled = given.filter(({ cells }) => Object.keys(cells).length > 0);
    if (filled.length === 0) return failed({ code: 'import.no_rows' });
    if (filled.length > rowsMax) return failed({ code: 'import.too_many_rows', params: { max: rowsMax } });
    return ok({ rows: filled, ignoredColumns });
  };
}
