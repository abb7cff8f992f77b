import type { ApiError } from '@voltdeck/contract/errors';
import type { InvoiceSeller, setInvoiceSeller as route } from '@voltdeck/contract/invoices';
import type { BodyOf } from '@voltdeck/contract/route';
import type { AgentId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { agentOfNewRecord, isInScope } from '../caller/scope.ts';
import { readPlatformName } from '../database/platform-name.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import type { Seller } from '../invoicing/invoice-provider.ts';

/** What holds where nobody has set anything: electricity at 13 %, services at 6 %, ordinary invoices. */
const defaults = { electricityRateBp: 1300, serviceRateBp: 600, allowed: 'ordinary' } as const;

/** What stands of a seller on its invoices; null where there is no such agent. */
export async function readSeller(db: Kysely<Tables>, agentId: AgentId | null): Promise<InvoiceSeller | null> {
  const agent =
    agentId === null ? null : await db.selectFrom('agents').select('name').where('id', '=', agentId).executeTakeFirst();
  if (agent === undefined) return null;
  const agentName = agent?.name ?? null;
  const row = await db
    .selectFrom('invoice_sellers')
    .selectAll()
    .where('agent_id', agentId === null ? 'is' : '=', agentId)
    .executeTakeFirst();
  if (row !== undefined) {
    return {
      agentId,
      agentName,
      isDefault: false,
      name: row.name,
      taxNumber: row.tax_number,
      address: row.address,
      tel: row.phone,
      bank: row.bank,
      bankAccount: row.bank_account,
      drawer: row.drawer,
      checker: row.checker,
      payee: row.payee,
      electricityRateBp: row.electricity_rate_bp,
      serviceRateBp: row.service_rate_bp,
      electricityTaxCode: row.electricity_tax_code,
      serviceTaxCode: row.service_tax_code,
      allowed: row.allowed,
      terminal: row.terminal,
    };
  }
  const none = { taxNumber: '', address: '', tel: '', bank: '', bankAccount: '', drawer: '', checker: '', payee: '' };
  const name = agentName ?? (await readPlatformName(db));
  const codes = { electricityTaxCode: '', serviceTaxCode: '', terminal: '' };
  return { agentId, agentName, isDefault: true, name, ...none, ...codes, ...defaults };
}

/** The seller that a caller may see: the asked one in scope, or the caller's own. */
export async function findSeller(
  db: Kysely<Tables>,
  caller: Caller,
  asked: AgentId | undefined,
): Promise<InvoiceSeller | null> {
  const agentId = agentOfNewRecord(caller, asked);
  return agentId === undefined || !isInScope(caller, agentId) ? null : readSeller(db, agentId);
}

export function sellerAsPrinted(seller: InvoiceSeller): Seller {
  const { name, taxNumber, address, tel, bank, bankAccount, drawer, checker, payee, terminal } = seller;
  const { electricityTaxCode, serviceTaxCode } = seller;
  return {
    name,
    taxNumber,
    address,
    tel,
    bank,
    bankAccount,
    drawer,
    checker,
    payee,
    electricityTaxCode,
    serviceTaxCode,
    terminal,
  };
}

/**
 * Sets what holds from the next application on; what was applied for keeps its rates. For the platform's people only: the
 * tax number says at whom the provider issues under the platform's key, so an agent could issue as another company.
 */
export async function setSeller(
  trx: Trx,
  caller: Caller,
  { agentId: asked, ...form }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<InvoiceSeller, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  const agentId = asked ?? null;
  const before = await readSeller(trx, agentId);
  if (before === null) {
    return failed({ code: 'request.invalid', fields: [{ path: 'agentId', code: 'unknown_reference' }] });
  }
  const values = {
    name: form.name,
    tax_number: form.taxNumber ?? '',
    address: form.address ?? '',
    phone: form.tel ?? '',
    bank: form.bank ?? '',
    bank_account: form.bankAccount ?? '',
    drawer: form.drawer ?? '',
    checker: form.checker ?? '',
    payee: form.payee ?? '',
    electricity_rate_bp: form.electricityRateBp,
    service_rate_bp: form.serviceRateBp,
    electricity_tax_code: form.electricityTaxCode ?? '',
    service_tax_code: form.serviceTaxCode ?? '',
    allowed: form.allowed,
    terminal: form.terminal ?? '',
    changed_by: caller.userId,
    changed_at: at,
  };
  await trx
    .insertInto('invoice_sellers')
    .values({ agent_id: agentId, ...values })
    .onConflict((conflict) => conflict.constraint('invoice_sellers_agent').doUpdateSet(values))
    .execute();
  const after = await readSeller(trx, agentId);
  if (after === null) return failed({ code: 'record.not_found' });
  await audit(trx, caller, at, {
    action: 'invoice.settings',
    recordKind: 'invoice_seller',
    recordId: agentId ?? 'platform',
    before,
    after,
  });
  return ok(after);
}
