import type { ApiError } from '@voltdeck/contract/errors';
import { languages } from '@voltdeck/contract/permissions';
import {
  type StationImportColumn,
  stationImportColumns,
  stationImportLimits,
} from '@voltdeck/contract/station-imports';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type ReadRow, readWorkbook, type WorkbookFault } from '../../http/read-workbook.ts';
import { say } from '../../http/say.ts';
import { exampleNumber, requiredMark } from './template.ts';

/** The texts of a row by the fields that they fill; empty cells are absent. */
export type ImportCells = Partial<Record<StationImportColumn, string>>;

export type ImportRow = {
  line: number;
  cells: ImportCells;
  /** Numbers of which Excel has lost the last digits. */
  rounded: readonly StationImportColumn[];
};

export type ImportFile = { rows: readonly ImportRow[]; ignoredColumns: readonly string[] };

/** Longer than any field, so truncated text fails its length check. */
const cellTextMax = 500;
const headTextMax = 60;
/** More than ten thousand rows with every field full. */
const charactersMax = 10_000_000;
const unpackedBytesMax = 48 * 1024 * 1024;

const columns = Object.entries(stationImportColumns) as [
  StationImportColumn,
  (typeof stationImportColumns)[StationImportColumn],
][];

/** Heads of our own files that fill no field. */
const passedHeads = ['import.line', 'import.reason'] as const;

const plainHead = (head: string) => head.replace(requiredMark, '').replaceAll(/\s/g, '').toLowerCase();

/** A template of one language is read in every language. */
const columnByHead = new Map(
  columns.flatMap(([column, { title }]) =>
    languages.map((language) => [plainHead(say(language, title)), column] as const),
  ),
);
const passed = new Set(passedHeads.flatMap((key) => languages.map((language) => plainHead(say(language, key)))));

const refusalOf: Readonly<Record<WorkbookFault, ApiError>> = {
  not_a_workbook: { code: 'file.wrong_type', params: { types: 'xlsx' } },
  unreadable: { code: 'file.unreadable' },
  too_large_inside: { code: 'import.too_large_inside' },
  too_many_rows: { code: 'import.too_many_rows', params: { max: stationImportLimits.rowsMax } },
};

/** The rows of a workbook whose first row has the heads of the template, in any order and in either language. */
export async function readImport(file: Buffer): Promise<Result<ImportFile, ApiError>> {
  const { rowsMax, columnsMax } = stationImportLimits;
  // One row for the heads, one for the example.
  const limits = { rowsMax: rowsMax + 2, columnsMax, cellTextMax, charactersMax, unpackedBytesMax };
  const read = await readWorkbook(file, limits, (head) => columnByHead.has(plainHead(head)));
  if (!read.ok) return failed(refusalOf[read.error]);
  const [heads, ...rows] = read.value;
  if (heads === undefined) return failed({ code: 'import.no_rows' });
  const found = columnsIn(heads);
  if (!found.ok) return found;
  const { placeOf, ignoredColumns } = found.value;
  const given = rows.map((row) => rowOf(row, placeOf)).filter(({ cells }) => cells.number !== exampleNumber);
  const filled = given.filter(({ cells }) => Object.keys(cells).length > 0);
  if (filled.length === 0) return failed({ code: 'import.no_rows' });
  if (filled.length > rowsMax) return failed({ code: 'import.too_many_rows', params: { max: rowsMax } });
  return ok({ rows: filled, ignoredColumns });
}

type Places = ReadonlyMap<StationImportColumn, number>;

function columnsIn({ cells }: ReadRow): Result<{ placeOf: Places; ignoredColumns: readonly string[] }, ApiError> {
  const placeOf = new Map<StationImportColumn, number>();
  const ignoredColumns: string[] = [];
  for (const [place, { text }] of cells) {
    const column = columnByHead.get(plainHead(text));
    if (column === undefined) {
      if (!passed.has(plainHead(text))) ignoredColumns.push(text.slice(0, headTextMax).toWellFormed());
    } else if (placeOf.has(column)) {
      return failed({ code: 'import.repeated_column', words: { column: stationImportColumns[column].title } });
    } else placeOf.set(column, place);
  }
  const missing = columns.flatMap(([column, spec]) =>
    'isRequired' in spec && !placeOf.has(column) ? [spec.title] : [],
  );
  const [first] = missing;
  if (first !== undefined) {
    return failed({ code: 'import.missing_columns', params: { count: missing.length }, words: { column: first } });
  }
  return ok({ placeOf, ignoredColumns });
}

function rowOf({ line, cells }: ReadRow, placeOf: Places): ImportRow {
  const given: ImportCells = {};
  const rounded: StationImportColumn[] = [];
  for (const [column, place] of placeOf) {
    const cell = cells.get(place);
    if (cell === undefined) continue;
    given[column] = cell.text;
    if (cell.isRounded) rounded.push(column);
  }
  return { line, cells: given, rounded };
}
