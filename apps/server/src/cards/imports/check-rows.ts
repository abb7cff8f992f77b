import { cardTypes } from '@voltdeck/charging/states';
import {
  type CardImportColumn,
  type CardImportFault,
  type CardImportForm,
  cardImportColumns,
  cardImportForm,
} from '@voltdeck/contract/card-imports';
import type { CustomerId } from '@voltdeck/units/id';
import { sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { scopedByCards } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import { type CellValue, choiceOf, dayOf, formOfRow, yuanOf } from '../../http/form-of-row.ts';
import type { SheetRow } from '../../http/import-sheet.ts';
import { type CardNumbers, numbersOf, spellingsOfCard, takenNumbers } from '../card-numbers.ts';

export type CardRow = SheetRow<CardImportColumn>;

/** A row that may become a card. */
export type GoodRow = { line: number; form: CardImportForm; numbers: CardNumbers; customerId: CustomerId | null };

export type CheckedRow = GoodRow | { line: number; faults: CardImportFault[] };

/**
 * Checks rows in bulk as a form checks one. Of two rows with one number, however it is written, the first is good. A
 * holder is named by phone, among those whom the caller may see: a file would try out phones.
 */
export async function checkRows(trx: Trx, caller: Caller, rows: readonly CardRow[]): Promise<CheckedRow[]> {
  const read = rows.map((row) => ({ line: row.line, ...readRow(row) }));
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

function readRow({ cells, rounded }: CardRow): { form: CardImportForm | null; faults: CardImportFault[] } {
  const { form, faults } = formOfRow(cells, cardImportForm, readCell);
  for (const column of rounded) {
    if (!faults.some((fault) => fault.column === column)) faults.push({ column, code: 'rounded' });
  }
  return { form: faults.length === 0 ? form : null, faults };
}

function readCell(column: CardImportColumn, text: string): CellValue {
  switch (column) {
    case 'type':
      return choiceOf(cardTypes, cardImportColumns.type.words, text);
    case 'tapAmountFen':
      return yuanOf(text);
    case 'expiresOn':
      return dayOf(text);
    default:
      return { value: text };
  }
}
