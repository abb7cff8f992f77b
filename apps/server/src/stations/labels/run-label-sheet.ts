import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Language } from '@voltdeck/contract/languages';
import { type Instant, shanghaiDate } from '@voltdeck/units/instant';
import type { TaskWork } from '../../background/running-task.ts';
import { callerOf } from '../../background/task-details.ts';
import { say } from '../../http/say.ts';
import { portsOfQuery } from './wanted-labels.ts';

/** Ten thousand labels are some three megabytes. */
const fileBytesMax = 256 * 1024 * 1024;

export const labelSheetType = 'application/pdf';

/** "QR code labels 2026-11-21.pdf". */
export function labelSheetName(language: Language, at: Instant): string {
  return `${say(language, 'stations.qrSheetTitle')} ${shanghaiDate(at)}.pdf`;
}

/** Draws the labels in the thread of the exports; an interrupted sheet leaves no file. */
export const runLabelSheet: TaskWork<'label-sheet'> = async (context, task) => {
  const { userId, language, detail, progress, signal } = task;
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
};
