import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { say } from '../http/say.ts';
import type { Mail } from '../mail/mail-sender.ts';
import type { ReportOrder } from '../tasks/report-queries.ts';

/** Larger files stay in the task centre, and the mail says so: many mail servers take no more. */
export const attachedBytesMax = 10 * 1024 * 1024;

type Written = {
  order: ReportOrder;
  period: { from: string; to: string };
  rows: number;
  file: { name: string; contentType: string; sizeBytes: number };
  stored: Readable;
};

/**
 * The mail of a report that was written: what it is about, and the file unless that is too large. It tells no sums of its
 * own: the file has them, and those of the time of sending would be others.
 */
export async function mailOf({
  order,
  period,
  rows,
  file,
  stored,
}: Written): Promise<Pick<Mail, 'subject' | 'text' | 'attachment'>> {
  const { language, name } = order;
  const words = { name, ...period, rows, file: file.name };
  const isAttached = file.sizeBytes <= attachedBytesMax;
  if (!isAttached) stored.destroy();
  return {
    subject: say(language, 'reports.mail.subject', words),
    text: [
      say(language, 'reports.mail.about', words),
      say(language, isAttached ? 'reports.mail.attached' : 'reports.mail.tooLarge', words),
      say(language, 'reports.mail.why', words),
    ].join('\n'),
    attachment: isAttached ? { name: file.name, contentType: file.contentType, bytes: await buffer(stored) } : null,
  };
}
