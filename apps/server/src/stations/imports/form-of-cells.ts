import type { FieldFaultCode } from '@voltdeck/contract/errors';
import {
  type StationImportColumn,
  type StationImportFault,
  stationImportColumns,
} from '@voltdeck/contract/station-imports';
import { type StationForm, stationForm } from '@voltdeck/contract/stations';
import { type CellValue, choiceOf, dayOf, formOfRow } from '../../http/form-of-row.ts';
import { cellChoices } from './cell-choices.ts';
import type { ImportCells } from './read-import.ts';

/** Records that a row gives by name. */
export const recordColumns = ['siteId', 'agentId', 'cardTariffId', 'wechatTariffId'] as const;
export type RecordColumn = (typeof recordColumns)[number];

/** A record that a row names; a fault where it names none or several. */
export type FoundRecord = { id: number } | { fault: FieldFaultCode };

const numbers: ReadonlySet<string> = new Set(['connectorCount', 'maxPowerKw', 'voltageV', 'currentA']);
const days: ReadonlySet<string> = new Set(['expiresOn', 'simExpiresOn', 'producedOn']);

/** A row as a station's form, validated by the schema of the form itself. `found` are the records that it names. */
export function formOfCells(
  cells: ImportCells,
  found: Partial<Record<RecordColumn, FoundRecord>>,
): { form: StationForm | null; faults: StationImportFault[] } {
  return formOfRow(cells, stationForm, (column, text) => readCell(column, text, found));
}

function readCell(
  column: StationImportColumn,
  text: string,
  found: Partial<Record<RecordColumn, FoundRecord>>,
): CellValue {
  if (column in cellChoices) return choiceIn(column as keyof typeof cellChoices, text);
  if (numbers.has(column)) return numberOf(text);
  if (days.has(column)) return dayOf(text);
  const record = found[column as RecordColumn];
  if (record !== undefined) return 'fault' in record ? { fault: { code: record.fault } } : { value: record.id };
  return { value: text };
}

function choiceIn(column: keyof typeof cellChoices, text: string): CellValue {
  const chosen = choiceOf(cellChoices[column], stationImportColumns[column].words, text);
  return column === 'free' && 'value' in chosen ? { value: chosen.value === 'free' } : chosen;
}

/** "1,200" and "60 kW" are what people type; other text is no number. */
function numberOf(text: string): CellValue {
  const digits = /^(-?\d{1,3}(?:,\d{3})+|-?\d+)(\.\d+)?\s*(?:kw|v|a)?$/i.exec(text);
  if (digits === null) return { fault: { code: 'not_number' } };
  return { value: Number(`${digits[1]?.replaceAll(',', '')}${digits[2] ?? ''}`) };
}
