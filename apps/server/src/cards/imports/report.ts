import type { Readable } from 'node:stream';
import { type CardImportColumn, type CardImportFault, cardImportColumns } from '@voltdeck/contract/card-imports';
import type { Language } from '@voltdeck/contract/languages';
import type { PhraseKey } from '@voltdeck/phrases/phrase';
import type { Id } from '@voltdeck/units/id';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';
import type { FileColumn } from '../../http/file-cells.ts';
import { say } from '../../http/say.ts';
import { xlsxStream } from '../../http/xlsx.ts';
import { type FaultyRow, faultyRows } from './card-imports.ts';

const rowsAtOnce = 500;

/** The faulty rows with line numbers and reasons, to correct and upload again. */
export function importReport(db: Kysely<Tables>, id: Id<'card_import'>, language: Language): Readable {
  const columns = Object.entries(cardImportColumns) as [CardImportColumn, { title: PhraseKey }][];
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
      ...columns.map(([column, { title }]) => text(say(language, title), 20, ({ cells }) => cells[column] ?? '')),
      text(say(language, 'import.reason'), 80, ({ faults }) => reasonOf(faults, language)),
    ],
    batches(),
  );
}

/** "Card number: 16 characters; Phone of the user: this record does not exist". */
function reasonOf(faults: readonly CardImportFault[], language: Language): string {
  const reasons = faults.map(({ column, code, params }) =>
    say(language, params?.value === undefined ? 'import.fault' : 'import.faultOf', {
      column: say(language, cardImportColumns[column].title),
      value: params?.value ?? '',
      fault: say(language, `field.${code}` as PhraseKey, params),
    }),
  );
  return reasons.join(say(language, 'import.faultsJoin'));
}
