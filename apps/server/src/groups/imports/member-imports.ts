import type { ApiError } from '@voltdeck/contract/errors';
import {
  type GroupMemberImport,
  type GroupMemberImportColumn,
  groupMemberImportFaultsShown,
} from '@voltdeck/contract/group-member-imports';
import type { GroupId, Id } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Tables } from '../../database/tables.generated.ts';
import type { Trx } from '../../database/transact.ts';
import { findCheckedFile, keepCheckedFile, markImported, takeCheckedFile } from '../../http/checked-files.ts';
import { found } from '../../http/found.ts';
import { noteFaults, partsOf } from '../../http/import-rows.ts';
import type { SheetFile } from '../../http/import-sheet.ts';
import { lockEnabledGroup } from '../lock-group.ts';
import { checkRows, type GoodRow } from './check-rows.ts';

type ImportId = Id<'group_member_import'>;

export async function findImport(db: Kysely<Tables>, caller: Caller, id: ImportId): Promise<GroupMemberImport | null> {
  const file = await findCheckedFile<GroupMemberImportColumn>(
    db,
    'group_member',
    caller,
    id,
    groupMemberImportFaultsShown,
  );
  if (file === null) return null;
  const faults = file.faults.map(({ line, cells, faults }) => ({ line, phone: cells.customerPhone ?? '', faults }));
  return { ...file, id, groupId: await groupOf(db, id), faults };
}

async function groupOf(db: Kysely<Tables>, id: ImportId): Promise<GroupId> {
  const { group_id } = await db
    .selectFrom('group_member_imports')
    .select('group_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return group_id;
}

/** Checks every row and keeps the file with its faults. */
export async function checkImport(
  trx: Trx,
  caller: Caller,
  groupId: GroupId,
  file: SheetFile<GroupMemberImportColumn> & { fileName: string },
  at: Instant,
): Promise<Result<GroupMemberImport, ApiError>> {
  const group = await lockEnabledGroup(trx, caller, groupId, 'share');
  if (!group.ok) return group;
  const check = () => checkRows(trx, groupId, file.rows);
  const kept = await keepCheckedFile(trx, 'group_member', caller, { file, check, of: { group_id: groupId } }, at);
  if (!kept.ok) return kept;
  const id = kept.value.id as ImportId;
  await audit(trx, caller, at, {
    action: 'group_member.import_check',
    recordKind: 'group_member_import',
    recordId: id,
    after: { groupId, fileName: file.fileName, rows: file.rows.length, faulty: kept.value.faultyCount },
  });
  return found(await findImport(trx, caller, id));
}

/**
 * Names the good users of a checked file, all of them at once. If some have become impossible since, nobody is named, and
 * the answer says what is wrong now.
 */
export async function startImport(
  trx: Trx,
  caller: Caller,
  id: ImportId,
  at: Instant,
): Promise<Result<GroupMemberImport, ApiError>> {
  const file = await takeCheckedFile<GroupMemberImportColumn>(trx, 'group_member', caller, id);
  if (!file.ok) return file;
  // One who names users of the group at the same time waits, so that a phone is free until the commit.
  const group = await lockEnabledGroup(trx, caller, await groupOf(trx, id), 'update');
  if (!group.ok) return group;
  const checked = await checkRows(trx, group.value.id, file.value.rows);
  const faulty = checked.flatMap((row) => ('faults' in row ? [row] : []));
  if (faulty.length > 0) {
    await noteFaults(trx, 'group_member', id, faulty);
    return found(await findImport(trx, caller, id));
  }
  const good = checked.filter((row): row is GoodRow => !('faults' in row));
  for (const part of partsOf(good)) {
    await trx
      .insertInto('group_members')
      .values(
        part.map(({ form, customerId }) => ({
          group_id: group.value.id,
          agent_id: group.value.agent_id,
          phone: form.customerPhone,
          name: form.name ?? '',
          customer_id: customerId,
          state: customerId === null ? ('not_bound' as const) : ('waiting' as const),
          source: 'office' as const,
          month_limit_fen: form.monthLimitFen ?? null,
          month_limit_charges: form.monthLimitCharges ?? null,
          created_at: at,
        })),
      )
      .execute();
  }
  await markImported(trx, 'group_member', id, at);
  await audit(trx, caller, at, {
    action: 'group_member.import',
    recordKind: 'group_member_import',
    recordId: id,
    after: { groupId: group.value.id, fileName: file.value.fileName, members: good.length },
  });
  return found(await findImport(trx, caller, id));
}
