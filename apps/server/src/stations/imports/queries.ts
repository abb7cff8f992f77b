import {
  type StationImport,
  type StationImportColumn,
  stationImportFaultsShown,
} from '@voltdeck/contract/station-imports';
import type { Id } from '@voltdeck/units/id';
import { toIso } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { ownedBy } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { faultyRows } from '../../http/import-rows.ts';

type ImportId = Id<'station_import'>;

export async function findImport(db: Kysely<Tables>, caller: Caller, id: ImportId): Promise<StationImport | null> {
  const row = await ownedBy(db.selectFrom('station_imports'), caller, 'user_id')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const faults = await faultyRows<StationImportColumn>(db, 'station', id, {
    after: 0,
    limit: stationImportFaultsShown,
  });
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
