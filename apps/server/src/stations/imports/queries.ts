import {
  type StationImport,
  type StationImportFault,
  stationImportFaultsShown,
} from '@voltdeck/contract/station-imports';
import type { Id } from '@voltdeck/units/id';
import { toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { ownedBy } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import type { ImportCells, ImportRow } from './read-import.ts';

type ImportId = Id<'station_import'>;

export async function findImport(db: Kysely<Tables>, caller: Caller, id: ImportId): Promise<StationImport | null> {
  const row = await ownedBy(db.selectFrom('station_imports'), caller, 'user_id')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const faults = await faultyRows(db, id, { after: 0, limit: stationImportFaultsShown });
  return {
    id: row.id,
    fileName: row.file_name,
    totalCount: row.total_count,
    goodCount: row.good_count,
    badCount: row.total_count - row.good_count,
    ignoredColumns: row.ignored_columns,
    faults: faults.map(({ line, cells, faults }) => ({ line, number: cells.number ?? '', faults })),
    taskId: row.task_id,
    createdAt: toIso(row.created_at),
  };
}

export type FaultyRow = { line: number; cells: ImportCells; faults: StationImportFault[] };

export async function faultyRows(
  db: Kysely<Tables>,
  id: ImportId,
  { after, limit }: { after: number; limit: number },
): Promise<FaultyRow[]> {
  const rows = await db
    .selectFrom('station_import_rows')
    .select(['line', 'cells', 'faults'])
    .where('import_id', '=', id)
    .where('faults', 'is not', null)
    .where('line', '>', after)
    .orderBy('line')
    .limit(limit)
    .execute();
  return rows as unknown as FaultyRow[];
}

/** The rows that were good when they were last checked. */
export async function goodRows(db: Kysely<Tables>, id: ImportId): Promise<ImportRow[]> {
  const rows = await db
    .selectFrom('station_import_rows')
    .select(['line', 'cells'])
    .where('import_id', '=', id)
    .where('faults', 'is', null)
    .orderBy('line')
    .execute();
  return rows.map(({ line, cells }) => ({ line, cells: cells as ImportCells, rounded: [] }));
}

/** Notes what has become wrong with rows that were good. */
export async function noteFaults(
  db: Kysely<Tables>,
  id: ImportId,
  rows: readonly { line: number; faults: readonly StationImportFault[] }[],
): Promise<void> {
  await sql`
    update station_import_rows set faults = found.faults
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as found (line integer, faults jsonb)
     where import_id = ${id} and station_import_rows.line = found.line`.execute(db);
  await sql`
    update station_imports
       set good_count = (select count(*) from station_import_rows where import_id = ${id} and faults is null)
     where id = ${id}`.execute(db);
}
