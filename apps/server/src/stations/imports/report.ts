import type { Readable } from 'node:stream';
import type { Language } from '@voltdeck/contract/languages';
import { type StationImportColumn, stationImportColumns } from '@voltdeck/contract/station-imports';
import type { Id } from '@voltdeck/units/id';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';
import { faultyRows, importReport } from '../../http/import-rows.ts';
import { say } from '../../http/say.ts';
import { linesWithPassword } from './kept-rows.ts';

/**
 * The faulty rows of a file of stations. In place of a password stands the request to enter it again, which is too short
 * for one: uploaded as it is, the row is refused instead of getting another password.
 */
export function stationReport(db: Kysely<Tables>, id: Id<'station_import'>, language: Language): Readable {
  return importReport<StationImportColumn, Awaited<ReturnType<typeof rowsAfter>>[number]>(language, {
    columns: stationImportColumns,
    cellOf: ({ hasPassword }, column) =>
      column === 'password' && hasPassword ? say(language, 'import.passwordAgain') : undefined,
    rowsAfter: (after, limit) => rowsAfter(db, id, { after, limit }),
  });
}

async function rowsAfter(db: Kysely<Tables>, id: Id<'station_import'>, part: { after: number; limit: number }) {
  const rows = await faultyRows<StationImportColumn>(db, 'station', id, part);
  const sealed = await linesWithPassword(
    db,
    id,
    rows.map(({ line }) => line),
  );
  return rows.map((row) => ({ ...row, hasPassword: sealed.has(row.line) }));
}
