import type { ApiError } from '@voltdeck/contract/errors';
import { type StationImport, stationImportLimits } from '@voltdeck/contract/station-imports';
import { type Instant, secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { cleanName } from '../../http/clean-name.ts';
import { found } from '../../http/found.ts';
import { type IncomingFile, tooLarge, type Upload } from '../../http/read-upload.ts';
import { FairGate } from '../../limits/fair-gate.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { checkRows } from './check-rows.ts';
import { keepRows } from './kept-rows.ts';
import { findImport } from './queries.ts';
import { type ImportFile, readImport } from './read-import.ts';

export type ReceivedImport = ImportFile & { fileName: string };

/** A workbook takes up to some hundred megabytes while it is read, so users take turns. */
const readingLimits = { atOnce: 1, atOncePerKey: 1, waiting: 8, waitingPerKey: 1, waitMsMax: 20 * secondMs };
const retryAfterSeconds = 10;

export const createReadingTurns = () => new FairGate(readingLimits);

/** Reads an uploaded workbook, which is judged by its content and not by its name. */
export async function receiveImport(
  upload: Upload,
  caller: Caller,
  turns: FairGate,
): Promise<Result<ReceivedImport, ApiError>> {
  const { bytesMax } = stationImportLimits;
  const received = await upload.receive<ReceivedImport>({
    bytesMax,
    fields: [],
    take: async (file) => {
      const bytes = await bytesOf(file, bytesMax);
      if (bytes === null) return failed(tooLarge(bytesMax));
      const leave = await turns.enter(String(caller.userId));
      if (leave === null) return failed({ code: 'request.too_many', params: { seconds: retryAfterSeconds } });
      try {
        const read = await readImport(bytes);
        return read.ok ? ok({ ...read.value, fileName: cleanName(file.name) }) : read;
      } finally {
        leave();
      }
    },
    undo: async () => undefined,
  });
  return received.ok ? ok(received.value.taken) : received;
}

/** Null when there are more than allowed. */
async function bytesOf({ content }: IncomingFile, bytesMax: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Checks every row and stores the file with its faults. Deletes the user's earlier files that were never imported. */
export async function checkImport(
  trx: Trx,
  caller: Caller,
  { rows, ignoredColumns, fileName }: ReceivedImport,
  { at, secrets }: { at: Instant; secrets: SecretBox },
): Promise<Result<StationImport, ApiError>> {
  // One check of a user at a time.
  const { rows: locks } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`station-import:${caller.userId}`}, 0)) as free`.execute(trx);
  if (locks[0]?.free !== true) return failed({ code: 'request.in_progress' });
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
