import type { ApiError } from '@voltdeck/contract/errors';
import { secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import { FairGate } from '../limits/fair-gate.ts';
import { bytesOf } from './bytes-of.ts';
import { cleanName } from './clean-name.ts';
import { tooLarge, type Upload } from './read-upload.ts';

/** A workbook takes up to some hundred megabytes while it is read, so users take turns. */
const readingLimits = { atOnce: 1, atOncePerKey: 1, waiting: 8, waitingPerKey: 1, waitMsMax: 20 * secondMs };
const retryAfterSeconds = 10;

export const createReadingTurns = () => new FairGate(readingLimits);

type Sheet<File> = { bytesMax: number; read: (bytes: Buffer) => Promise<Result<File, ApiError>> };

/** Reads an uploaded workbook, which is judged by its content and not by its name. */
export async function receiveSheet<File extends object>(
  upload: Upload,
  caller: Caller,
  turns: FairGate,
  { bytesMax, read }: Sheet<File>,
): Promise<Result<File & { fileName: string }, ApiError>> {
  const received = await upload.receive<File & { fileName: string }>({
    bytesMax,
    fields: [],
    take: async (file) => {
      const bytes = await bytesOf(file.content, bytesMax);
      if (bytes === null) return failed(tooLarge(bytesMax));
      const leave = await turns.enter(String(caller.userId));
      if (leave === null) return failed({ code: 'request.too_many', params: { seconds: retryAfterSeconds } });
      try {
        const sheet = await read(bytes);
        return sheet.ok ? ok({ ...sheet.value, fileName: cleanName(file.name) }) : sheet;
      } finally {
        leave();
      }
    },
    undo: async () => undefined,
  });
  return received.ok ? ok(received.value.taken) : received;
}
