import { type CardImport, type CardImportColumn, cardImportFaultsShown } from '@voltdeck/contract/card-imports';
import type { ApiError } from '@voltdeck/contract/errors';
import type { Id } from '@voltdeck/units/id';
import { type Instant, instant, isoOrNull } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { agentOfNewRecord, ownedBy } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import type { Trx } from '../../database/transact.ts';
import { found } from '../../http/found.ts';
import { beginCheck, faultyRows, noteFaults, partsOf } from '../../http/import-rows.ts';
import type { SheetFile } from '../../http/import-sheet.ts';
import { type CardCells, checkRows, type GoodRow } from './check-rows.ts';

type ImportId = Id<'card_import'>;

export async function findImport(db: Kysely<Tables>, caller: Caller, id: ImportId): Promise<CardImport | null> {
  const row = await ownedBy(db.selectFrom('card_imports'), caller, 'user_id')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const faults = await faultyRows<CardImportColumn>(db, 'card', id, { after: 0, limit: cardImportFaultsShown });
  return {
    id: row.id,
    fileName: row.file_name,
    totalCount: row.total_count,
    goodCount: row.good_count,
    badCount: row.total_count - row.good_count,
    ignoredColumns: row.ignored_columns,
    faults: faults.map(({ line, cells, faults }) => ({ line, cardNumber: cells.number ?? '', faults })),
    importedAt: isoOrNull(row.imported_at),
  };
}

/** Checks every row and keeps the file with its faults. Forgets the user's earlier files that were never imported. */
export async function checkImport(
  trx: Trx,
  caller: Caller,
  { rows, ignoredColumns, fileName }: SheetFile<keyof CardCells & string> & { fileName: string },
  at: Instant,
): Promise<Result<CardImport, ApiError>> {
  if (!(await beginCheck(trx, 'card', caller))) return failed({ code: 'request.in_progress' });
  await trx.deleteFrom('card_imports').where('user_id', '=', caller.userId).where('imported_at', 'is', null).execute();
  const checked = await checkRows(trx, caller, rows);
  const faultsOf = new Map(checked.flatMap((row) => ('faults' in row ? [[row.line, row.faults] as const] : [])));
  const { id } = await trx
    .insertInto('card_imports')
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
  for (const part of partsOf(rows)) {
    const kept = part.map(({ line, cells }) => ({ line, cells, faults: faultsOf.get(line) ?? null }));
    await sql`
      insert into card_import_rows (import_id, line, cells, faults)
      select ${id}, line, cells, nullif(faults, 'null')
        from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as kept (line integer, cells jsonb, faults jsonb)`.execute(
      trx,
    );
  }
  await audit(trx, caller, at, {
    action: 'card.import_check',
    recordKind: 'card_import',
    recordId: id,
    after: { fileName, rows: rows.length, faulty: faultsOf.size },
  });
  return found(await findImport(trx, caller, id));
}

/**
 * Issues the good cards of a checked file, all of them at once. If some have become impossible since, none is issued, and
 * the answer says what is wrong now.
 */
export async function startImport(
  trx: Trx,
  caller: Caller,
  id: ImportId,
  at: Instant,
): Promise<Result<CardImport, ApiError>> {
  const agentId = agentOfNewRecord(caller, undefined);
  if (agentId === undefined) return failed({ code: 'access.denied' });
  const file = await trx
    .selectFrom('card_imports')
    .select(['file_name', 'imported_at'])
    .where('id', '=', id)
    .where('user_id', '=', caller.userId)
    .forUpdate()
    .executeTakeFirst();
  if (file === undefined) return failed({ code: 'record.not_found' });
  if (file.imported_at !== null) return failed({ code: 'import.started' });
  const rows = await trx
    .selectFrom('card_import_rows')
    .select(['line', 'cells'])
    .where('import_id', '=', id)
    .where('faults', 'is', null)
    .orderBy('line')
    .execute();
  if (rows.length === 0) return failed({ code: 'import.no_rows' });
  // Cards that are issued meanwhile wait, so that a number is free until the commit.
  await sql`lock table cards in share row exclusive mode`.execute(trx);
  const checked = await checkRows(
    trx,
    caller,
    rows.map(({ line, cells }) => ({ line, cells: cells as CardCells, rounded: [] })),
  );
  const faulty = checked.flatMap((row) => ('faults' in row ? [row] : []));
  if (faulty.length > 0) {
    await noteFaults(trx, 'card', id, faulty);
    return found(await findImport(trx, caller, id));
  }
  const good = checked.filter((row): row is GoodRow => !('faults' in row));
  for (const part of partsOf(good)) {
    await trx
      .insertInto('cards')
      .values(
        part.map(({ form, numbers, customerId }) => ({
          number: numbers.number,
          physical_number: numbers.physicalNumber,
          type: form.type ?? 'online',
          customer_id: customerId,
          bound_at: customerId === null ? null : at,
          agent_id: agentId,
          tap_amount_fen: form.tapAmountFen ?? null,
          expires_at: form.expiresOn === undefined ? null : endOfDay(form.expiresOn),
          created_at: at,
        })),
      )
      .execute();
  }
  await trx.updateTable('card_imports').set({ imported_at: at }).where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'card.import',
    recordKind: 'card_import',
    recordId: id,
    after: { fileName: file.file_name, cards: good.length },
  });
  return found(await findImport(trx, caller, id));
}

/** The last instant of a day in China. */
function endOfDay(day: string): Instant {
  return instant(Date.parse(`${day}T23:59:59.999+08:00`));
}
