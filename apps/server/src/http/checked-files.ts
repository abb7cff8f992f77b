import type { ApiError } from '@voltdeck/contract/errors';
import { type Instant, isoOrNull } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { ownedBy } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import type { CellFault } from './form-of-row.ts';
import { beginCheck, faultyRows, partsOf } from './import-rows.ts';
import type { SheetCells, SheetFile } from './import-sheet.ts';

/** Files whose good rows become records all at once after consent; every table of them has these columns. */
type CheckedKind = 'card' | 'grid_bill' | 'group_member';
const filesOf = (kind: CheckedKind) => `${kind}_imports` as 'card_imports';
const rowsOf = (kind: CheckedKind) => `${kind}_import_rows` as 'card_import_rows';

/** A checked file of the caller's own with its first faults; null where there is none. */
export async function findCheckedFile<Column extends string>(
  db: Kysely<Tables>,
  kind: CheckedKind,
  caller: Caller,
  id: number,
  faultsMax: number,
) {
  const row = await ownedBy(db.selectFrom(filesOf(kind)), caller, 'user_id')
    .selectAll()
    .where('id', '=', id as never)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    fileName: row.file_name,
    totalCount: row.total_count,
    goodCount: row.good_count,
    badCount: row.total_count - row.good_count,
    ignoredColumns: row.ignored_columns,
    faults: await faultyRows<Column>(db, kind, id, { after: 0, limit: faultsMax }),
    importedAt: isoOrNull(row.imported_at),
  };
}

type Checking<Column extends string> = {
  file: SheetFile<Column> & { fileName: string };
  /** What is wrong with each row; null for a good one. */
  check: () => Promise<readonly ({ line: number; faults: readonly CellFault<Column>[] } | { line: number })[]>;
  /** What the file belongs to, in columns of its own. */
  of?: Readonly<Record<string, unknown>>;
};

/** Checks every row and keeps the file with its faults. Forgets the user's earlier files that were never imported. */
export async function keepCheckedFile<Column extends string>(
  trx: Trx,
  kind: CheckedKind,
  caller: Caller,
  { file: { rows, ignoredColumns, fileName }, check, of = {} }: Checking<Column>,
  at: Instant,
): Promise<Result<{ id: number; faultyCount: number }, ApiError>> {
  if (!(await beginCheck(trx, kind, caller))) return failed({ code: 'request.in_progress' });
  await trx.deleteFrom(filesOf(kind)).where('user_id', '=', caller.userId).where('imported_at', 'is', null).execute();
  const checked = await check();
  const faultsOf = new Map(checked.flatMap((row) => ('faults' in row ? [[row.line, row.faults] as const] : [])));
  const { id } = await trx
    .insertInto(filesOf(kind))
    .values({
      ...of,
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
      insert into ${sql.table(rowsOf(kind))} (import_id, line, cells, faults)
      select ${id}, line, cells, nullif(faults, 'null')
        from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as kept (line integer, cells jsonb, faults jsonb)`.execute(
      trx,
    );
  }
  return ok({ id, faultyCount: faultsOf.size });
}

/** The good rows of a checked file that its user agrees to, with the file locked until the transaction ends. */
export async function takeCheckedFile<Column extends string>(
  trx: Trx,
  kind: CheckedKind,
  caller: Caller,
  id: number,
): Promise<Result<{ fileName: string; rows: SheetFile<Column>['rows'] }, ApiError>> {
  const file = await trx
    .selectFrom(filesOf(kind))
    .select(['file_name', 'imported_at'])
    .where('id', '=', id as never)
    .where('user_id', '=', caller.userId)
    .forUpdate()
    .executeTakeFirst();
  if (file === undefined) return failed({ code: 'record.not_found' });
  if (file.imported_at !== null) return failed({ code: 'import.started' });
  const rows = await trx
    .selectFrom(rowsOf(kind))
    .select(['line', 'cells'])
    .where('import_id', '=', id as never)
    .where('faults', 'is', null)
    .orderBy('line')
    .execute();
  if (rows.length === 0) return failed({ code: 'import.no_rows' });
  return ok({
    fileName: file.file_name,
    rows: rows.map(({ line, cells }) => ({ line, cells: cells as SheetCells<Column>, rounded: [] })),
  });
}

/** Notes that the rows of a file have become records. */
export async function markImported(trx: Trx, kind: CheckedKind, id: number, at: Instant): Promise<void> {
  await trx
    .updateTable(filesOf(kind))
    .set({ imported_at: at })
    .where('id', '=', id as never)
    .execute();
}
