import type { ApiError } from '@voltdeck/contract/errors';
import {
  type GridBillImport,
  type GridBillImportColumn,
  gridBillImportFaultsShown,
} from '@voltdeck/contract/grid-bill-imports';
import type { Id } from '@voltdeck/units/id';
import { type Instant, isoOrNull } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { audit } from '../../../caller/audit.ts';
import type { Caller } from '../../../caller/caller.ts';
import { ownedBy } from '../../../caller/scope.ts';
import type { Tables } from '../../../database/tables.generated.ts';
import type { Trx } from '../../../database/transact.ts';
import { found } from '../../../http/found.ts';
import { beginCheck, faultyRows, noteFaults, partsOf } from '../../../http/import-rows.ts';
import type { SheetFile } from '../../../http/import-sheet.ts';
import { columnsOf } from '../write-bill.ts';
import { type BillCells, checkRows, type GoodRow } from './check-rows.ts';

type ImportId = Id<'grid_bill_import'>;

export async function findImport(db: Kysely<Tables>, caller: Caller, id: ImportId): Promise<GridBillImport | null> {
  const row = await ownedBy(db.selectFrom('grid_bill_imports'), caller, 'user_id')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const faults = await faultyRows<GridBillImportColumn>(db, 'grid_bill', id, {
    after: 0,
    limit: gridBillImportFaultsShown,
  });
  return {
    id: row.id,
    fileName: row.file_name,
    totalCount: row.total_count,
    goodCount: row.good_count,
    badCount: row.total_count - row.good_count,
    ignoredColumns: row.ignored_columns,
    faults: faults.map(({ line, cells, faults }) => ({ line, siteName: cells.siteName ?? '', faults })),
    importedAt: isoOrNull(row.imported_at),
  };
}

/** Checks every row and keeps the file with its faults. Forgets the user's earlier files that were never imported. */
export async function checkImport(
  trx: Trx,
  caller: Caller,
  { rows, ignoredColumns, fileName }: SheetFile<keyof BillCells & string> & { fileName: string },
  at: Instant,
): Promise<Result<GridBillImport, ApiError>> {
  if (!(await beginCheck(trx, 'grid_bill', caller))) return failed({ code: 'request.in_progress' });
  await trx
    .deleteFrom('grid_bill_imports')
    .where('user_id', '=', caller.userId)
    .where('imported_at', 'is', null)
    .execute();
  const checked = await checkRows(trx, caller, rows, at);
  const faultsOf = new Map(checked.flatMap((row) => ('faults' in row ? [[row.line, row.faults] as const] : [])));
  const { id } = await trx
    .insertInto('grid_bill_imports')
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
  for (const part of partsOf(rows)) {
    const kept = part.map(({ line, cells }) => ({ line, cells, faults: faultsOf.get(line) ?? null }));
    await sql`
      insert into grid_bill_import_rows (import_id, line, cells, faults)
      select ${id}, line, cells, nullif(faults, 'null')
        from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as kept (line integer, cells jsonb, faults jsonb)`.execute(
      trx,
    );
  }
  await audit(trx, caller, at, {
    action: 'grid_bill.import_check',
    recordKind: 'grid_bill_import',
    recordId: id,
    after: { fileName, rows: rows.length, faulty: faultsOf.size },
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
  const file = await trx
    .selectFrom('grid_bill_imports')
    .select(['file_name', 'imported_at'])
    .where('id', '=', id)
    .where('user_id', '=', caller.userId)
    .forUpdate()
    .executeTakeFirst();
  if (file === undefined) return failed({ code: 'record.not_found' });
  if (file.imported_at !== null) return failed({ code: 'import.started' });
  const rows = await trx
    .selectFrom('grid_bill_import_rows')
    .select(['line', 'cells'])
    .where('import_id', '=', id)
    .where('faults', 'is', null)
    .orderBy('line')
    .execute();
  if (rows.length === 0) return failed({ code: 'import.no_rows' });
  const checked = await checkRows(
    trx,
    caller,
    rows.map(({ line, cells }) => ({ line, cells: cells as BillCells, rounded: [] })),
    at,
  );
  const faulty = checked.flatMap((row) => ('faults' in row ? [row] : []));
  if (faulty.length > 0) {
    await noteFaults(trx, 'grid_bill', id, faulty);
    return found(await findImport(trx, caller, id));
  }
  const good = checked.filter((row): row is GoodRow => !('faults' in row));
  for (const part of partsOf(good)) {
    const by = { created_by: caller.userId, created_at: at, changed_by: caller.userId, changed_at: at };
    await trx
      .insertInto('grid_bills')
      .values(part.map(({ form }) => ({ ...columnsOf(form), ...by })))
      .execute();
  }
  await trx.updateTable('grid_bill_imports').set({ imported_at: at }).where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'grid_bill.import',
    recordKind: 'grid_bill_import',
    recordId: id,
    after: { fileName: file.file_name, bills: good.length },
  });
  return found(await findImport(trx, caller, id));
}
