import { cardTypes } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { tapFenMax } from './cards.ts';
import {
  cardNumberField,
  dayField,
  fenFieldUpTo,
  idField,
  idParameter,
  instantField,
  phoneField,
  shown,
  textField,
} from './fields.ts';
import { type ImportColumns, importFaultOf } from './import-faults.ts';
import { route } from './route.ts';

export const cardImportLimits = {
  /** Cards of one file. */
  rowsMax: 10_000,
  bytesMax: 5 * 1024 * 1024,
  /** A file with more columns has something else in it. */
  columnsMax: 100,
} as const;

/** The columns of the file, in the order of the template. Money comes onto cards by recharges only. */
export const cardImportColumns = {
  number: { title: 'cards.number', isRequired: true },
  physicalNumber: { title: 'cards.physicalNumber' },
  type: { title: 'cards.type', words: 'card-type' },
  customerPhone: { title: 'cards.customerPhone' },
  tapAmountFen: { title: 'cards.tapAmountYuan' },
  expiresOn: { title: 'cards.expiresOn' },
} as const satisfies ImportColumns;
export type CardImportColumn = keyof typeof cardImportColumns;

/** A row as it becomes a card. */
export const cardImportForm = z.object({
  number: cardNumberField,
  physicalNumber: z.optional(textField(20)),
  type: z.optional(z.enum(cardTypes)),
  customerPhone: z.optional(phoneField),
  tapAmountFen: z.optional(fenFieldUpTo(tapFenMax)),
  /** The last day on which the card starts charges. */
  expiresOn: z.optional(dayField),
});
export type CardImportForm = z.output<typeof cardImportForm>;

export const cardImportFault = importFaultOf(cardImportColumns);
export type CardImportFault = z.output<typeof cardImportFault>;

/** Rows with faults that an answer names; the report has them all. */
export const cardImportFaultsShown = 100;

export const cardImport = z.object({
  id: idField<'card_import'>(),
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
      cardNumber: shown.card(),
      faults: z.array(cardImportFault),
    }),
  ),
  /** When the good ones became cards; null before consent. */
  importedAt: z.nullable(instantField),
});
export type CardImport = z.output<typeof cardImport>;

export const getCardTemplate = route({
  method: 'GET',
  path: '/card-imports/template',
  summary: 'A workbook for an import of cards, with heads, choices and an example in the caller’s language',
  permission: 'card.edit',
  answer: z.unknown(),
  answerKind: 'file',
  errors: [],
});

export const checkCardImport = route({
  method: 'POST',
  path: '/card-imports',
  summary: 'Check a workbook of cards row by row; nothing is issued yet',
  permission: 'card.edit',
  bodyKind: 'multipart',
  answer: cardImport,
  errors: [
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

export const getCardImport = route({
  method: 'GET',
  path: '/card-imports/{id}',
  summary: 'One of the caller’s own imports, with what is wrong in its file',
  permission: 'card.edit',
  params: z.object({ id: idParameter<'card_import'>() }),
  answer: cardImport,
  errors: [],
});

export const getCardImportReport = route({
  method: 'GET',
  path: '/card-imports/{id}/report',
  summary: 'The rows with faults as a workbook, with the reasons in the last column',
  permission: 'card.edit',
  params: z.object({ id: idParameter<'card_import'>() }),
  answer: z.unknown(),
  answerKind: 'file',
  errors: [],
});

export const startCardImport = route({
  method: 'POST',
  path: '/card-imports/{id}/starts',
  summary: 'Issue the good cards of a checked file, all or none; they are checked again first',
  permission: 'card.edit',
  params: z.object({ id: idParameter<'card_import'>() }),
  answer: cardImport,
  errors: ['import.started', 'import.no_rows'],
});
