import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Column } from '@voltdeck/contract/list';
import { formatYuan } from '@voltdeck/units/money';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import { askedForFile } from '../http/list-export.ts';
import { readTotals } from '../http/list-source.ts';
import { say, sayIfKnown } from '../http/say.ts';
import type { Mail } from '../mail/mail-sender.ts';
import { exportableLists } from '../tasks/exportable-lists.ts';
import { listSources } from '../tasks/list-sources.ts';
import type { ReportOrder } from './queries.ts';

/** Larger files stay in the task centre, and the mail says so: many mail servers take no more. */
export const attachedBytesMax = 10 * 1024 * 1024;

type Written = {
  order: ReportOrder;
  caller: Caller;
  period: { from: string; to: string };
  /** As the file was written with. */
  query: Readonly<Record<string, string>>;
  rows: number;
  file: { name: string; contentType: string; sizeBytes: number };
  stored: Readable;
};

/** The mail of a report that was written: what it is about, its sums, and the file unless that is too large. */
export async function mailOf(
  context: Context<'console'>,
  { order, caller, period, query, rows, file, stored }: Written,
): Promise<Pick<Mail, 'subject' | 'text' | 'attachment'>> {
  const { language, name, list } = order;
  const words = { name, ...period, rows, file: file.name };
  const isAttached = file.sizeBytes <= attachedBytesMax;
  if (!isAttached) stored.destroy();
  const sums = list === null ? [] : await sumLines(context, caller, list, query);
  return {
    subject: say(language, 'reports.mail.subject', words),
    text: [
      say(language, 'reports.mail.about', words),
      ...sums,
      say(language, isAttached ? 'reports.mail.attached' : 'reports.mail.tooLarge', words),
      say(language, 'reports.mail.why', words),
    ].join('\n'),
    attachment: isAttached ? { name: file.name, contentType: file.contentType, bytes: await buffer(stored) } : null,
  };
}

/** The sums of the list's summed columns over everything that the filter matches; none where it has too many rows. */
async function sumLines(
  context: Context<'console'>,
  caller: Caller,
  list: NonNullable<ReportOrder['list']>,
  query: Readonly<Record<string, string>>,
): Promise<string[]> {
  const source = listSources[list];
  if (!('filtered' in source)) return [];
  const { filter } = exportableLists[list].parseStored(query);
  const { sums } = await readTotals(source, context.database.db, askedForFile({ caller, at: context.now() }), filter);
  return Object.entries(sums ?? {}).flatMap(([key, sum]) => {
    const column = source.route.columns[key];
    return column === undefined ? [] : [`${sayIfKnown(caller.language, column.title) ?? key}: ${sumText(column, sum)}`];
  });
}

function sumText({ kind }: Pick<Column, 'kind'>, sum: number): string {
  if (kind === 'money') return `¥${formatYuan(sum as never)}`;
  if (kind === 'energyWh') return `${(sum / 1_000).toFixed(3)} kWh`;
  return String(sum);
}
