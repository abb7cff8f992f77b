import {
  type GroupMemberImportColumn,
  type GroupMemberImportFault,
  type GroupMemberImportForm,
  groupMemberImportForm,
} from '@voltdeck/contract/group-member-imports';
import type { CustomerId, GroupId } from '@voltdeck/units/id';
import { sql } from 'kysely';
import type { Trx } from '../../database/transact.ts';
import { type CellValue, formOfRow, wholeOf, yuanOf } from '../../http/form-of-row.ts';
import type { SheetRow } from '../../http/import-sheet.ts';

export type MemberRow = SheetRow<GroupMemberImportColumn>;

/** A row that may become a user of the group; null while nobody has registered the phone. */
export type GoodRow = { line: number; form: GroupMemberImportForm; customerId: CustomerId | null };

export type CheckedRow = GoodRow | { line: number; faults: GroupMemberImportFault[] };

/**
 * Checks rows in bulk as a form checks one. Of two rows with one phone the first is good; one whom the group names already,
 * or who is bound to another one, is not.
 */
export async function checkRows(trx: Trx, groupId: GroupId, rows: readonly MemberRow[]): Promise<CheckedRow[]> {
  const read = rows.map((row) => ({ line: row.line, ...readRow(row) }));
  const phones = [...new Set(read.flatMap(({ form }) => form?.customerPhone ?? []))];
  const known = await stateOf(trx, groupId, phones);
  const lineOf = new Map<string, number>();
  return read.map(({ line, form, faults }): CheckedRow => {
    if (form === null) return { line, faults };
    const phone = form.customerPhone;
    const earlier = lineOf.get(phone);
    const { customerId = null, isNamed = false, isBoundElsewhere = false } = known.get(phone) ?? {};
    if (earlier !== undefined) {
      return { line, faults: [{ column: 'customerPhone', code: 'repeated', params: { line: earlier } }] };
    }
    lineOf.set(phone, line);
    if (isNamed || isBoundElsewhere) return { line, faults: [{ column: 'customerPhone', code: 'taken' }] };
    return { line, form, customerId };
  });
}

type Known = { phone: string; customerId: CustomerId | null; isNamed: boolean; isBoundElsewhere: boolean };

async function stateOf(trx: Trx, groupId: GroupId, phones: readonly string[]): Promise<ReadonlyMap<string, Known>> {
  if (phones.length === 0) return new Map();
  const { rows } = await sql<Known>`
    select asked.phone, c.id as "customerId",
           exists (select from group_members m where m.group_id = ${groupId} and m.phone = asked.phone
                      and m.state in ('not_bound', 'waiting', 'bound')) as "isNamed",
           exists (select from group_members m
                    where m.customer_id = c.id and m.state = 'bound') as "isBoundElsewhere"
      from unnest(${[...phones]}::text[]) as asked (phone)
      left join customers c on c.phone = asked.phone and c.state <> 'merged'`.execute(trx);
  return new Map(rows.map((row) => [row.phone, row]));
}

function readRow({ cells, rounded }: MemberRow): {
  form: GroupMemberImportForm | null;
  faults: GroupMemberImportFault[];
} {
  const { form, faults } = formOfRow(cells, groupMemberImportForm, readCell);
  for (const column of rounded) {
    if (!faults.some((fault) => fault.column === column)) faults.push({ column, code: 'rounded' });
  }
  return { form: faults.length === 0 ? form : null, faults };
}

function readCell(column: GroupMemberImportColumn, text: string): CellValue {
  switch (column) {
    case 'monthLimitFen':
      return yuanOf(text);
    case 'monthLimitCharges':
      return wholeOf(text);
    default:
      return { value: text };
  }
}
