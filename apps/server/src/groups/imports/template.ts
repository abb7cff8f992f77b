import type { Readable } from 'node:stream';
import {
  type GroupMemberImportColumn,
  groupMemberImportColumns,
  groupMemberImportLimits,
} from '@voltdeck/contract/group-member-imports';
import type { Language } from '@voltdeck/contract/languages';
import { formWorkbook } from '../../http/form-workbook.ts';
import { requiredMark, sheetReader } from '../../http/import-sheet.ts';
import { say } from '../../http/say.ts';

/** A row with this phone is the example, which is never imported. */
const examplePhone = '13800000000';

/** The rows of a workbook of group users. */
export const readMembers = sheetReader({
  columns: groupMemberImportColumns,
  limits: groupMemberImportLimits,
  exampleNumber: examplePhone,
  numberColumn: 'customerPhone',
});

/** The workbook to fill in: heads, an example, and a sheet that explains it. */
export function memberTemplate(language: Language): Readable {
  const example: Readonly<Record<GroupMemberImportColumn, string>> = {
    customerPhone: examplePhone,
    name: say(language, 'groupImport.exampleName'),
    monthLimitFen: '500.00',
    monthLimitCharges: '30',
  };
  const columns = Object.entries(groupMemberImportColumns) as [
    GroupMemberImportColumn,
    (typeof groupMemberImportColumns)[GroupMemberImportColumn] & { isRequired?: true },
  ][];
  return formWorkbook({
    sheet: say(language, 'groupMembers.title'),
    columns: columns.map(([column, { title, isRequired }]) => ({
      head: `${say(language, title)}${isRequired === true ? requiredMark : ''}`,
      example: example[column],
      choices: [],
    })),
    rowsMax: groupMemberImportLimits.rowsMax + 2,
    notesSheet: say(language, 'import.notesSheet'),
    notes: [
      { about: '', text: say(language, 'groupImport.rows', { rows: groupMemberImportLimits.rowsMax }) },
      { about: '', text: say(language, 'groupImport.example', { example: examplePhone }) },
      { about: '', text: say(language, 'import.note3') },
      { about: '', text: say(language, 'import.note4') },
      { about: say(language, 'groupMembers.monthLimitYuan'), text: say(language, 'groupMembers.ownLimitHint') },
    ],
  });
}
