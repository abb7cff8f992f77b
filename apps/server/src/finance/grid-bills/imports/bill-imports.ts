import type { ApiError } from '@voltdeck/contract/errors';
import {
  type GridBillImport,
  type GridBillImportColumn,
  gridBillImportFaultsShown,
} from '@voltdeck/contract/grid-bill-imports';
import type { Id } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import { audit } from '../../../caller/audit.ts';
import type { Caller } from '../../../caller/caller.ts';
import type { Tables } from '../../../database/tables.generated.ts';
import type { Trx } from '../../../database/transact.ts';
import { findCheckedFile, keepCheckedFile, markImported, takeCheckedFile } from '../../../http/checked-files.ts';
import { found } from '../../../http/found.ts';
import { noteFaults, partsOf } from '../../../http/import-rows.ts';
import type { SheetFile } from '../../../http/import-sheet.ts';
import { columnsOf } from '../write-bill.ts';
import { checkRows, type GoodRow } from './check-rows.ts';

type ImportId = Id<'grid_bill_import'>;

export async function findImport(db: Kysely<Tables>, caller: Caller, id: ImportId): Promise<GridBillImport | null> {
  const file = await findCheckedFile<GridBillImportColumn>(db, 'grid_bill', caller, id, gridBillImportFaultsShown);
  if (file === null) return null;
  const faults = file.faults.map(({ line, cells, faults }) => ({ line, siteName: cells.siteName ?? '', faults }));
  return { ...file, id, faults };
}

/** Checks every row and keeps the file with its faults. */
export async function checkImport(
  trx: Trx,
  caller: Caller,
  file: SheetFile<GridBillImportColumn> & { fileName: string },
  at: Instant,
): Promise<Result<GridBillImport, ApiError>> {
  const check = () => checkRows(trx, caller, file.rows, at);
  const kept = await keepCheckedFile(trx, 'grid_bill', caller, { file, check }, at);
  if (!kept.ok) return kept;
  const id = kept.value.id as ImportId;
  await audit(trx, caller, at, {
    action: 'grid_bill.import_check',
    recordKind: 'grid_bill_import',
    recordId: id,
    after: { fileName: file.fileName, rows: file.rows.length, faulty: kept.value.faultyCount },
  });
  return found(await findImport(trx, caller, id));
}

/**
 * Enters the good bills of a checked file, all of them at once. If some have become impossible since, none is entered,
 * and the answer says what is wrong now.
 */
export async function startImport(
  trx: Trx,
  caller: Caller,
  id: ImportId,
  at: Instant,
): Promise<Result<GridBillImport, ApiError>> {
  const file = await takeCheckedFile<GridBillImportColumn>(trx, 'grid_bill', caller, id);
  if (!file.ok) return file;
  const checked = await checkRows(trx, caller, file.value.rows, at);
  const faulty = checked.flatMap((row) => ('faults' in row ? [row] : []));
  if (faulty.length > 0) {
    await noteFaults(trx, 'grid_bill', id, faulty);
    return found(await findImport(trx, caller, id));
  }
  const good = checked.filter((row): row is GoodRow => !('faults' in row));
  const by = { created_by: caller.userId, created_at: at, changed_by: caller.userId, changed_at: at };
  for (const part of partsOf(good)) {
    await trx
      .insertInto('grid_bills')
      .values(part.map(({ form }) => ({ ...columnsOf(form), ...by })))
      .execute();
  }
  await markImported(trx, 'grid_bill', id, at);
  await audit(trx, caller, at, {
    action: 'grid_bill.import',
    recordKind: 'grid_bill_import',
    recordId: id,
    after: { fileName: file.value.fileName, bills: good.length },
  });
  return found(await findImport(trx, caller, id));
}
