import type { StationImportFault } from '@voltdeck/contract/station-imports';
import type { Id } from '@voltdeck/units/id';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';
import type { Trx } from '../../database/transact.ts';
import { partsOf } from '../../http/import-rows.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { ImportCells, ImportRow } from './read-import.ts';

type ImportId = Id<'station_import'>;

const sealedName = 'station-import-password';

/** Keeps the rows of a file until its user agrees, with their passwords sealed. */
export async function keepRows(
  trx: Trx,
  secrets: SecretBox,
  id: ImportId,
  rows: readonly { line: number; cells: ImportCells; faults: readonly StationImportFault[] | null }[],
): Promise<void> {
  for (const part of partsOf(rows)) {
    const kept = part.map(({ line, cells: { password, ...cells }, faults }) => {
      const sealed = password === undefined ? null : secrets.seal(sealedName, password).toString('base64');
      return { line, cells, sealed, faults };
    });
    await sql`
      insert into station_import_rows (import_id, line, cells, sealed_password, faults)
      select ${id}, line, cells, decode(sealed, 'base64'), nullif(faults, 'null')
        from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb)
               as kept (line integer, cells jsonb, sealed text, faults jsonb)`.execute(trx);
  }
}

/** Notes which stations rows have become, since a station may get another number. */
export async function noteStations(
  trx: Trx,
  id: ImportId,
  rows: readonly { line: number; form: { number: string } }[],
): Promise<void> {
  await sql`
    update station_import_rows set station_id = stations.id
      from unnest(${rows.map(({ line }) => line)}::integer[], ${rows.map(({ form }) => form.number)}::text[])
             as made (line, number)
      join stations on stations.number = made.number
     where import_id = ${id} and station_import_rows.line = made.line`.execute(trx);
}

/** Forgets the passwords of a file whose stations exist, and have their hashes. */
export async function forgetPasswords(trx: Trx, id: ImportId): Promise<void> {
  await trx
    .updateTable('station_import_rows')
    .set({ sealed_password: null })
    .where('import_id', '=', id)
    .where('sealed_password', 'is not', null)
    .execute();
}

/** Which of these lines have a password, which is never returned. */
export async function linesWithPassword(
  db: Kysely<Tables>,
  id: ImportId,
  lines: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('station_import_rows')
    .select('line')
    .where('import_id', '=', id)
    .where(sql<boolean>`line = any(${[...lines]}::integer[])`)
    .where('sealed_password', 'is not', null)
    .execute();
  return new Set(rows.map(({ line }) => line));
}

/**
 * The rows that were good when they were last checked. A password that does not open, because the installation's key
 * has changed, is an empty one: the next check refuses it, so that no station gets another.
 */
export async function goodRows(db: Kysely<Tables>, secrets: SecretBox, id: ImportId): Promise<ImportRow[]> {
  const rows = await db
    .selectFrom('station_import_rows')
    .select(['line', 'cells', 'sealed_password'])
    .where('import_id', '=', id)
    .where('faults', 'is', null)
    .orderBy('line')
    .execute();
  return rows.map(({ line, cells, sealed_password: sealed }) => {
    const opened = sealed === null ? null : secrets.open(sealedName, sealed);
    const password = opened === null ? {} : { password: opened.ok ? opened.value : '' };
    return { line, cells: { ...(cells as ImportCells), ...password }, rounded: [] };
  });
}
