import type { ApiError } from '@voltdeck/contract/errors';
import type { StationImport } from '@voltdeck/contract/station-imports';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { found } from '../../http/found.ts';
import { beginCheck } from '../../http/import-rows.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { checkRows } from './check-rows.ts';
import { keepRows } from './kept-rows.ts';
import { findImport } from './queries.ts';
import type { ImportFile } from './read-import.ts';

/** Checks every row and stores the file with its faults. Deletes the user's earlier files that were never imported. */
export async function checkImport(
  trx: Trx,
  caller: Caller,
  { rows, ignoredColumns, fileName }: ImportFile & { fileName: string },
  { at, secrets }: { at: Instant; secrets: SecretBox },
): Promise<Result<StationImport, ApiError>> {
  if (!(await beginCheck(trx, 'station', caller))) return failed({ code: 'request.in_progress' });
  await trx
    .deleteFrom('station_imports')
    .where('user_id', '=', caller.userId)
    .where('started_at', 'is', null)
    .execute();
  const checked = await checkRows(trx, caller, rows);
  const faultsOf = new Map(checked.flatMap((row) => ('faults' in row ? [[row.line, row.faults] as const] : [])));
  const { id } = await trx
    .insertInto('station_imports')
    .values({
      user_id: caller.userId,
      file_name: fileName,
      ignored_columns: [...ignoredColumns],
      total_count: rows.length,
      good_count: rows.length - faultsOf.size,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await keepRows(
    trx,
    secrets,
    id,
    rows.map(({ line, cells }) => ({ line, cells, faults: faultsOf.get(line) ?? null })),
  );
  await audit(trx, caller, at, {
    action: 'station.import_check',
    recordKind: 'station_import',
    recordId: id,
    after: { fileName, rows: rows.length, faulty: faultsOf.size },
  });
  return found(await findImport(trx, caller, id));
}
