import type { Readable } from 'node:stream';
import { paramsInWords } from '@voltdeck/contract/import-faults';
import type { Language } from '@voltdeck/contract/languages';
import type { PhraseKey } from '@voltdeck/phrases/phrase';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import type { FileColumn } from './file-cells.ts';
import type { CellFault } from './form-of-row.ts';
import type { SheetCells, SheetColumns } from './import-sheet.ts';
import { say, sayIfKnown } from './say.ts';
import { xlsxStream } from './xlsx.ts';

/** What is imported: its files are in `<kind>_imports`, their rows in `<kind>_import_rows`. */
type ImportKind = 'card' | 'station' | 'grid_bill' | 'group_member';

/** Rows per statement, so that each is short on a busy machine too. */
const rowsAtOnce = 1_000;
/** Rows of a report that are read at once. */
const reportRowsAtOnce = 500;

export type FaultyRow<Column extends string> = {
  line: number;
  cells: SheetCells<Column>;
  faults: CellFault<Column>[];
};

/** One check of a user at a time. False while another one runs. */
export async function beginCheck(trx: Trx, kind: ImportKind, { userId }: Caller): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${kind}-import:${userId}`}, 0)) as free`.execute(trx);
  return rows[0]?.free === true;
}

/** Notes what has become wrong with rows that were good. */
export async function noteFaults(
  trx: Trx,
  kind: ImportKind,
  id: number,
  rows: readonly { line: number; faults: readonly CellFault<string>[] }[],
): Promise<void> {
  const [files, kept] = tablesOf(kind);
  for (const part of partsOf(rows)) {
    await sql`
      update ${kept} k set faults = found.faults
        from jsonb_to_recordset(${JSON.stringify(part)}::jsonb) as found (line integer, faults jsonb)
       where import_id = ${id} and k.line = found.line`.execute(trx);
  }
  await sql`
    update ${files} set good_count = (select count(*) from ${kept} where import_id = ${id} and faults is null)
     where id = ${id}`.execute(trx);
}

/** Rows with faults after a line, in the order of the file. */
export async function faultyRows<Column extends string>(
  db: Kysely<Tables>,
  kind: ImportKind,
  id: number,
  { after, limit }: { after: number; limit: number },
): Promise<FaultyRow<Column>[]> {
  const [, kept] = tablesOf(kind);
  const { rows } = await sql<FaultyRow<Column>>`
    select line, cells, faults from ${kept}
     where import_id = ${id} and faults is not null and line > ${after}
     order by line limit ${limit}`.execute(db);
  return rows;
}

function tablesOf(kind: ImportKind) {
  return [sql.table(`${kind}_imports`), sql.table(`${kind}_import_rows`)] as const;
}

/** Rows in the parts that one statement takes. */
export function* partsOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) yield rows.slice(from, from + rowsAtOnce);
}

type Report<Column extends string, Row extends FaultyRow<Column>> = {
  columns: SheetColumns;
  /** The text of a cell, where it is another than what was read. */
  cellOf?: (row: Row, column: Column) => string | undefined;
  rowsAfter: (line: number, limit: number) => Promise<Row[]>;
};

/** The faulty rows with line numbers and reasons, to correct and upload again. */
export function importReport<Column extends string, Row extends FaultyRow<Column>>(
  language: Language,
  { columns, cellOf, rowsAfter }: Report<Column, Row>,
): Readable {
  const text = (head: string, widthCharacters: number, of: (row: Row) => string) =>
    ({ head, widthCharacters, cell: (row: Row) => ({ text: of(row) }) }) satisfies FileColumn<Row>;
  async function* batches(): AsyncGenerator<Row[]> {
    for (let after = 0; ; ) {
      const rows = await rowsAfter(after, reportRowsAtOnce);
      yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < reportRowsAtOnce) return;
      after = last.line;
    }
  }
  const cells = (Object.entries(columns) as [Column, SheetColumns[string]][]).map(([column, { title }]) =>
    text(say(language, title), 20, (row) => cellOf?.(row, column) ?? row.cells[column] ?? ''),
  );
  return xlsxStream(
    say(language, 'import.reportSheet'),
    [
      { head: say(language, 'import.line'), widthCharacters: 8, cell: ({ line }) => ({ number: line }) },
      ...cells,
      text(say(language, 'import.reason'), 80, ({ faults }) => reasonOf(faults, columns, language)),
    ],
    batches(),
  );
}

/** "Site: this record does not exist; Gun ports: required". */
function reasonOf(faults: readonly CellFault<string>[], columns: SheetColumns, language: Language): string {
  const reasons = faults.map((fault) => {
    const { column, code, params } = fault;
    const title = columns[column]?.title;
    const inWords = paramsInWords(
      columns,
      fault,
      (key) => sayIfKnown(language, key) ?? undefined,
      say(language, 'list.comma'),
    );
    return say(language, params?.value === undefined ? 'import.fault' : 'import.faultOf', {
      column: title === undefined ? column : say(language, title),
      value: params?.value ?? '',
      fault: say(language, `field.${code}` as PhraseKey, inWords),
    });
  });
  return reasons.join(say(language, 'import.faultsJoin'));
}
