import * as z from 'zod/mini';
import { idField, idParameter, instantField, textField } from './fields.ts';
import { gridBillForm } from './grid-bills.ts';
import { type ImportColumns, importFaultOf } from './import-faults.ts';
import { route } from './route.ts';

export const gridBillImportLimits = {
  /** Bills of one file. */
  rowsMax: 2_000,
  bytesMax: 5 * 1024 * 1024,
  /** A file with more columns has something else in it. */
  columnsMax: 100,
} as const;

/** The columns of the file, in the order of the template. */
export const gridBillImportColumns = {
  siteName: { title: 'gridBillImport.siteName', isRequired: true },
  accountNumber: { title: 'gridBills.accountNumber', isRequired: true },
  fromOn: { title: 'gridBillImport.fromOn', isRequired: true },
  toOn: { title: 'gridBillImport.toOn', isRequired: true },
  energyWh: { title: 'gridBillImport.energyKwh', isRequired: true },
  amountFen: { title: 'gridBillImport.amountYuan', isRequired: true },
  sharpWh: { title: 'gridBillImport.sharpKwh' },
  peakWh: { title: 'gridBillImport.peakKwh' },
  flatWh: { title: 'gridBillImport.flatKwh' },
  valleyWh: { title: 'gridBillImport.valleyKwh' },
  sharpPriceE5: { title: 'gridBillImport.sharpPrice' },
  peakPriceE5: { title: 'gridBillImport.peakPrice' },
  flatPriceE5: { title: 'gridBillImport.flatPrice' },
  valleyPriceE5: { title: 'gridBillImport.valleyPrice' },
  registerFromWh: { title: 'gridBillImport.registerFromKwh' },
  registerToWh: { title: 'gridBillImport.registerToKwh' },
  multiplier: { title: 'gridBills.multiplier' },
  remark: { title: 'gridBills.remark' },
} as const satisfies ImportColumns;
export type GridBillImportColumn = keyof typeof gridBillImportColumns;

const { siteId: _site, fileId: _file, ...fields } = gridBillForm.shape;

/** A row as it becomes a bill; its site is named. */
export const gridBillImportForm = z.object({ siteName: textField(64), ...fields });
export type GridBillImportForm = z.output<typeof gridBillImportForm>;

export const gridBillImportFault = importFaultOf(gridBillImportColumns);
export type GridBillImportFault = z.output<typeof gridBillImportFault>;

/** Rows with faults that an answer names; the report has them all. */
export const gridBillImportFaultsShown = 100;

export const gridBillImport = z.object({
  id: idField<'grid_bill_import'>(),
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
      siteName: z.string(),
      faults: z.array(gridBillImportFault),
    }),
  ),
  /** When the good ones were entered; null before consent. */
  importedAt: z.nullable(instantField),
});
export type GridBillImport = z.output<typeof gridBillImport>;

export const getGridBillTemplate = route({
  method: 'GET',
  path: '/grid-bill-imports/template',
  summary: 'A workbook for an import of grid bills, with heads and an example in the caller’s language',
  permission: 'finance.grid_bill',
  answer: z.unknown(),
  answerKind: 'file',
  errors: [],
});

export const checkGridBillImport = route({
  method: 'POST',
  path: '/grid-bill-imports',
  summary: 'Check a workbook of grid bills row by row; nothing is entered yet',
  permission: 'finance.grid_bill',
  bodyKind: 'multipart',
  answer: gridBillImport,
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

const ofImport = z.object({ id: idParameter<'grid_bill_import'>() });

export const getGridBillImport = route({
  method: 'GET',
  path: '/grid-bill-imports/{id}',
  summary: 'One of the caller’s own imports, with what is wrong in its file',
  permission: 'finance.grid_bill',
  params: ofImport,
  answer: gridBillImport,
  errors: [],
});

export const getGridBillImportReport = route({
  method: 'GET',
  path: '/grid-bill-imports/{id}/report',
  summary: 'The rows with faults as a workbook, with the reasons in the last column',
  permission: 'finance.grid_bill',
  params: ofImport,
  answer: z.unknown(),
  answerKind: 'file',
  errors: [],
});

export const startGridBillImport = route({
  method: 'POST',
  path: '/grid-bill-imports/{id}/starts',
  summary: 'Enter the good bills of a checked file, all or none; they are checked again first',
  permission: 'finance.grid_bill',
  params: ofImport,
  answer: gridBillImport,
  errors: ['import.started', 'import.no_rows'],
});
