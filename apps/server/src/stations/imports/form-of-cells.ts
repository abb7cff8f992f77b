import type { FieldFaultCode } from '@voltdeck/contract/errors';
import { fieldFaults } from '@voltdeck/contract/field-faults';
import { languages } from '@voltdeck/contract/languages';
import {
  type StationImportColumn,
  type StationImportFault,
  stationImportColumns,
} from '@voltdeck/contract/station-imports';
import { type StationForm, stationForm } from '@voltdeck/contract/stations';
import { sayIfKnown } from '../../http/say.ts';
import { cellChoices } from './cell-choices.ts';
import type { ImportCells } from './read-import.ts';

/** Records that a row gives by name. */
export const recordColumns = ['siteId', 'agentId', 'cardTariffId', 'wechatTariffId'] as const;
export type RecordColumn = (typeof recordColumns)[number];

/** A record that a row names; a fault where it names none or several. */
export type FoundRecord = { id: number } | { fault: FieldFaultCode };

const numbers: ReadonlySet<string> = new Set(['connectorCount', 'maxPowerKw', 'voltageV', 'currentA']);
const days: ReadonlySet<string> = new Set(['expiresOn', 'simExpiresOn', 'producedOn']);

/** A fault repeats this much of what the cell holds. */
const shownValueMax = 64;

type Value = { value: unknown } | { fault: Omit<StationImportFault, 'column'> };

/** A row as a station's form, validated by the schema of the form itself. `found` are the records that it names. */
export function formOfCells(
  cells: ImportCells,
  found: Partial<Record<RecordColumn, FoundRecord>>,
): { form: StationForm | null; faults: StationImportFault[] } {
  const faults: StationImportFault[] = [];
  const input: Record<string, unknown> = {};
  for (const [column, text] of Object.entries(cells) as [StationImportColumn, string][]) {
    const entered = readCell(column, text, found);
    if ('fault' in entered) {
      const value = text.slice(0, shownValueMax);
      faults.push({ column, ...entered.fault, params: { ...entered.fault.params, value } });
    } else input[column] = entered.value;
  }
  const parsed = stationForm.safeParse(input);
  if (parsed.success) return { form: faults.length === 0 ? parsed.data : null, faults };
  const known = new Set<string>(faults.map(({ column }) => column));
  for (const { path, code, params } of fieldFaults(parsed.error.issues, input)) {
    if (!known.has(path)) {
      faults.push({ column: path as StationImportColumn, code, ...(params === undefined ? {} : { params }) });
    }
  }
  return { form: null, faults };
}

function readCell(column: StationImportColumn, text: string, found: Partial<Record<RecordColumn, FoundRecord>>): Value {
  if (column in cellChoices) return choiceOf(column as keyof typeof cellChoices, text);
  if (numbers.has(column)) return numberOf(text);
  if (days.has(column)) return dayOf(text);
  const record = found[column as RecordColumn];
  if (record !== undefined) return 'fault' in record ? { fault: { code: record.fault } } : { value: record.id };
  return { value: text };
}

/** A choice by its word in any language, or by its own name. */
function choiceOf(column: keyof typeof cellChoices, text: string): Value {
  const { words } = stationImportColumns[column];
  const asked = text.toLowerCase();
  const value = cellChoices[column].find(
    (one) =>
      one === asked || languages.some((language) => sayIfKnown(language, `${words}.${one}`)?.toLowerCase() === asked),
  );
  if (value === undefined)
    return { fault: { code: 'not_choice', params: { choices: cellChoices[column].join(', ') } } };
  return { value: column === 'free' ? value === 'free' : value };
}

/** "1,200" and "60 kW" are what people type; other text is no number. */
function numberOf(text: string): Value {
  const digits = /^(-?\d{1,3}(?:,\d{3})+|-?\d+)(\.\d+)?\s*(?:kw|v|a)?$/i.exec(text);
  if (digits === null) return { fault: { code: 'not_number' } };
  return { value: Number(`${digits[1]?.replaceAll(',', '')}${digits[2] ?? ''}`) };
}

function dayOf(text: string): Value {
  const parts = /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?(?:[ T].*)?$/.exec(text);
  const [, year = '', month = '', day = ''] = parts ?? [];
  const value = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(`${value}T00:00:00Z`);
  const isDay = parts !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
  return isDay ? { value } : { fault: { code: 'not_day' } };
}
