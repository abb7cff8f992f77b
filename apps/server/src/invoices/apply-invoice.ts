import type { ApiError } from '@voltdeck/contract/errors';
import { type createInvoice, invoiceTitlesMax } from '@voltdeck/contract/invoices';
import type { BodyOf } from '@voltdeck/contract/route';
import { amountsOf } from '@voltdeck/invoices/amounts';
import { allows } from '@voltdeck/invoices/states';
import { wattHours } from '@voltdeck/units/energy';
import type { CustomerId, GroupId, InvoiceId, OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit, type Who } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import { may } from '../caller/may.ts';
import { ofCustomer, scoped } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { receiptNumber } from '../ledger/receipt-number.ts';
import { type OrderToInvoice, ordersToInvoice, toOrderToInvoice } from './invoiced-orders.ts';
import { noteEvent, valuesOf } from './move-invoice.ts';
import { readSeller } from './sellers.ts';
import { addTitle, columnsOfTitle, type TitleForm, titleFaults } from './titles.ts';

type Form = BodyOf<typeof createInvoice>;

/** A user of the console applies, for orders in their scope. */
export async function applyInConsole(
  trx: Trx,
  caller: Caller,
  form: Form,
  at: Instant,
): Promise<Result<InvoiceId, ApiError>> {
  // A registered user's titles are the user's; an agent knows its users by their orders only.
  const mayKeep = caller.agents === 'all' && may(caller, 'customer.edit');
  if (form.savesTitle === true && !mayKeep) return failed({ code: 'invoice.title_of_user' });
  await lockOrders(trx, form.orderIds);
  const orders = await scoped(ordersToInvoice(trx).where('orders.id', 'in', form.orderIds), caller, 'orders.agent_id')
    .orderBy('orders.id')
    .execute();
  return applyForInvoice(trx, caller, form, orders.map(toOrderToInvoice), at);
}

/** A registered user applies for their own orders. */
export async function applyByCustomer(
  trx: Trx,
  caller: CustomerCaller,
  form: Form,
  at: Instant,
): Promise<Result<InvoiceId, ApiError>> {
  await lockOrders(trx, form.orderIds);
  // What a group paid for is the group's to have invoiced.
  const asked = ordersToInvoice(trx).where('orders.id', 'in', form.orderIds).where('orders.group_id', 'is', null);
  const orders = await ofCustomer(asked, caller, 'orders.customer_id').orderBy('orders.id').execute();
  return applyForInvoice(trx, caller, form, orders.map(toOrderToInvoice), at);
}

/** Of two applications for one order, the second one sees the first. Refunds wait too. */
export async function lockOrders(trx: Trx, ids: readonly OrderId[]): Promise<void> {
  if (ids.length === 0) return;
  await trx.selectFrom('orders').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute();
}

/**
 * Writes an application over orders of one payer and one seller. Its amount is what was paid for them with money and has
 * not been returned; its orders are taken until it is rejected, voided or taken back.
 */
async function applyForInvoice(
  trx: Trx,
  who: NonNullable<Who>,
  asked: Form,
  orders: readonly OrderToInvoice[],
  at: Instant,
): Promise<Result<InvoiceId, ApiError>> {
  const form = await withHeaderOfGroup(trx, asked, orders[0]?.groupId ?? null);
  const faults = titleFaults(form);
  if (faults.length > 0) return failed({ code: 'request.invalid', fields: faults });
  const [first] = orders;
  if (first === undefined || orders.length < new Set(form.orderIds).size) {
    return failed({ code: 'request.invalid', fields: [{ path: 'orderIds', code: 'unknown_reference' }] });
  }
  const obstacle = whyNot(orders);
  if (obstacle !== null) return failed(obstacle);
  const { type = 'ordinary', titleKind } = form;
  if (type === 'special' && titleKind === 'personal') return failed({ code: 'invoice.personal_special' });
  const seller = await readSeller(trx, first.agentId);
  if (seller === null) throw new Error(`agent ${first.agentId} of order ${first.number} does not exist`);
  if (!allows(seller.allowed, type)) {
    return failed({ code: 'invoice.type_not_allowed', params: { seller: seller.name } });
  }
  const rates = { electricityBp: seller.electricityRateBp, serviceBp: seller.serviceRateBp };
  const amounts = amountsOf(orders, rates);
  const number = receiptNumber('I', at);
  const title = columnsOfTitle(form);
  const { id } = await trx
    .insertInto('invoices')
    .values({
      number,
      kind: 'blue',
      type,
      agent_id: first.agentId,
      // An order of a group is the group's, whoever of its users charged.
      customer_id: first.groupId === null ? first.customerId : null,
      group_id: first.groupId,
      ...title,
      remark: form.remark ?? '',
      order_count: orders.length,
      energy_wh: wattHours(orders.reduce((sum, { energyWh }) => sum + energyWh, 0)),
      amount_fen: amounts.amountFen,
      net_fen: amounts.netFen,
      tax_fen: amounts.taxFen,
      electricity_fen: amounts.electricity.grossFen,
      electricity_tax_fen: amounts.electricity.taxFen,
      electricity_rate_bp: rates.electricityBp,
      service_fen: amounts.service.grossFen,
      service_tax_fen: amounts.service.taxFen,
      service_rate_bp: rates.serviceBp,
      ...valuesOf('review'),
      step_at: at,
      applied_by: who.userId,
      applied_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('invoice_orders')
    .values(
      orders.map((order) => ({
        invoice_id: id,
        order_id: order.id,
        energy_wh: order.energyWh,
        amount_fen: order.amountFen,
        electricity_fen: order.electricityFen,
        service_fen: order.serviceFen,
      })),
    )
    .execute();
  await noteEvent(trx, id, { event: 'apply', userId: who.userId }, at);
  if (form.savesTitle === true && first.customerId !== null && first.groupId === null)
    await keepTitle(trx, first.customerId, form, at);
  await audit(trx, who, at, {
    action: 'invoice.apply',
    recordKind: 'invoice',
    recordId: id,
    after: { number, orders: orders.map((order) => order.number), amountFen: amounts.amountFen, title: form.title },
  });
  return ok(id);
}

/** An invoice over orders of a group is for whom the group says, and as the form says where it says nothing. */
async function withHeaderOfGroup(trx: Trx, form: Form, groupId: GroupId | null): Promise<Form> {
  if (groupId === null) return form;
  const group = await trx
    .selectFrom('groups')
    .select(['title', 'tax_number', 'title_address', 'title_phone', 'bank', 'bank_account', 'email'])
    .where('id', '=', groupId)
    .executeTakeFirstOrThrow();
  const kept = {
    title: group.title,
    taxNumber: group.tax_number,
    address: group.title_address,
    phone: group.title_phone,
    bank: group.bank,
    bankAccount: group.bank_account,
    email: group.email,
  };
  const given = Object.entries(kept).filter(([, text]) => text !== '');
  const isCompany = group.tax_number !== '' || form.titleKind === 'company';
  return { ...form, ...Object.fromEntries(given), titleKind: isCompany ? 'company' : form.titleKind };
}

/** The first obstacle, by the order that has it. */
function whyNot(orders: readonly OrderToInvoice[]): ApiError | null {
  for (const { obstacle, number, siteName, invoiceNumber } of orders) {
    if (obstacle !== null) {
      return { code: obstacle, params: { number, site: siteName, invoice: invoiceNumber ?? '' } };
    }
  }
  const sellers = new Set(orders.map(({ agentId }) => agentId));
  if (sellers.size > 1) return { code: 'invoice.many_sellers' };
  // Where nobody holds the card, the card is who paid.
  const payers = new Set(
    orders.map(({ customerId, cardId, groupId }) => {
      if (groupId !== null) return `group ${groupId}`;
      return customerId === null ? `card ${cardId}` : `customer ${customerId}`;
    }),
  );
  return payers.size > 1 ? { code: 'invoice.many_payers' } : null;
}

/** Keeps the title unless the registered user has it, or as many as they can have. */
async function keepTitle(trx: Trx, customerId: CustomerId, form: TitleForm, at: Instant): Promise<void> {
  const { count, same } = await trx
    .selectFrom('invoice_titles')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .select(sql<number>`count(*) filter (where title = ${form.title} and title_kind = ${form.titleKind})`.as('same'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  if (same > 0 || count >= invoiceTitlesMax) return;
  await addTitle(trx, customerId, { ...form, isDefault: count === 0 }, at);
}
