import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ErrorCode } from '@voltdeck/contract/errors';
import type { Language } from '@voltdeck/contract/permissions';
import type { UserId } from '@voltdeck/units/id';
import { type Instant, shanghaiDate } from '@voltdeck/units/instant';
import { callerOf, type StoredDetail } from '../../background/task-details.ts';
import type { Context } from '../../context.ts';
import type { KeptBytes } from '../../files/file-store.ts';
import { say } from '../../http/say.ts';
import { portsOfQuery } from './wanted-labels.ts';

/** Ten thousand labels are some three megabytes. */
const fileBytesMax = 256 * 1024 * 1024;

export const labelSheetType = 'application/pdf';

/** "QR code labels 2026-11-21.pdf". */
export function labelSheetName(language: Language, at: Instant): string {
  return `${say(language, 'stations.qrSheetTitle')} ${shanghaiDate(at)}.pdf`;
}

type Work = {
  userId: UserId;
  language: Language;
  detail: StoredDetail<'label-sheet'>;
  progress: { doneCount: number };
  signal: AbortSignal;
};

/** Draws the labels in the thread of the exports; an interrupted sheet leaves no file. */
export async function runLabelSheet(
  context: Context<'console'>,
  { userId, language, detail, progress, signal }: Work,
): Promise<{ file: { kept: KeptBytes; name: string; contentType: string } } | { failed: ErrorCode }> {
  const at = context.now();
  const caller = callerOf(detail, userId, language);
  const read = portsOfQuery(detail.query);
  if (!read.ok) throw new Error('a stored filter of gun ports is no longer valid');
  const { format, connectorIds } = detail;
  const labels = { format, ...read.value, connectorIds };
  const written = context.exports.write({ caller, at, labels }, (count) => {
    progress.doneCount += count;
  });
  const through = new PassThrough();
  const flow = pipeline(written, through, { signal });
  flow.catch(() => undefined);
  const kept = await context.files.put(through, { bytesMax: fileBytesMax });
  if (!kept.ok) {
    through.destroy();
    return { failed: 'task.too_large' };
  }
  await flow;
  return { file: { kept: kept.value, name: labelSheetName(language, at), contentType: labelSheetType } };
}
