import type { ApiError } from '@voltdeck/contract/errors';
import type { StationImport } from '@voltdeck/contract/station-imports';
import type { Id } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Started } from '../../background/announce-task.ts';
import { startTask } from '../../background/start-task.ts';
import type { TaskMoved } from '../../bus/publish-task.ts';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { found } from '../../http/found.ts';
import { noteFaults } from '../../http/import-rows.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { checkRows } from './check-rows.ts';
import { goodRows } from './kept-rows.ts';
import { findImport } from './queries.ts';

/**
 * Agrees to the good rows of a checked file. If some of them have become impossible since, nothing starts: the answer
 * has no task, and says what is wrong now. A file whose work was cancelled or failed can be started again.
 */
export async function startImport(
  trx: Trx,
  caller: Caller,
  id: Id<'station_import'>,
  { at, secrets }: { at: Instant; secrets: SecretBox },
): Promise<Result<Started<StationImport>, ApiError>> {
  const row = await trx
    .selectFrom('station_imports')
    .leftJoin('tasks', 'tasks.id', 'station_imports.task_id')
    .select(['station_imports.started_at', 'station_imports.file_name', 'tasks.state'])
    .where('station_imports.id', '=', id)
    .where('station_imports.user_id', '=', caller.userId)
    .forUpdate('station_imports')
    .executeTakeFirst();
  if (row === undefined) return failed({ code: 'record.not_found' });
  const cameToNothing = row.state === 'cancelled' || row.state === 'failed';
  if (row.started_at !== null && !cameToNothing) return failed({ code: 'import.started' });
  const rows = await goodRows(trx, secrets, id);
  const checked = await checkRows(trx, caller, rows);
  const faulty = checked.flatMap((one) => ('faults' in one ? [one] : []));
  if (faulty.length > 0) {
    await noteFaults(trx, 'station', id, faulty);
    await trx.updateTable('station_imports').set({ task_id: null, started_at: null }).where('id', '=', id).execute();
    return withTask(found(await findImport(trx, caller, id)), null);
  }
  if (rows.length === 0) return failed({ code: 'import.no_rows' });
  const wanted = {
    kind: 'station-import',
    subject: row.file_name,
    detail: { importId: id },
    totalCount: rows.length,
  } as const;
  const task = await startTask(trx, caller, wanted, at);
  if (!task.ok) return task;
  await trx
    .updateTable('station_imports')
    .set({ task_id: task.value.id, started_at: at })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    action: 'station.import',
    recordKind: 'station_import',
    recordId: id,
    after: { fileName: row.file_name, stations: rows.length, taskId: task.value.id },
  });
  return withTask(found(await findImport(trx, caller, id)), task.value);
}

function withTask(
  answer: Result<StationImport, ApiError>,
  task: TaskMoved | null,
): Result<Started<StationImport>, ApiError> {
  return answer.ok ? ok({ answer: answer.value, task }) : answer;
}
