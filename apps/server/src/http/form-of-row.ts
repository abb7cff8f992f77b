import type { FieldFault } from '@voltdeck/contract/errors';
import { fieldFaults } from '@voltdeck/contract/field-faults';
import { languages } from '@voltdeck/contract/languages';
import type * as z from 'zod/mini';
import type { SheetCells } from './import-sheet.ts';
import { sayIfKnown } from './say.ts';

/** A fault of one cell of a file. */
export type CellFault<Column extends string> = {
  column: Column;
  code: FieldFault['code'];
  params?: Record<string, string | number> | undefined;
};

/** What a cell holds as a value of the form. */
export type CellValue = { value: unknown } | { fault: Omit<CellFault<string>, 'column'> };

/** A fault repeats this much of what the cell holds. */
const shownValueMax = 64;

/** A row of a file as a form, validated by the schema of the form; null where it has faults. */
export function formOfRow<Column extends string, Form>(
  cells: SheetCells<Column>,
  schema: { safeParse(input: unknown): z.core.util.SafeParseResult<Form> },
  readCell: (column: Column, text: string) => CellValue,
): { form: Form | null; faults: CellFault<Column>[] } {
  const faults: CellFault<Column>[] = [];
  const input: Record<string, unknown> = {};
  for (const [column, text] of Object.entries(cells) as [Column, string][]) {
    const entered = readCell(column, text);
    if ('fault' in entered) {
      const value = text.slice(0, shownValueMax);
      faults.push({ column, ...entered.fault, params: { ...entered.fault.params, value } });
    } else input[column] = entered.value;
  }
  const parsed = schema.safeParse(input);
  if (parsed.success) return { form: faults.length === 0 ? parsed.data : null, faults };
  const known = new Set<string>(faults.map(({ column }) => column));
  for (const { path, code, params } of fieldFaults(parsed.error.issues, input)) {
    if (!known.has(path)) faults.push({ column: path as Column, code, ...(params === undefined ? {} : { params }) });
  }
  return { form: null, faults };
}

/** A choice by its word in any language, which is `words.choice`, or by its own name. */
export function choiceOf(choices: readonly string[], words: string, text: string): CellValue {
  const asked = text.toLowerCase();
  const value = choices.find(
    (one) =>
      one === asked || languages.some((language) => sayIfKnown(language, `${words}.${one}`)?.toLowerCase() === asked),
  );
  return value === undefined ? { fault: { code: 'not_choice', params: { choices: choices.join(', ') } } } : { value };
}

/** A day as people write it: 2031-12-31, 2031/1/2, 2031.1.2, 2031年1月2日, with or without a time after it. */
export function dayOf(text: string): CellValue {
  const parts = /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?(?:[ T].*)?$/.exec(text);
  const [, year = '', month = '', day = ''] = parts ?? [];
  const value = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(`${value}T00:00:00Z`);
  const isDay = parts !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
  return isDay ? { value } : { fault: { code: 'not_day' } };
}

/** Yuan with two decimals at the most, as fen. */
export function yuanOf(text: string): CellValue {
  const parts = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text);
  if (parts === null) return { fault: { code: 'not_number' } };
  return { value: Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0')) };
}

/** A whole number. */
export function wholeOf(text: string): CellValue {
  return /^\d{1,9}$/.test(text) ? { value: Number(text) } : { fault: { code: 'not_integer' } };
}
