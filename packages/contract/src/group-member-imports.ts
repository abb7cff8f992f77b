import * as z from 'zod/mini';
import { fenFieldUpTo, idField, idParameter, instantField, phoneField, shown, textField } from './fields.ts';
import { monthChargesMax } from './groups.ts';
import { type ImportColumns, importFaultOf } from './import-faults.ts';
import { rechargeFenMax } from './payments.ts';
import { route } from './route.ts';

export const groupMemberImportLimits = {
  /** Users of one file. */
  rowsMax: 5_000,
  bytesMax: 5 * 1024 * 1024,
  /** A file with more columns has something else in it. */
  columnsMax: 100,
} as const;

/** The columns of the file, in the order of the template. */
export const groupMemberImportColumns = {
  customerPhone: { title: 'groupMembers.phone', isRequired: true },
  name: { title: 'groupMembers.name' },
  monthLimitFen: { title: 'groupMembers.monthLimitYuan' },
  monthLimitCharges: { title: 'groupMembers.monthLimitCharges' },
} as const satisfies ImportColumns;
export type GroupMemberImportColumn = keyof typeof groupMemberImportColumns;

/** A row as it becomes a user of the group. */
export const groupMemberImportForm = z.object({
  customerPhone: phoneField,
  name: z.optional(textField(32)),
  monthLimitFen: z.optional(fenFieldUpTo(rechargeFenMax)),
  monthLimitCharges: z.optional(z.int().check(z.gte(1), z.lte(monthChargesMax))),
});
export type GroupMemberImportForm = z.output<typeof groupMemberImportForm>;

export const groupMemberImportFault = importFaultOf(groupMemberImportColumns);
export type GroupMemberImportFault = z.output<typeof groupMemberImportFault>;

/** Rows with faults that an answer names; the report has them all. */
export const groupMemberImportFaultsShown = 100;

export const groupMemberImport = z.object({
  id: idField<'group_member_import'>(),
  groupId: idField<'group'>(),
  fileName: z.string(),
  totalCount: z.int(),
  goodCount: z.int(),
  badCount: z.int(),
  /** Heads of the file that name no column. */
  ignoredColumns: z.array(z.string()),
  /** The first ones, in the order of the file. */
  faults: z.array(
    z.object({
      /** The number of the row in the sheet. */
      line: z.int(),
      phone: shown.phone(),
      faults: z.array(groupMemberImportFault),
    }),
  ),
  /** When the good ones were named; null before consent. */
  importedAt: z.nullable(instantField),
});
export type GroupMemberImport = z.output<typeof groupMemberImport>;

export const getGroupMemberTemplate = route({
  method: 'GET',
  path: '/group-member-imports/template',
  summary: 'A workbook for an import of group users, with heads and an example in the caller’s language',
  permission: 'group_member.edit',
  answer: z.unknown(),
  answerKind: 'file',
  errors: [],
});

export const checkGroupMemberImport = route({
  method: 'POST',
  path: '/group-member-imports',
  summary: 'Check a workbook of the users of a group row by row; nobody is named yet',
  permission: 'group_member.edit',
  bodyKind: 'multipart',
  query: z.object({ groupId: idParameter<'group'>() }),
  answer: groupMemberImport,
  errors: [
    'group.disabled',
    'file.too_large',
    'file.wrong_type',
    'file.unreadable',
    'import.too_many_rows',
    'import.too_large_inside',
    'import.no_rows',
    'import.missing_columns',
    'import.repeated_column',
  ],
});

const ofImport = z.object({ id: idParameter<'group_member_import'>() });

export const getGroupMemberImport = route({
  method: 'GET',
  path: '/group-member-imports/{id}',
  summary: 'One of the caller’s own imports, with what is wrong in its file',
  permission: 'group_member.edit',
  params: ofImport,
  answer: groupMemberImport,
  errors: [],
});

export const getGroupMemberImportReport = route({
  method: 'GET',
  path: '/group-member-imports/{id}/report',
  summary: 'The rows with faults as a workbook, with the reasons in the last column',
  permission: 'group_member.edit',
  params: ofImport,
  answer: z.unknown(),
  answerKind: 'file',
  errors: [],
});

export const startGroupMemberImport = route({
  method: 'POST',
  path: '/group-member-imports/{id}/starts',
  summary: 'Name the good users of a checked file, all or none; they are checked again first',
  permission: 'group_member.edit',
  params: ofImport,
  answer: groupMemberImport,
  errors: ['group.disabled', 'import.started', 'import.no_rows'],
});
