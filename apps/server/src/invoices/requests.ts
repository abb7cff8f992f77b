import { wattHours } from '@voltdeck/units/energy';
import { subtractFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { InvoiceLine, IssuedName, IssueRequest, Seller } from '../invoicing/invoice-provider.ts';
import type { InvoiceRow } from './move-invoice.ts';

/** What the provider is asked for: the same in every attempt of one request. */
export async function issueRequestOf(db: Kysely<Tables>, row: InvoiceRow): Promise<IssueRequest> {
  if (row.request_number === null || row.seller === null) throw new Error(`invoice ${row.number} was never passed`);
  const original =
    row.original_id === null
      ? null
      : await db.selectFrom('invoices').selectAll().where('id', '=', row.original_id).executeTakeFirstOrThrow();
  return {
    requestNumber: row.request_number,
    kind: row.kind,
    type: row.type,
    number: row.number,
    seller: row.seller as Seller,
    buyer: {
      titleKind: row.title_kind,
      name: row.title,
      taxNumber: row.tax_number,
      address: row.address,
      phone: row.phone,
      bank: row.bank,
      bankAccount: row.bank_account,
      email: row.email,
    },
    lines: linesOf(row),
    amountFen: row.amount_fen,
    netFen: row.net_fen,
    taxFen: row.tax_fen,
    remark: row.remark,
    original: original === null ? null : issuedNameOf(original),
    takesPartOf: original !== null && row.is_part ? linesOf(original).map(({ part }) => part) : null,
    redReason: row.red_reason,
  };
}

function linesOf(row: InvoiceRow): InvoiceLine[] {
  const energyWh = wattHours(row.kind === 'red' ? 0 - row.energy_wh : row.energy_wh);
  const lines: InvoiceLine[] = [
    {
      part: 'electricity',
      energyWh,
      grossFen: row.electricity_fen,
      netFen: subtractFen(row.electricity_fen, row.electricity_tax_fen),
      taxFen: row.electricity_tax_fen,
      rateBp: row.electricity_rate_bp,
    },
    {
      part: 'service',
      energyWh,
      grossFen: row.service_fen,
      netFen: subtractFen(row.service_fen, row.service_tax_fen),
      taxFen: row.service_tax_fen,
      rateBp: row.service_rate_bp,
    },
  ];
  return lines.filter(({ grossFen }) => grossFen !== 0);
}

export function issuedNameOf(row: InvoiceRow): IssuedName {
  return {
    requestNumber: row.request_number ?? '',
    serial: row.provider_serial,
    code: row.invoice_code,
    invoiceNumber: row.invoice_number,
    issuedAt: row.issued_at,
  };
}
