import type { Readable } from 'node:stream';
import type { Language } from '@voltdeck/contract/languages';
import {
  paramsInWords,
  type StationImportColumn,
  type StationImportFault,
  stationImportColumns,
} from '@voltdeck/contract/station-imports';
import type { PhraseKey } from '@voltdeck/phrases/phrase';
import type { Id } from '@voltdeck/units/id';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';
import type { FileColumn } from '../../http/file-cells.ts';
import { say, sayIfKnown } from '../../http/say.ts';
import { xlsxStream } from '../../http/xlsx.ts';
import { type FaultyRow, faultyRows } from './kept-rows.ts';

const rowsAtOnce = 500;

/** The faulty rows with line numbers and reasons, to correct and upload again. */
export function importReport(db: Kysely<Tables>, id: Id<'station_import'>, language: Language): Readable {
  const columns = Object.entries(stationImportColumns) as [StationImportColumn, { title: string; isRequired?: true }][];
  const text = (head: string, widthCharacters: number, of: (row: FaultyRow) => string) =>
    ({ head, widthCharacters, cell: (row: FaultyRow) => ({ text: of(row) }) }) satisfies FileColumn<FaultyRow>;
  async function* batches(): AsyncGenerator<FaultyRow[]> {
    for (let after = 0; ; ) {
      const rows = await faultyRows(db, id, { after, limit: rowsAtOnce });
      yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsAtOnce) return;
      after = last.line;
    }
  }
  return xlsxStream(
    say(language, 'import.reportSheet'),
    [
      { head: say(language, 'import.line'), widthCharacters: 8, cell: ({ line }) => ({ number: line }) },
      ...columns.map(([column, { title }]) =>
        text(say(language, title as PhraseKey), 18, (row) => cellOf(row, column, language)),
      ),
      text(say(language, 'import.reason'), 80, ({ faults }) => reasonOf(faults, language)),
    ],
    batches(),
  );
}

/**
 * The text of a cell. In place of a password stands the request to enter it again, which is too short for one: uploaded
 * as it is, the row is refused instead of getting another password.
 */
function cellOf({ cells, hasPassword }: FaultyRow, column: StationImportColumn, language: Language): string {
  if (column === 'password' && hasPassword) return say(language, 'import.passwordAgain');
  return cells[column] ?? '';
}

/** "Site: this record does not exist; Gun ports: required". */
function reasonOf(faults: readonly StationImportFault[], language: Language): string {
  const reasons = faults.map((fault) => {
    const { column, code, params } = fault;
    const inWords = paramsInWords(fault, (key) => sayIfKnown(language, key) ?? undefined, say(language, 'list.comma'));
    return say(language, params?.value === undefined ? 'import.fault' : 'import.faultOf', {
      column: say(language, stationImportColumns[column].title),
      value: params?.value ?? '',
      fault: say(language, `field.${code}` as PhraseKey, inWords),
    });
  });
  return reasons.join(say(language, 'import.faultsJoin'));
}
