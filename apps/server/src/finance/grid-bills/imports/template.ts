import type { Readable } from 'node:stream';
import {
  type GridBillImportColumn,
  gridBillImportColumns,
  gridBillImportLimits,
} from '@voltdeck/contract/grid-bill-imports';
import type { Language } from '@voltdeck/contract/languages';
import { formWorkbook } from '../../../http/form-workbook.ts';
import { requiredMark, sheetReader } from '../../../http/import-sheet.ts';
import { say } from '../../../http/say.ts';

/** A row with this account number is the example, which is never imported. */
const exampleNumber = 'EXAMPLE-3301000001';

/** The rows of a workbook of grid bills. */
export const readBills = sheetReader({
  columns: gridBillImportColumns,
  limits: gridBillImportLimits,
  exampleNumber,
  numberColumn: 'accountNumber',
});

const example: Readonly<Record<Exclude<GridBillImportColumn, 'siteName'>, string>> = {
  accountNumber: exampleNumber,
  fromOn: '2026-10-01',
  toOn: '2026-10-31',
  energyWh: '12000',
  amountFen: '8450.30',
  sharpWh: '1000',
  peakWh: '3000',
  flatWh: '4000',
  valleyWh: '4000',
  sharpPriceE5: '1.10',
  peakPriceE5: '0.95',
  flatPriceE5: '0.65',
  valleyPriceE5: '0.32',
  registerFromWh: '1200.5',
  registerToWh: '1500.5',
  multiplier: '40',
  remark: '',
};

/** The workbook to fill in: heads, an example, and a sheet that explains it. */
export function billTemplate(language: Language): Readable {
  const columns = Object.entries(gridBillImportColumns) as [
    GridBillImportColumn,
    (typeof gridBillImportColumns)[GridBillImportColumn] & { isRequired?: true },
  ][];
  return formWorkbook({
    sheet: say(language, 'finance.bills'),
    columns: columns.map(([column, { title, isRequired }]) => ({
      head: `${say(language, title)}${isRequired === true ? requiredMark : ''}`,
      example: column === 'siteName' ? say(language, 'import.exampleSite') : example[column],
      choices: [],
    })),
    rowsMax: gridBillImportLimits.rowsMax + 2,
    notesSheet: say(language, 'import.notesSheet'),
    notes: [
      { about: '', text: say(language, 'gridBillImport.rows', { rows: gridBillImportLimits.rowsMax }) },
      { about: '', text: say(language, 'import.note2', { example: exampleNumber }) },
      { about: '', text: say(language, 'import.note3') },
      { about: '', text: say(language, 'import.note4') },
      { about: say(language, 'gridBillImport.siteName'), text: say(language, 'gridBillImport.siteNote') },
      { about: say(language, 'gridBillImport.amountYuan'), text: say(language, 'gridBills.amountHint') },
      { about: say(language, 'gridBills.multiplier'), text: say(language, 'gridBills.multiplierHint') },
    ],
  });
}
