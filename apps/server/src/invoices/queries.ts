import {
  type Invoice,
  type InvoiceChoices,
  type InvoiceDetail,
  type InvoiceEvent,
  invoiceableMax,
  listInvoices,
} from '@voltdeck/contract/invoices';
import type { CustomerId, GroupId, InvoiceId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing } from '../http/list-page.ts';
import { listSource } from '../http/list-source.ts';
import { hasPart } from '../http/part-of-text.ts';
import { shownName } from '../http/shown-name.ts';
import { findsPersonal } from '../personal/sees-personal.ts';
import { ordersToInvoice, toOrderToInvoice } from './invoiced-orders.ts';
import { findTitles } from './titles.ts';

/** A step that waits for a person counts, whatever else there is to see to. */
const attention = sql<Invoice['attention']>`
  case when invoices.person_step is not null then 'person_needed' else invoices.attention end`;

export function invoicesAsShown(db: Kysely<Tables>, { language }: Pick<Caller, 'language'>) {
  return db
    .selectFrom('invoices')
    .leftJoin('customers', 'customers.id', 'invoices.customer_id')
    .leftJoin('groups', 'groups.id', 'invoices.group_id')
    .leftJoin('agents', 'agents.id', 'invoices.agent_id')
    .leftJoin('users as appliers', 'appliers.id', 'invoices.applied_by')
    .leftJoin('users as reviewers', 'reviewers.id', 'invoices.reviewed_by')
    .select([
      'invoices.id',
      'invoices.number',
      'invoices.kind',
      'invoices.type',
      'invoices.customer_id as customerId',
      'customers.nickname',
      'customers.phone as customerPhone',
      'invoices.group_id as groupId',
      'groups.name as groupName',
      'invoices.agent_id as agentId',
      'agents.name as agentName',
      'invoices.order_count as orderCount',
      'invoices.energy_wh as energyWh',
      'invoices.amount_fen as amountFen',
      'invoices.net_fen as netFen',
      'invoices.tax_fen as taxFen',
      'invoices.electricity_fen as electricityFen',
      'invoices.service_fen as serviceFen',
      'invoices.is_part as isPart',
      sql<Fen>`invoices.reddened_electricity_fen + invoices.reddened_service_fen`.as('reddenedFen'),
      'invoices.title_kind as titleKind',
      'invoices.title',
      'invoices.tax_number as taxNumber',
      'invoices.email',
      'invoices.state',
      'invoices.step',
      'invoices.external_code as externalCode',
      'invoices.invoice_number as invoiceNumber',
      'invoices.invoice_code as invoiceCode',
      'invoices.applied_at as appliedAt',
      'invoices.issued_at as issuedAt',
      'invoices.remark',
      'invoices.rejection_reason as rejectionReason',
      'invoices.failure',
      'invoices.person_step as personStep',
      'invoices.delivery',
      'invoices.provider',
      shownName<string | null>(language, 'user', 'appliers.real_name', 'appliers.real_name_key').as('appliedByName'),
      shownName<string | null>(language, 'user', 'reviewers.real_name', 'reviewers.real_name_key').as('operatorName'),
      attention.as('attention'),
      sql<boolean>`invoices.issued_at is not null`.as('hasDocument'),
    ]);
}

type Row = { appliedAt: Instant; issuedAt: Instant | null };

export function toInvoice<R extends Row>(row: R) {
  return { ...row, appliedAt: toIso(row.appliedAt), issuedAt: isoOrNull(row.issuedAt) };
}

export async function findInvoice(db: Kysely<Tables>, caller: Caller, id: InvoiceId): Promise<Invoice | null> {
  const row = await scoped(
    invoicesAsShown(db, caller).where('invoices.id', '=', id),
    caller,
    'invoices.agent_id',
  ).executeTakeFirst();
  return row === undefined ? null : toInvoice(row);
}

export async function findInvoiceDetail(
  db: Kysely<Tables>,
  caller: Caller,
  id: InvoiceId,
): Promise<InvoiceDetail | null> {
  const row = await scoped(invoicesAsShown(db, caller).where('invoices.id', '=', id), caller, 'invoices.agent_id')
    .select(['invoices.original_id as originalId', 'invoices.red_reason as redReason'])
    .select(['invoices.delivery_problem as deliveryProblem', 'invoices.doubt'])
    .select(['invoices.electricity_tax_fen as electricityTaxFen', 'invoices.service_tax_fen as serviceTaxFen'])
    .select(['invoices.electricity_rate_bp as electricityRateBp', 'invoices.service_rate_bp as serviceRateBp'])
    .select(['invoices.address', 'invoices.phone', 'invoices.bank', 'invoices.bank_account as bankAccount'])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { originalId, ...invoice } = row;
  const [orders, related, timeline] = await Promise.all([
    findOrders(db, originalId === null || row.isPart ? id : originalId),
    db
      .selectFrom('invoices')
      .select(['id', 'number', 'kind', 'is_part as isPart', 'amount_fen as amountFen', 'state', 'step'])
      .select('issued_at as issuedAt')
      .where((eb) => (originalId === null ? eb('original_id', '=', id) : eb('id', '=', originalId)))
      .orderBy('id')
      .execute(),
    db
      .selectFrom('invoice_events as events')
      .leftJoin('users', 'users.id', 'events.user_id')
      .select(['events.at', 'events.event', 'events.text'])
      .select(
        shownName<string | null>(caller.language, 'user', 'users.real_name', 'users.real_name_key').as('userName'),
      )
      .where('events.invoice_id', '=', id)
      .orderBy('events.id')
      .execute(),
  ]);
  return {
    ...toInvoice(invoice),
    orders,
    related: related.map(({ issuedAt, ...each }) => ({ ...each, issuedAt: isoOrNull(issuedAt) })),
    timeline: timeline.map(({ at, event, ...rest }) => ({ ...rest, at: toIso(at), event: event as InvoiceEvent })),
  };
}

async function findOrders(db: Kysely<Tables>, id: InvoiceId): Promise<InvoiceDetail['orders']> {
  const orders = await db
    .selectFrom('invoice_orders as part')
    .innerJoin('orders', 'orders.id', 'part.order_id')
    .innerJoin('sites', 'sites.id', 'orders.site_id')
    .select(['orders.id as orderId', 'orders.number', 'sites.name as siteName', 'orders.ended_at as endedAt'])
    .select(['part.energy_wh as energyWh', 'part.amount_fen as amountFen'])
    .select(['part.electricity_fen as electricityFen', 'part.service_fen as serviceFen'])
    .where('part.invoice_id', '=', id)
    .orderBy('orders.ended_at')
    .orderBy('orders.id')
    .execute();
  return orders.map(({ endedAt, ...order }) => ({ ...order, endedAt: isoOrNull(endedAt) }));
}

type Payer = { customerId?: CustomerId | undefined; groupId?: GroupId | undefined };

/**
 * The settled orders of a registered user or a group in the caller's scope, and whom they can be invoiced to; null where
 * there is no such user or group, or not exactly one is asked for.
 */
export async function findChoices(
  db: Kysely<Tables>,
  caller: Caller,
  { customerId, groupId }: Payer,
): Promise<InvoiceChoices | null> {
  if (customerId !== undefined) return groupId === undefined ? choicesOfCustomer(db, caller, customerId) : null;
  return groupId === undefined ? null : choicesOfGroup(db, caller, groupId);
}

async function choicesOfGroup(db: Kysely<Tables>, caller: Caller, id: GroupId): Promise<InvoiceChoices | null> {
  const group = await scoped(db.selectFrom('groups'), caller, 'groups.agent_id')
    .select(['name', 'title', 'tax_number as taxNumber', 'title_address as address', 'title_phone as phone'])
    .select(['bank', 'bank_account as bankAccount', 'email'])
    .where('groups.id', '=', id)
    .executeTakeFirst();
  if (group === undefined) return null;
  const { name, ...header } = group;
  const orders = await settledOrders(db, caller, (settled) => settled.where('orders.group_id', '=', id));
  return { orders, titles: [], groupHeader: { ...header, title: header.title === '' ? name : header.title } };
}

async function choicesOfCustomer(
  db: Kysely<Tables>,
  caller: Caller,
  customerId: CustomerId,
): Promise<InvoiceChoices | null> {
  const customer = await db.selectFrom('customers').select('id').where('id', '=', customerId).executeTakeFirst();
  if (customer === undefined) return null;
  const orders = await settledOrders(db, caller, (settled) =>
    // What a group paid for is the group's to have invoiced.
    settled.where('orders.customer_id', '=', customerId).where('orders.group_id', 'is', null),
  );
  // A title belongs to its user, whom an agent knows by orders only.
  const isKnown = caller.agents === 'all' || orders.length > 0;
  const titles = caller.agents === 'all' ? await findTitles(db, customerId) : [];
  return isKnown ? { orders, titles, groupHeader: null } : null;
}

type Settled = ReturnType<typeof ordersToInvoice>;

async function settledOrders(
  db: Kysely<Tables>,
  caller: Caller,
  ofPayer: (settled: Settled) => Settled,
): Promise<InvoiceChoices['orders']> {
  const settled = ofPayer(ordersToInvoice(db))
    .leftJoin('agents', 'agents.id', 'orders.agent_id')
    .select('agents.name as agentName')
    .where('orders.state', '=', 'completed');
  const rows = await scoped(settled, caller, 'orders.agent_id')
    .orderBy('orders.placed_at', 'desc')
    .orderBy('orders.id', 'desc')
    .limit(invoiceableMax)
    .execute();
  return rows.map((row) => {
    const { id, number, siteName, agentId, endedAt, energyWh, amountFen, obstacle } = toOrderToInvoice(row);
    const shown = { orderId: id, number, siteName, agentId, agentName: row.agentName };
    return { ...shown, endedAt: isoOrNull(endedAt), energyWh, amountFen, obstacle };
  });
}

/** What stands: blue ones from their issue until they are voided, and red ones once they are issued. */
const ifIssued = (amount: RawBuilder<unknown>) => sql`case
  when invoices.step in ('issued', 'reddened') then ${amount}
  when invoices.kind = 'blue' and invoices.step in ('voiding', 'voiding_person', 'reddening') then ${amount} end`;

export const invoiceList = listSource({
  route: listInvoices,
  filtered(db, caller, filter) {
    let invoices = scoped(db.selectFrom('invoices'), caller, 'invoices.agent_id');
    if (filter.state !== undefined) invoices = invoices.where('invoices.state', 'in', filter.state);
    if (filter.kind !== undefined) invoices = invoices.where('invoices.kind', 'in', filter.kind);
    if (filter.type !== undefined) invoices = invoices.where('invoices.type', 'in', filter.type);
    if (filter.titleKind !== undefined) invoices = invoices.where('invoices.title_kind', 'in', filter.titleKind);
    if (filter.attention !== undefined) invoices = invoices.where(attention, 'in', filter.attention);
    if (filter.number !== undefined) {
      const number = filter.number.toUpperCase();
      invoices = invoices.where((eb) =>
        eb.or([eb('invoices.number', '=', number), eb('invoices.invoice_number', '=', number)]),
      );
    }
    if (filter.title !== undefined) invoices = invoices.where('invoices.title', 'ilike', containing(filter.title));
    if (filter.agentId !== undefined) invoices = invoices.where('invoices.agent_id', '=', filter.agentId);
    if (filter.customerId !== undefined) invoices = invoices.where('invoices.customer_id', '=', filter.customerId);
    if (filter.phone !== undefined || filter.nickname !== undefined) {
      let holders = db.selectFrom('customers').select('customers.id');
      if (filter.phone !== undefined) {
        const part = hasPart('customers.phone', 'number', filter.phone);
        holders = holders.where(findsPersonal(caller, 'customers.phone', filter.phone, part));
      }
      if (filter.nickname !== undefined) {
        holders = holders.where('customers.nickname', 'ilike', containing(filter.nickname));
      }
      invoices = invoices.where('invoices.customer_id', 'in', holders);
    }
    if (filter.orderId !== undefined) {
      const parts = db.selectFrom('invoice_orders').select('invoice_id').where('order_id', '=', filter.orderId);
      invoices = invoices.where((eb) =>
        eb.or([eb('invoices.id', 'in', parts), eb('invoices.original_id', 'in', parts)]),
      );
    }
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) invoices = invoices.where('invoices.applied_at', '>=', from);
    if (to !== null) invoices = invoices.where('invoices.applied_at', '<=', to);
    return invoices;
  },
  id: sql`invoices.id`,
  sorts: { appliedAt: sql`invoices.applied_at` },
  sums: {
    amountFen: ifIssued(sql`invoices.amount_fen`),
    netFen: ifIssued(sql`invoices.net_fen`),
    taxFen: ifIssued(sql`invoices.tax_fen`),
    electricityFen: ifIssued(sql`invoices.electricity_fen`),
    serviceFen: ifIssued(sql`invoices.service_fen`),
    reddenedFen: ifIssued(sql`invoices.reddened_electricity_fen + invoices.reddened_service_fen`),
  },
  rows: (db, read) => invoicesAsShown(db, read),
  toItem: toInvoice,
});
