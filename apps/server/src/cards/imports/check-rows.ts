import { cardTypes } from '@voltdeck/charging/states';
import {
  type CardImportColumn,
  type CardImportFault,
  type CardImportForm,
  cardImportForm,
} from '@voltdeck/contract/card-imports';
import { fieldFaults } from '@voltdeck/contract/field-faults';
import { languages } from '@voltdeck/contract/languages';
import type { CustomerId } from '@voltdeck/units/id';
import { sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { scopedByCards } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import type { SheetCells, SheetRow } from '../../http/import-sheet.ts';
import { sayIfKnown } from '../../http/say.ts';
import { type CardNumbers, numbersOf, spellingsOfCard, takenNumbers } from '../card-numbers.ts';

export type CardRow = SheetRow<CardImportColumn>;

/** A row that may become a card. */
export type GoodRow = { line: number; form: CardImportForm; numbers: CardNumbers; customerId: CustomerId | null };

export type CheckedRow = GoodRow | { line: number; faults: CardImportFault[] };

/** A fault repeats this much of what the cell holds. */
const shownValueMax = 64;

/**
 * Checks rows in bulk as a form checks one. Of two rows with one number, however it is written, the first is good. A
 * holder is named by phone, among those whom the caller may see: a file would try out phones.
 */
export async function checkRows(trx: Trx, caller: Caller, rows: readonly CardRow[]): Promise<CheckedRow[]> {
  const read = rows.map((row) => ({ line: row.line, ...formOfRow(row) }));
  const numbers = read.map(({ form }) => (form === null ? null : numbersOf(form)));
  const spellings = numbers.map((one) => (one === null ? [] : spellingsOfCard(one)));
  const taken = await takenNumbers(trx, [...new Set(spellings.flat())]);
  const holders = await holdersOf(
    trx,
    caller,
    read.flatMap(({ form }) => form?.customerPhone ?? []),
  );
  const lineOf = new Map<string, number>();
  return read.map(({ line, form, faults }, index): CheckedRow => {
    const own = numbers[index];
    if (form === null || own === null || own === undefined) return { line, faults };
    const ways = spellings[index] ?? [];
    const earlier = ways.map((way) => lineOf.get(way)).find((found) => found !== undefined);
    if (earlier !== undefined) faults.push({ column: 'number', code: 'repeated', params: { line: earlier } });
    else for (const way of ways) lineOf.set(way, line);
    if (ways.some((way) => taken.has(way))) faults.push({ column: 'number', code: 'taken' });
    const phone = form.customerPhone;
    const customerId = phone === undefined ? null : (holders.get(phone) ?? null);
    if (phone !== undefined && customerId === null) faults.push({ column: 'customerPhone', code: 'unknown_reference' });
    return faults.length > 0 ? { line, faults } : { line, form, numbers: own, customerId };
  });
}

async function holdersOf(
  trx: Trx,
  caller: Caller,
  phones: readonly string[],
): Promise<ReadonlyMap<string, CustomerId>> {
  if (phones.length === 0) return new Map();
  const customers = await scopedByCards(trx.selectFrom('customers'), caller, 'customers.id')
    .select(['id', 'phone'])
    .where(sql<boolean>`phone = any(${[...new Set(phones)]})`)
    .execute();
  return new Map(customers.map(({ id, phone }) => [phone, id]));
}

type Value = { value: unknown } | { fault: Omit<CardImportFault, 'column'> };

function formOfRow({ cells, rounded }: CardRow): { form: CardImportForm | null; faults: CardImportFault[] } {
  const faults: CardImportFault[] = rounded.map((column) => ({ column, code: 'rounded' }));
  const input: Record<string, unknown> = {};
  for (const [column, text] of Object.entries(cells) as [CardImportColumn, string][]) {
    const entered = readCell(column, text);
    if ('fault' in entered) {
      const value = text.slice(0, shownValueMax);
      faults.push({ column, ...entered.fault, params: { ...entered.fault.params, value } });
    } else input[column] = entered.value;
  }
  const parsed = cardImportForm.safeParse(input);
  if (parsed.success) return { form: faults.length === 0 ? parsed.data : null, faults };
  const known = new Set<string>(faults.map(({ column }) => column));
  for (const { path, code, params } of fieldFaults(parsed.error.issues, input)) {
    if (!known.has(path))
      faults.push({ column: path as CardImportColumn, code, ...(params === undefined ? {} : { params }) });
  }
  return { form: null, faults };
}

function readCell(column: CardImportColumn, text: string): Value {
  switch (column) {
    case 'type':
      return typeOf(text);
    case 'tapAmountFen':
      return yuanOf(text);
    case 'expiresOn':
      return { value: text.replaceAll(/[/.]/g, '-') };
    default:
      return { value: text };
  }
}

/** A type by its word in any language, or by its own name. */
function typeOf(text: string): Value {
  const asked = text.toLowerCase();
  const value = cardTypes.find(
    (type) =>
      type === asked ||
      languages.some((language) => sayIfKnown(language, `card-type.${type}`)?.toLowerCase() === asked),
  );
  return value === undefined ? { fault: { code: 'not_choice', params: { choices: cardTypes.join(', ') } } } : { value };
}

/** Yuan with two decimals at the most. */
function yuanOf(text: string): Value {
  const parts = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text);
  if (parts === null) return { fault: { code: 'not_number' } };
  return { value: Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0')) };
}

export type CardCells = SheetCells<CardImportColumn>;
