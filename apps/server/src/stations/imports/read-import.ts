import {
  type StationImportColumn,
  stationImportColumns,
  stationImportLimits,
} from '@voltdeck/contract/station-imports';
import { type SheetCells, type SheetFile, type SheetRow, sheetReader } from '../../http/import-sheet.ts';
import { exampleNumber } from './template.ts';

export type ImportCells = SheetCells<StationImportColumn>;
export type ImportRow = SheetRow<StationImportColumn>;
export type ImportFile = SheetFile<StationImportColumn>;

/** The rows of a workbook of stations. */
export const readImport = sheetReader({ columns: stationImportColumns, limits: stationImportLimits, exampleNumber });
