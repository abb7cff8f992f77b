import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TaskWork } from '../background/running-task.ts';
import { callerOf } from '../background/task-details.ts';
import { askedForFile, exportTitle, fileNameAndType } from '../http/list-export.ts';
import { exportableLists } from './exportable-lists.ts';

/** The expected number of rows is counted up to this, since it only serves the progress. */
const countedRowsMax = 10_000_000;
/** A terabyte: the disk is full before. */
const fileBytesMax = 1024 ** 4;

/** Writes the rows of an export to the file store; an interrupted one leaves no file. */
export const writeExport: TaskWork<'export'> = async (context, { detail, userId, language, progress, signal }) => {
  const { db } = context.database;
  const { list: name, format = 'xlsx' } = detail;
  const list = exportableLists[name];
  const caller = callerOf(detail, userId, language);
  const at = context.now();
  const { filter, sort } = list.parseStored(detail.query);
  list.count(db, askedForFile({ caller, at }), filter, countedRowsMax).then(
    (total) => {
      progress.totalCount = total;
    },
    // With a filter that no index serves, the export still runs, but without an expected number.
    (error: unknown) => context.log.info({ err: error }, 'counting the rows of an export failed'),
  );
  const wanted = { list: name, caller, filter, sort, format, at, title: exportTitle(name, language) };
  const rows = context.exports.write(wanted, (count) => {
    progress.doneCount += count;
  });
  // Breaks off at once, even while the rows' source waits for the database.
  const through = new PassThrough();
  const flow = pipeline(rows, through, { signal });
  flow.catch(() => undefined);
  const kept = await context.files.put(through, { bytesMax: fileBytesMax });
  if (!kept.ok) {
    through.destroy();
    return { failed: 'task.too_large' };
  }
  await flow;
  return { file: { kept: kept.value, ...fileNameAndType(name, format, language, context.now()) } };
};
