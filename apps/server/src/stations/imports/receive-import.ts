import type { ApiError } from '@voltdeck/contract/errors';
import { stationImportLimits } from '@voltdeck/contract/station-imports';
import { secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../../caller/caller.ts';
import { bytesOf } from '../../http/bytes-of.ts';
import { cleanName } from '../../http/clean-name.ts';
import { tooLarge, type Upload } from '../../http/read-upload.ts';
import { FairGate } from '../../limits/fair-gate.ts';
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
      const bytes = await bytesOf(file.content, bytesMax);
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
