import type { Readable } from 'node:stream';
import type { AuditAction } from '@voltdeck/contract/audit-actions';
import type { ApiError } from '@voltdeck/contract/errors';
import type { ExportList } from '@voltdeck/contract/tasks';
import type { PhraseKey } from '@voltdeck/phrases/phrase';
import type { TaskId } from '@voltdeck/units/id';
import { type Instant, shanghaiDate } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import type { Call, FileAnswer } from './bind.ts';
import { say } from './say.ts';
import { type Column, xlsxStream, xlsxType } from './xlsx.ts';

/** Beyond this a download is refused; a task in the background writes more. */
export const downloadedRowsMax = 100_000;
/** Ten full sheets of Excel. */
export const exportedRowsMax = 10_000_000;

/**
 * How the rows of a list become a spreadsheet: one definition for the direct download and for the task in the background.
 *
 * Rows are read by keyset, each once, as it is when its batch is read: no transaction stays open for as long as the
 * writing takes. What is added after the beginning is left out; what leaves the filter meanwhile may be missing.
 */
export type ListExport<Query> = {
  list: ExportList;
  title: PhraseKey;
  /** What the audit log calls it. */
  action: AuditAction;
  open(db: Kysely<Tables>, caller: Caller, query: Query, at: Instant): Promise<OpenExport>;
};

export type OpenExport = {
  /** How many rows there are, counted up to `max` + 1. */
  count(max: number): Promise<number>;
  /** The rows as an Excel file that is written while it is read. `onRows` is called after each batch. */
  write(title: string, onRows?: (rows: number) => void): Readable;
};

/** Makes an export of a filtered query; null matches nothing. */
export function openExport<Row, DB, TB extends keyof DB>(
  db: Kysely<Tables>,
  parts: {
    filtered: SelectQueryBuilder<DB, TB, object> | null;
    columns: readonly Column<Row>[];
    /** The next rows of the list after `last`, fewer than `batchRows` at its end. */
    next(filtered: SelectQueryBuilder<DB, TB, object>, last: Row | undefined): Promise<readonly Row[]>;
  },
): OpenExport {
  const { filtered, columns, next } = parts;
  async function* batches(onRows: (rows: number) => void): AsyncGenerator<readonly Row[]> {
    if (filtered === null) return;
    let last: Row | undefined;
    for (let read = 0; read < exportedRowsMax; ) {
      const rows = await next(filtered, last);
      if (rows.length > 0) yield rows;
      onRows(rows.length);
      read += rows.length;
      last = rows.at(-1);
      if (rows.length < batchRows) return;
    }
  }
  return {
    async count(max) {
      if (filtered === null) return 0;
      const bounded = filtered
        .clearSelect()
        .select(sql<number>`1`.as('one'))
        .limit(sql.lit(max + 1));
      const { rows } = await sql<{ total: number }>`select count(*) as total from (${bounded}) as counted`.execute(db);
      return rows[0]?.total ?? 0;
    },
    write: (title, onRows = () => undefined) => xlsxStream(title, columns, batches(onRows)),
  };
}

/** As many as a statement reads at once: some ten milliseconds. */
export const batchRows = 1_000;

/** "Orders 2026-11-21.xlsx". */
export function exportName(title: string, at: Instant): string {
  return `${title} ${shanghaiDate(at)}.xlsx`;
}

/** The direct download of a list, for as many rows as a request has time for. It is written down who took them. */
export async function exportAnswer<Query>(
  listExport: ListExport<Query>,
  { database, exports }: Pick<Context, 'database' | 'exports'>,
  call: Pick<Call<unknown>, 'caller' | 'at' | 'transact'>,
  query: Query,
): Promise<Result<FileAnswer, ApiError>> {
  const { caller, at, transact } = call;
  const opened = await listExport.open(database.db, caller, query, at);
  if ((await opened.count(downloadedRowsMax)) > downloadedRowsMax) {
    return failed({ code: 'export.too_many_rows', params: { max: downloadedRowsMax } });
  }
  const noted = await transact(async (trx) => ok(await noteExport(trx, listExport, caller, at, { query })));
  if (!noted.ok) return noted;
  const title = say(caller.language, listExport.title);
  const content = exports.write({ list: listExport.list, caller, query, at, title });
  return ok({ name: exportName(title, at), contentType: xlsxType, content });
}

/** Who takes many records at once is written down, with the filter. */
export async function noteExport(
  trx: Trx,
  { action, list }: Pick<ListExport<never>, 'action' | 'list'>,
  caller: Caller,
  at: Instant,
  what: { query: unknown; taskId?: TaskId },
): Promise<void> {
  await audit(trx, caller, at, { action, recordKind: 'export', recordId: list, after: what });
}
