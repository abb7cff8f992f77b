import type { Readable } from 'node:stream';
import type { Language } from '@voltdeck/contract/languages';
import {
  type StationImportColumn,
  stationImportColumns,
  stationImportLimits,
} from '@voltdeck/contract/station-imports';
import type { PhraseKey } from '@voltdeck/phrases/phrase';
import { formWorkbook } from '../../http/form-workbook.ts';
import { requiredMark } from '../../http/import-sheet.ts';
import { say } from '../../http/say.ts';
import { cellChoices } from './cell-choices.ts';

/** A row with this number is the example, which is never imported. */
export const exampleNumber = 'EXAMPLE-001';

const example: Partial<Record<StationImportColumn, string>> = {
  number: exampleNumber,
  connectorCount: '2',
  maxPowerKw: '120',
  voltageV: '750',
  currentA: '250',
  expiresOn: '2031-12-31',
};

/** Columns whose entry needs a word of explanation. */
const explained: readonly StationImportColumn[] = [
  'number',
  'siteId',
  'agentId',
  'free',
  'cardTariffId',
  'expiresOn',
  'password',
  'iccid',
];

/** The workbook to fill in: heads, choices, an example, and a sheet that explains the columns. */
export function stationTemplate(language: Language): Readable {
  const word = (key: string) => say(language, key as PhraseKey);
  const columns = Object.entries(stationImportColumns) as [
    StationImportColumn,
    { title: string; isRequired?: true; words?: string },
  ][];
  const choices: Partial<Record<StationImportColumn, readonly string[]>> = cellChoices;
  const wordsOf = (column: StationImportColumn, words: string | undefined) =>
    (choices[column] ?? []).map((value) => word(`${words}.${value}`));
  const examples: Partial<Record<StationImportColumn, string>> = {
    ...example,
    name: word('import.exampleName'),
    siteId: word('import.exampleSite'),
    equipmentType: word('equipment-type.four-wheel'),
  };
  return formWorkbook({
    sheet: word('import.sheet'),
    columns: columns.map(([column, { title, isRequired, words }]) => ({
      head: `${word(title)}${isRequired === true ? requiredMark : ''}`,
      example: examples[column] ?? wordsOf(column, words)[0] ?? '',
      choices: wordsOf(column, words),
    })),
    rowsMax: stationImportLimits.rowsMax + 2,
    notesSheet: word('import.notesSheet'),
    notes: [
      ...[1, 2, 3, 4].map((note) => ({
        about: '',
        text: say(language, `import.note${note}` as PhraseKey, {
          rows: stationImportLimits.rowsMax,
          example: exampleNumber,
        }),
      })),
      ...columns.flatMap(([column, { title }]) =>
        explained.includes(column) ? [{ about: word(title), text: word(`import.about.${column}`) }] : [],
      ),
    ],
  });
}
