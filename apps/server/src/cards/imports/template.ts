import type { Readable } from 'node:stream';
import { cardTypes } from '@voltdeck/charging/states';
import { type CardImportColumn, cardImportColumns, cardImportLimits } from '@voltdeck/contract/card-imports';
import type { Language } from '@voltdeck/contract/languages';
import { formWorkbook } from '../../http/form-workbook.ts';
import { requiredMark, sheetReader } from '../../http/import-sheet.ts';
import { say } from '../../http/say.ts';

/** A row with this number is the example, which is never imported. */
const exampleNumber = 'EXAMPLE-0000001A';

/** The rows of a workbook of cards. */
export const readCards = sheetReader({ columns: cardImportColumns, limits: cardImportLimits, exampleNumber });

const example: Readonly<Record<Exclude<CardImportColumn, 'type'>, string>> = {
  number: exampleNumber,
  physicalNumber: 'D14B0A54',
  customerPhone: '13800000000',
  tapAmountFen: '2.00',
  expiresOn: '2031-12-31',
};

/** The workbook to fill in: heads, choices, an example, and a sheet that explains it. */
export function cardTemplate(language: Language): Readable {
  const columns = Object.entries(cardImportColumns) as [
    CardImportColumn,
    (typeof cardImportColumns)[CardImportColumn] & { isRequired?: true },
  ][];
  const types = cardTypes.map((type) => say(language, `card-type.${type}`));
  return formWorkbook({
    sheet: say(language, 'cards.title'),
    columns: columns.map(([column, { title, isRequired }]) => ({
      head: `${say(language, title)}${isRequired === true ? requiredMark : ''}`,
      example: column === 'type' ? (types[0] ?? '') : example[column],
      choices: column === 'type' ? types : [],
    })),
    rowsMax: cardImportLimits.rowsMax + 2,
    notesSheet: say(language, 'import.notesSheet'),
    notes: [
      { about: '', text: say(language, 'cardImport.rows', { rows: cardImportLimits.rowsMax }) },
      { about: '', text: say(language, 'import.note2', { example: exampleNumber }) },
      { about: '', text: say(language, 'import.note3') },
      { about: '', text: say(language, 'import.note4') },
      { about: say(language, 'cards.number'), text: say(language, 'cards.numberHint') },
      { about: say(language, 'cards.physicalNumber'), text: say(language, 'cards.physicalNumberHint') },
      { about: say(language, 'cards.customerPhone'), text: say(language, 'cards.bindHint') },
      { about: say(language, 'cards.tapAmountYuan'), text: say(language, 'cards.tapAmountHint') },
      { about: say(language, 'cards.balance'), text: say(language, 'cardImport.noMoney') },
    ],
  });
}
