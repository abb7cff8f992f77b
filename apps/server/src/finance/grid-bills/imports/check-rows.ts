import {
  type GridBillImportColumn,
  type GridBillImportFault,
  type GridBillImportForm,
  gridBillImportForm,
} from '@voltdeck/contract/grid-bill-imports';
import type { GridBillForm } from '@voltdeck/contract/grid-bills';
import type { SiteId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Caller } from '../../../caller/caller.ts';
import { scoped } from '../../../caller/scope.ts';
import type { Trx } from '../../../database/transact.ts';
import { type CellValue, dayOf, formOfRow } from '../../../http/form-of-row.ts';
import type { SheetCells, SheetRow } from '../../../http/import-sheet.ts';
import { type BilledDays, faultsOfBill, holdingOf, lockSiteBills, overlap, overlapFault } from '../check-bill.ts';

export type BillRow = SheetRow<GridBillImportColumn>;
export type BillCells = SheetCells<GridBillImportColumn>;

/** A row that may become a bill. */
export type GoodRow = { line: number; form: GridBillForm };
export type CheckedRow = GoodRow | { line: number; faults: GridBillImportFault[] };

/** Checks rows as the form checks one. Of two rows for the same days of one account, the first is good. */
export async function checkRows(
  trx: Trx,
  caller: Caller,
  rows: readonly BillRow[],
  at: Instant,
): Promise<CheckedRow[]> {
  const read = rows.map((row) => ({ line: row.line, ...readRow(row) }));
  const sites = await sitesNamed(
    trx,
    caller,
    read.flatMap(({ form }) => form?.siteName ?? []),
  );
  const siteIds = [...new Set([...sites.values()].flat())];
  await lockSiteBills(trx, siteIds);
  const billed = await billsOf(trx, siteIds);
  const isHeld = await holdingOf(trx, caller, siteIds);
  return read.map(({ line, form, faults }): CheckedRow => {
    if (form === null) return { line, faults };
    const { siteName, ...fields } = form;
    const found = sites.get(siteName) ?? [];
    const [siteId] = found;
    if (siteId === undefined) faults.push({ column: 'siteName', code: 'unknown_reference' });
    if (found.length > 1) faults.push({ column: 'siteName', code: 'ambiguous' });
    for (const { path, code, params } of faultsOfBill(fields, at)) {
      faults.push({ column: path as GridBillImportColumn, code, ...(params === undefined ? {} : { params }) });
    }
    if (siteId !== undefined && !isHeld(siteId, fields.toOn)) faults.push({ column: 'toOn', code: 'site_of_others' });
    const there = siteId === undefined ? [] : (billed.get(siteId) ?? []);
    const other = there.find((bill) => overlap(bill, fields));
    if (other !== undefined) {
      const { code, params } = overlapFault(fields, other);
      faults.push({ column: 'fromOn', code, ...(params === undefined ? {} : { params }) });
    }
    if (faults.length > 0 || siteId === undefined) return { line, faults };
    billed.set(siteId, [...there, fields]);
    return { line, form: { ...fields, siteId } };
  });
}

/** The sites that the caller may see by name, or by `#id`. */
async function sitesNamed(
  trx: Trx,
  caller: Caller,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly SiteId[]>> {
  const distinct = [...new Set(names)];
  if (distinct.length === 0) return new Map();
  const rows = await scoped(
    trx
      .selectFrom('sites')
      .innerJoin(sql<{ text: string }>`unnest(${distinct}::text[])`.as<'text'>(sql`named (text)`), (join) =>
        join.on(sql<boolean>`named.text = sites.name or named.text = '#' || sites.id`),
      ),
    caller,
    'sites.agent_id',
  )
    .select(['sites.id', sql<string>`named.text`.as('named')])
    .orderBy('sites.id')
    .execute();
  const sites = new Map<string, SiteId[]>();
  for (const { id, named } of rows) sites.set(named, [...(sites.get(named) ?? []), id]);
  return sites;
}

async function billsOf(trx: Trx, siteIds: readonly SiteId[]): Promise<Map<SiteId, BilledDays[]>> {
  if (siteIds.length === 0) return new Map();
  const rows = await trx
    .selectFrom('grid_bills')
    .select(['site_id', 'account_number as accountNumber', 'from_on as fromOn', 'to_on as toOn'])
    .where('site_id', 'in', siteIds)
    .orderBy('from_on')
    .execute();
  const bills = new Map<SiteId, BilledDays[]>();
  for (const { site_id: siteId, ...days } of rows) bills.set(siteId, [...(bills.get(siteId) ?? []), days]);
  return bills;
}

function readRow({ cells, rounded }: BillRow): { form: GridBillImportForm | null; faults: GridBillImportFault[] } {
  const { form, faults } = formOfRow(cells, gridBillImportForm, readCell);
  for (const column of rounded) {
    if (!faults.some((fault) => fault.column === column)) faults.push({ column, code: 'rounded' });
  }
  return { form: faults.length === 0 ? form : null, faults };
}

function readCell(column: GridBillImportColumn, text: string): CellValue {
  switch (column) {
    case 'fromOn':
    case 'toOn':
      return dayOf(text);
    case 'amountFen':
      return scaled(text, 2);
    case 'energyWh':
    case 'sharpWh':
    case 'peakWh':
    case 'flatWh':
    case 'valleyWh':
    case 'registerFromWh':
    case 'registerToWh':
      return scaled(text, 3);
    case 'sharpPriceE5':
    case 'peakPriceE5':
    case 'flatPriceE5':
    case 'valleyPriceE5':
      return scaled(text, 5);
    case 'multiplier':
      return scaled(text, 0);
    default:
      return { value: text };
  }
}

/** A number with at most so many decimals, in units of the last of them. Thousands may be marked. */
function scaled(text: string, decimals: number): CellValue {
  const parts = /^(\d{1,12})(?:\.(\d+?)0*)?$/.exec(text.replaceAll(/[,，\s]/g, ''));
  const [, whole = '', fraction = ''] = parts ?? [];
  if (parts === null || fraction.replace(/^0+$/, '').length > decimals) return { fault: { code: 'not_number' } };
  return { value: Number(whole) * 10 ** decimals + Number(fraction.slice(0, decimals).padEnd(decimals, '0') || '0') };
}
