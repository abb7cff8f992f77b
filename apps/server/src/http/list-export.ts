import type { Readable } from 'node:stream';
import type { ApiError } from '@voltdeck/contract/errors';
import type { Language } from '@voltdeck/contract/languages';
import type { ExportFormat, ListName } from '@voltdeck/contract/list';
import type { TaskId } from '@voltdeck/units/id';
import { type Instant, shanghaiDate } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import { isOutOfTime } from '../database/is-database-away.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import type { WantedExport } from '../exports/exports.ts';
import { maskerOf } from '../personal/masker.ts';
import { seesPersonal } from '../personal/sees-personal.ts';
import type { Call, FileAnswer } from './bind.ts';
import { csvStream, csvType } from './csv.ts';
import { fileColumns } from './list-columns.ts';
import type { Asked, FileSource } from './list-source.ts';
import { say } from './say.ts';
import { xlsxStream, xlsxType } from './xlsx.ts';

/** A larger download is refused; a background task writes more. */
export const downloadedRowsMax = 100_000;

/** Who requested a file, whichever thread writes it. */
export function askedForFile({ caller, at }: { caller: Caller; at: Instant }): Asked {
  return { caller, at, sessionId: null, secrets: null };
}

/** A requested file, written as it is read. `onRows` is called after each batch. */
export function writeFile(
  source: FileSource,
  db: Kysely<Tables>,
  wanted: WantedExport,
  onRows: (rows: number) => void = () => undefined,
): Readable {
  const { format, filter, sort, title, caller } = wanted;
  async function* batches(): AsyncGenerator<readonly never[]> {
    for await (const rows of source.batches(db, askedForFile(wanted), filter, sort)) {
      yield shown(rows) as readonly never[];
      onRows(rows.length);
    }
  }
  const columns = fileColumns(source, caller.language);
  const mask = seesPersonal(caller) ? null : maskerOf(source.route.answer);
  const shown = (rows: readonly unknown[]) => (mask === null ? rows : mask({ items: rows }, caller.userId).items);
  return format === 'csv' ? csvStream(columns, batches()) : xlsxStream(title, columns, batches());
}

const fileTypes: Readonly<Record<ExportFormat, string>> = { xlsx: xlsxType, csv: csvType };

/** The file name of a list. */
export function exportTitle(list: ListName, language: Language): string {
  return say(language, `task-list.${list}`);
}

/** "Orders 2026-11-21.xlsx" and what it is. */
export function fileNameAndType(
  list: ListName,
  format: ExportFormat,
  language: Language,
  at: Instant,
): { name: string; contentType: string } {
  return { name: `${exportTitle(list, language)} ${shanghaiDate(at)}.${format}`, contentType: fileTypes[format] };
}

/** The direct download of a list, limited to what a request has time for. The audit log records who took it. */
export async function exportAnswer(
  source: FileSource,
  { database, exports }: Pick<Context, 'database' | 'exports'>,
  { caller, at, transact }: Pick<Call<unknown>, 'caller' | 'at' | 'transact'>,
  { filter, sort, format }: { filter: object; sort: string | undefined; format: ExportFormat },
): Promise<Result<FileAnswer, ApiError>> {
  const list = source.route.name;
  try {
    const rows = await source.count(database.db, askedForFile({ caller, at }), filter, downloadedRowsMax);
    if (rows > downloadedRowsMax) return tooManyRows;
  } catch (error) {
    // A list that cannot even be counted within the statement timeout is too long to download.
    if (!isOutOfTime(error)) throw error;
    return tooManyRows;
  }
  const noted = await transact(async (trx) => ok(await noteExport(trx, source, caller, at, { query: filter, format })));
  if (!noted.ok) return noted;
  const content = exports.write({ list, caller, filter, sort, format, at, title: exportTitle(list, caller.language) });
  return ok({ ...fileNameAndType(list, format, caller.language, at), content });
}

const tooManyRows = failed({ code: 'export.too_many_rows' as const, params: { max: downloadedRowsMax } });

/** Records in the audit log who exported many records, and with which filter. */
export async function noteExport(
  trx: Trx,
  { route: { name, exportPermission } }: Pick<FileSource, 'route'>,
  caller: Caller,
  at: Instant,
  what: { query: unknown; format: ExportFormat; taskId?: TaskId },
): Promise<void> {
  const action = exportPermission ?? 'list.export';
  await audit(trx, caller, at, { action, recordKind: 'export', recordId: name, after: what });
}
