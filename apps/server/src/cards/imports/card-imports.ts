import { type CardImport, type CardImportColumn, cardImportFaultsShown } from '@voltdeck/contract/card-imports';
import type { ApiError } from '@voltdeck/contract/errors';
import type { Id } from '@voltdeck/units/id';
import { type Instant, instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { agentOfNewRecord } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import type { Trx } from '../../database/transact.ts';
import { findCheckedFile, keepCheckedFile, markImported, takeCheckedFile } from '../../http/checked-files.ts';
import { found } from '../../http/found.ts';
import { noteFaults, partsOf } from '../../http/import-rows.ts';
import type { SheetFile } from '../../http/import-sheet.ts';
import { checkRows, type GoodRow } from './check-rows.ts';

type ImportId = Id<'card_import'>;

export async function findImport(db: Kysely<Tables>, caller: Caller, id: ImportId): Promise<CardImport | null> {
  const file = await findCheckedFile<CardImportColumn>(db, 'card', caller, id, cardImportFaultsShown);
  if (file === null) return null;
  const faults = file.faults.map(({ line, cells, faults }) => ({ line, cardNumber: cells.number ?? '', faults }));
  return { ...file, id, faults };
}

/** Checks every row and keeps the file with its faults. */
export async function checkImport(
  trx: Trx,
  caller: Caller,
  file: SheetFile<CardImportColumn> & { fileName: string },
  at: Instant,
): Promise<Result<CardImport, ApiError>> {
  const check = () => checkRows(trx, caller, file.rows);
  const kept = await keepCheckedFile(trx, 'card', caller, { file, check }, at);
  if (!kept.ok) return kept;
  const id = kept.value.id as ImportId;
  await audit(trx, caller, at, {
    action: 'card.import_check',
    recordKind: 'card_import',
    recordId: id,
    after: { fileName: file.fileName, rows: file.rows.length, faulty: kept.value.faultyCount },
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
  const file = await takeCheckedFile<CardImportColumn>(trx, 'card', caller, id);
  if (!file.ok) return file;
  // Cards that are issued meanwhile wait, so that a number is free until the commit.
  await sql`lock table cards in share row exclusive mode`.execute(trx);
  const checked = await checkRows(trx, caller, file.value.rows);
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
  await markImported(trx, 'card', id, at);
  await audit(trx, caller, at, {
    action: 'card.import',
    recordKind: 'card_import',
    recordId: id,
    after: { fileName: file.value.fileName, cards: good.length },
  });
  return found(await findImport(trx, caller, id));
}

/** The last instant of a day in China. */
function endOfDay(day: string): Instant {
  return instant(Date.parse(`${day}T23:59:59.999+08:00`));
}
