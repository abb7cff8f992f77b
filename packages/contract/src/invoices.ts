import {
  allowedTypes,
  invoiceKinds,
  invoiceStates,
  invoiceSteps,
  invoiceTypes,
  titleKinds,
} from '@voltdeck/invoices/states';
import { isTaxNumber } from '@voltdeck/invoices/tax-number';
import { invoiceActs } from '@voltdeck/invoices/transitions';
import * as z from 'zod/mini';
import {
  energyField,
  fenField,
  filter,
  idField,
  idParameter,
  instantField,
  linesField,
  shown,
  textField,
} from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** Orders that one invoice takes together. */
export const invoiceOrdersMax = 100;
/** Invoices decided or voided in one call. */
export const invoicesAtOnceMax = 100;
/** Titles that one registered user keeps. */
export const invoiceTitlesMax = 20;
/** Deliveries of one invoice that people ask for within a day. */
export const deliveriesPerInvoiceMax = 5;
/** Deliveries that one person asks for within a day. */
export const deliveriesPerUserMax = 100;
/** Orders that are offered to be invoiced, the newest. */
export const invoiceableMax = 200;

/** An address for mail: what stands before and after one @, without spaces, and no masked one. */
export const emailField = z
  .string()
  .check(z.trim(), z.maxLength(100), z.regex(/^[^\s@<>,;"*]+@[^\s@<>,;"*]+\.[^\s@<>,;"*]{2,}$/, 'email_format'));
export const taxNumberField = z
  .string()
  .check(z.trim(), z.toUpperCase(), z.refine(isTaxNumber, { error: 'tax_number' }));
/** What a buyer has on an invoice. */
const titleFields = {
  titleKind: z.enum(titleKinds),
  title: textField(100, 2),
  /** Required of a company. */
  taxNumber: z.optional(taxNumberField),
  address: z.optional(textField(200, 0)),
  phone: z.optional(textField(20, 0)),
  bank: z.optional(textField(100, 0)),
  bankAccount: z.optional(textField(50, 0)),
  /** Where the document is sent to. */
  email: z.optional(emailField),
};

/**
 * What a person has to see to: money of its orders went back after it was issued; it went back, or more came in, before;
 * the provider waits for somebody.
 */
export const invoiceAttentions = ['red_letter_needed', 'amount_changed', 'person_needed'] as const;
export type InvoiceAttention = (typeof invoiceAttentions)[number];

/**
 * Whether its document went to the buyer: `by_hand` where no service sends mail, so that a person has to; `sent` is what
 * the provider says.
 */
export const deliveryStates = ['waiting', 'sent', 'by_hand', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const invoiceProviders = ['embedded', 'nuonuo'] as const;
export type InvoiceProviderName = (typeof invoiceProviders)[number];

/** A company's is public; a person's is the number of an identity card. */
const taxNumberShown = shown.by(({ titleKind }) => (titleKind === 'personal' ? 'card' : null));

export const invoice = z.object({
  id: idField<'invoice'>(),
  /** The serial number, ours. */
  number: z.string(),
  kind: z.enum(invoiceKinds),
  type: z.enum(invoiceTypes),
  /** Null where nobody holds the card that paid. */
  customerId: z.nullable(idField<'customer'>()),
  /** The group that it is for; null where a card or a registered user paid. */
  groupId: z.nullable(idField<'group'>()),
  groupName: z.nullable(z.string()),
  nickname: z.nullable(z.string()),
  customerPhone: z.nullable(shown.phone()),
  /** The seller; null is the platform. */
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  orderCount: z.int(),
  energyWh: energyField,
  amountFen: fenField,
  netFen: fenField,
  taxFen: fenField,
  electricityFen: fenField,
  serviceFen: fenField,
  /** What issued red letters over parts have taken back of it, in fen of zero or more. */
  reddenedFen: fenField,
  /** A red letter over a part, whose invoice stands for the rest. */
  isPart: z.boolean(),
  titleKind: z.enum(titleKinds),
  title: z.string(),
  taxNumber: taxNumberShown,
  email: shown.email(),
  state: z.enum(invoiceStates),
  /** Who is to act: finer than the state. */
  step: z.enum(invoiceSteps),
  /** The state in the codes of e-invoice services: 0, 20, 21, 2, 22, 24, 31 or 3. */
  externalCode: z.string(),
  /** The provider's number, which stands on the document. */
  invoiceNumber: z.nullable(z.string()),
  invoiceCode: z.nullable(z.string()),
  appliedAt: instantField,
  issuedAt: z.nullable(instantField),
  remark: z.string(),
  /** Who applied for it in the console; null where the registered user did. */
  appliedByName: z.nullable(z.string()),
  /** Who passed or rejected it. */
  operatorName: z.nullable(z.string()),
  rejectionReason: z.nullable(z.string()),
  /** What the provider refused. */
  failure: z.nullable(z.string()),
  /** What somebody has to do at the provider. */
  personStep: z.nullable(z.string()),
  attention: z.nullable(z.enum(invoiceAttentions)),
  delivery: z.nullable(z.enum(deliveryStates)),
  provider: z.nullable(z.enum(invoiceProviders)),
  hasDocument: z.boolean(),
});
export type Invoice = z.output<typeof invoice>;

/** What happened: an act of the table of transitions, or something that leaves the step. */
export const invoiceEvents = [
  ...invoiceActs,
  'apply',
  'give_up_red_letter',
  'refund',
  'deliver',
  'delivered',
  'to_deliver_by_hand',
  'refuse_delivery',
] as const;
export type InvoiceEvent = (typeof invoiceEvents)[number];

/**
 * Why it is not known what became of an invoice at its provider: it gave no answer or one that nobody understands, issued
 * over another amount, under the number of another invoice of ours, or under something that is no number.
 */
export const invoiceDoubts = ['no_answer', 'other_amount', 'number_taken', 'bad_number'] as const;
export type InvoiceDoubt = (typeof invoiceDoubts)[number];

export const invoiceDetail = z.extend(invoice, {
  electricityTaxFen: fenField,
  /** In hundredths of a percent. */
  electricityRateBp: z.int(),
  serviceTaxFen: fenField,
  serviceRateBp: z.int(),
  address: z.string(),
  phone: shown.phone(),
  bank: z.string(),
  bankAccount: shown.card(),
  redReason: z.nullable(z.string()),
  /** Why the provider's last answer says nothing that can be taken. */
  doubt: z.nullable(z.enum(invoiceDoubts)),
  /** Why its document is not with the buyer, in the words of the mail server or the provider. */
  deliveryProblem: z.nullable(shown.email()),
  /** Of a red letter, those of the invoice that it takes back; of one over a part, what was refunded of them. */
  orders: z.array(
    z.object({
      orderId: idField<'order'>(),
      number: z.string(),
      siteName: z.string(),
      endedAt: z.nullable(instantField),
      energyWh: energyField,
      amountFen: fenField,
      electricityFen: fenField,
      serviceFen: fenField,
    }),
  ),
  /** The invoice that this one takes back, or its own red letters. */
  related: z.array(
    z.object({
      id: idField<'invoice'>(),
      number: z.string(),
      kind: z.enum(invoiceKinds),
      isPart: z.boolean(),
      amountFen: fenField,
      issuedAt: z.nullable(instantField),
      state: z.enum(invoiceStates),
      step: z.enum(invoiceSteps),
    }),
  ),
  timeline: z.array(
    z.object({
      at: instantField,
      event: z.enum(invoiceEvents),
      userName: z.nullable(z.string()),
      /** May name where a document was sent. */
      text: shown.email(),
    }),
  ),
});
export type InvoiceDetail = z.output<typeof invoiceDetail>;

export const listInvoices = listRoute({
  name: 'listInvoices',
  path: '/invoices',
  summary: 'Invoices and red letters',
  permission: 'invoice.read',
  sorts: ['appliedAt'],
  first: '-appliedAt',
  filters: {
    state: filter.choice(invoiceStates),
    number: filter.text(),
    nickname: filter.text(),
    phone: filter.phone(),
    title: filter.text(),
    from: filter.instant(),
    to: filter.instant(),
    attention: filter.choice(invoiceAttentions),
    kind: filter.choice(invoiceKinds),
    type: filter.choice(invoiceTypes),
    titleKind: filter.choice(titleKinds),
    agentId: filter.id('agent'),
    customerId: filter.id('customer'),
    orderId: filter.id('order'),
  },
  item: invoice,
  columns: columnsOf<Invoice>()({
    number: { kind: 'number', title: 'invoices.number' },
    state: { kind: 'choice', title: 'invoices.state', words: 'invoice-state' },
    step: { kind: 'choice', title: 'invoices.step', words: 'invoice-step' },
    nickname: {
      kind: 'text',
      title: 'invoices.nickname',
      absent: 'invoices.noHolder',
      of: ({ nickname, groupName }) => nickname ?? groupName,
    },
    customerPhone: { kind: 'number', title: 'invoices.phone' },
    orderCount: { kind: 'count', title: 'invoices.orderCount' },
    amountFen: { kind: 'money', title: 'invoices.amount', hint: 'invoices.amountHint', summed: true },
    title: { kind: 'text', title: 'invoices.header' },
    attention: { kind: 'choice', title: 'invoices.attention', words: 'invoice-attention' },
    netFen: { kind: 'money', title: 'invoices.net', summed: true },
    taxFen: { kind: 'money', title: 'invoices.tax', summed: true },
    electricityFen: { kind: 'money', title: 'invoices.electricity', summed: true },
    serviceFen: { kind: 'money', title: 'invoices.serviceFee', summed: true },
    reddenedFen: { kind: 'money', title: 'invoices.reddenedPart', summed: true },
    titleKind: { kind: 'choice', title: 'invoices.titleKind', words: 'invoice-title-kind' },
    taxNumber: { kind: 'number', title: 'invoices.taxNumber', of: ({ taxNumber }) => taxNumber || null },
    email: { kind: 'text', title: 'invoices.email', of: ({ email }) => email || null },
    kind: { kind: 'choice', title: 'invoices.kind', words: 'invoice-kind' },
    type: { kind: 'choice', title: 'invoices.type', words: 'invoice-type' },
    invoiceNumber: { kind: 'number', title: 'invoices.invoiceNumber' },
    appliedAt: { kind: 'instant', title: 'invoices.appliedAt' },
    issuedAt: { kind: 'instant', title: 'invoices.issuedAt' },
    remark: { kind: 'text', title: 'invoices.remark' },
    operatorName: { kind: 'text', title: 'invoices.operator' },
    rejectionReason: { kind: 'text', title: 'invoices.rejectionReason' },
    failure: { kind: 'text', title: 'invoices.failure' },
    agentName: { kind: 'text', title: 'invoices.seller', absent: 'invoices.platform' },
    delivery: { kind: 'choice', title: 'invoices.delivery', words: 'invoice-delivery' },
    externalCode: { kind: 'text', title: 'invoices.externalCode' },
    appliedByName: { kind: 'text', title: 'invoices.appliedBy', absent: 'invoices.byCustomer' },
  }),
});

const ofInvoice = { params: z.object({ id: idParameter<'invoice'>() }) };

export const getInvoice = route({
  method: 'GET',
  path: '/invoices/{id}',
  summary: 'One invoice with its orders and what happened to it',
  permission: 'invoice.read',
  ...ofInvoice,
  answer: invoiceDetail,
  errors: [],
});

export const getInvoiceDocument = route({
  method: 'GET',
  path: '/invoices/{id}/document',
  summary: 'The document of an invoice, a PDF',
  permission: 'invoice.read',
  ...ofInvoice,
  answer: z.unknown(),
  answerKind: 'file',
  errors: ['invoice.no_document'],
});

/** What a provider is called for; `token` is about no invoice. */
export const invoiceCallKinds = [
  'token',
  'issue',
  'query',
  'sign_again',
  'void',
  'red_letter',
  'query_red_letter',
  'document',
  'deliver',
] as const;
export type InvoiceCallKind = (typeof invoiceCallKinds)[number];
/** Calls that the page of an invoice shows, the latest. */
export const invoiceCallsShownMax = 50;

/** A call of the provider about an invoice, as it was kept: without keys, and with people masked for everybody. */
export const invoiceCall = z.object({
  id: idField<'invoice_call'>(),
  at: instantField,
  kind: z.enum(invoiceCallKinds),
  /** The request's number at the provider. */
  number: z.string(),
  /** The call's own name at the provider. */
  requestId: z.nullable(z.string()),
  outcome: z.enum(['answered', 'refused', 'unknown']),
  /** Of HTTP. */
  status: z.nullable(z.int()),
  problem: z.nullable(z.string()),
  tookMs: z.int(),
  request: z.string(),
  response: z.nullable(z.string()),
});
export type InvoiceCall = z.output<typeof invoiceCall>;

export const listInvoiceCalls = route({
  method: 'GET',
  path: '/invoices/{id}/provider-calls',
  summary: 'What was said with the provider about an invoice, the latest first; kept for 90 days',
  permission: 'log.read',
  ...ofInvoice,
  answer: z.object({ items: z.array(invoiceCall) }),
  errors: [],
});

export const invoiceTitle = z.object({
  id: idField<'invoice_title'>(),
  titleKind: z.enum(titleKinds),
  title: z.string(),
  taxNumber: taxNumberShown,
  address: z.string(),
  phone: shown.phone(),
  bank: z.string(),
  bankAccount: shown.card(),
  email: shown.email(),
  isDefault: z.boolean(),
});
export type InvoiceTitle = z.output<typeof invoiceTitle>;

/** Why an order cannot be invoiced. */
export const invoiceObstacles = [
  'invoice.site_unavailable',
  'invoice.order_not_settled',
  'invoice.order_owes',
  'invoice.order_nothing_paid',
  'invoice.order_invoiced',
] as const;
export type InvoiceObstacle = (typeof invoiceObstacles)[number];

/** What a registered user could have invoiced, so that a form can offer it. */
export const invoiceChoices = z.object({
  orders: z.array(
    z.object({
      orderId: idField<'order'>(),
      number: z.string(),
      siteName: z.string(),
      agentId: z.nullable(idField<'agent'>()),
      agentName: z.nullable(z.string()),
      endedAt: z.nullable(instantField),
      energyWh: energyField,
      /** What of it would be invoiced. */
      amountFen: fenField,
      obstacle: z.nullable(z.enum(invoiceObstacles)),
    }),
  ),
  titles: z.array(invoiceTitle),
  /** Who invoices over orders of the group are for; null for orders of a registered user. */
  groupHeader: z.nullable(
    z.object({
      title: z.string(),
      taxNumber: z.string(),
      address: z.string(),
      phone: shown.phone(),
      bank: z.string(),
      bankAccount: shown.card(),
      email: shown.email(),
    }),
  ),
});
export type InvoiceChoices = z.output<typeof invoiceChoices>;

export const getInvoiceChoices = route({
  method: 'GET',
  path: '/invoices/choices',
  summary: 'The settled orders of a registered user or a group with what of them can be invoiced, and their titles',
  permission: 'invoice.create',
  /** Exactly one of the two. */
  query: z.object({ customerId: filter.id('customer'), groupId: filter.id('group') }),
  answer: invoiceChoices,
  errors: [],
});

export const applicationErrors = [
  ...invoiceObstacles,
  'invoice.many_sellers',
  'invoice.many_payers',
  'invoice.type_not_allowed',
  'invoice.personal_special',
  'invoice.title_of_user',
] as const;

export const applicationBody = z.object({
  orderIds: z.array(idField<'order'>()).check(z.minLength(1), z.maxLength(invoiceOrdersMax)),
  ...titleFields,
  /** Ordinary if omitted. */
  type: z.optional(z.enum(invoiceTypes)),
  remark: z.optional(linesField(200, 0)),
  /**
   * Keeps the title for the registered user's next invoice: for the user, and for people of the platform who may edit
   * registered users.
   */
  savesTitle: z.optional(z.boolean()),
});

export const createInvoice = route({
  method: 'POST',
  path: '/invoices',
  summary: 'Apply for an invoice over settled orders of one payer and one seller',
  permission: 'invoice.create',
  body: applicationBody,
  answer: invoice,
  errors: applicationErrors,
  idempotency: 'required',
});

const decision = {
  decision: z.optional(z.enum(['pass', 'reject'])),
  /** Required to reject. */
  reason: z.optional(linesField(200, 0)),
};
const reviewErrors = [
  'invoice.decision_required',
  'invoice.not_waiting',
  'invoice.amount_changed',
  'invoice.seller_incomplete',
  'invoice.type_not_allowed',
  'invoice.reason_required',
] as const;

export const reviewInvoice = route({
  method: 'POST',
  path: '/invoices/{id}/reviews',
  summary: 'Pass an application, which has it issued, or reject it, which frees its orders',
  permission: 'invoice.review',
  ...ofInvoice,
  body: z.object(decision),
  answer: invoice,
  errors: reviewErrors,
  idempotency: 'required',
});

const many = { ids: z.array(idField<'invoice'>()).check(z.maxLength(invoicesAtOnceMax)) };

/** All or nothing: if one of them was decided in the meantime, none is changed. */
export const reviewInvoices = route({
  method: 'POST',
  path: '/invoices/reviews',
  summary: 'Pass or reject many applications',
  permission: 'invoice.review',
  body: z.object({ ...many, ...decision }),
  answer: z.object({ decided: z.int() }),
  errors: [...reviewErrors, 'invoice.none_selected'],
  idempotency: 'required',
});

const voidErrors = ['invoice.not_voidable', 'invoice.other_provider', 'invoice.partly_reddened'] as const;

export const voidInvoice = route({
  method: 'POST',
  path: '/invoices/{id}/voidings',
  summary:
    'Void an invoice: at once where nothing was issued, else through the provider. Gives up a refused red letter',
  permission: 'invoice.void',
  ...ofInvoice,
  body: z.object({ reason: z.optional(linesField(200, 0)) }),
  answer: invoice,
  errors: voidErrors,
  idempotency: 'required',
});

/** All or nothing. */
export const voidInvoices = route({
  method: 'POST',
  path: '/invoices/voidings',
  summary: 'Void many invoices',
  permission: 'invoice.void',
  body: z.object({ ...many, reason: z.optional(linesField(200, 0)) }),
  answer: z.object({ voided: z.int() }),
  errors: [...voidErrors, 'invoice.none_selected'],
  idempotency: 'required',
});

/** `rest`: all that stands of the invoice. `refunded`: what was refunded of its orders since. */
export const redLetterExtents = ['rest', 'refunded'] as const;

export const redLetterInvoice = route({
  method: 'POST',
  path: '/invoices/{id}/red-letters',
  summary:
    'Take an issued invoice back by a red letter: over all that stands of it, which frees its orders, or over what was refunded',
  permission: 'invoice.void',
  ...ofInvoice,
  body: z.object({
    /** The rest if omitted. */
    extent: z.optional(z.enum(redLetterExtents)),
    reason: linesField(200, 2),
  }),
  answer: invoice,
  errors: ['invoice.not_invoiced', 'invoice.other_provider', 'invoice.nothing_refunded'],
  idempotency: 'required',
});

export const retryInvoice = route({
  method: 'POST',
  path: '/invoices/{id}/retries',
  summary: 'Have an invoice issued again that the provider refused, or have it signed again',
  permission: 'invoice.review',
  ...ofInvoice,
  answer: invoice,
  errors: ['invoice.not_failed', 'invoice.amount_changed', 'invoice.seller_incomplete', 'invoice.other_provider'],
  idempotency: 'required',
});

export const resumeInvoice = route({
  method: 'POST',
  path: '/invoices/{id}/resumptions',
  summary: 'Say that the step at the provider is done, so that it is asked again at once',
  permission: 'invoice.review',
  ...ofInvoice,
  answer: invoice,
  errors: ['invoice.no_step'],
});

export const sendInvoice = route({
  method: 'POST',
  path: '/invoices/{id}/deliveries',
  summary: 'Have the document sent again: to an address, which becomes that of the invoice, or to the one that it has',
  permission: 'invoice.send',
  ...ofInvoice,
  body: z.object({ email: z.optional(emailField) }),
  answer: invoice,
  errors: ['invoice.not_invoiced', 'invoice.sent_often', 'invoice.sent_much'],
});

export const invoiceSeller = z.object({
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  /** Nobody has set it: the defaults hold. */
  isDefault: z.boolean(),
  name: z.string(),
  taxNumber: z.string(),
  address: z.string(),
  /** Printed on every invoice, so it is shown to all. */
  tel: z.string(),
  bank: z.string(),
  /** The same. */
  bankAccount: z.string(),
  drawer: z.string(),
  checker: z.string(),
  payee: z.string(),
  /** In hundredths of a percent. */
  electricityRateBp: z.int(),
  serviceRateBp: z.int(),
  electricityTaxCode: z.string(),
  serviceTaxCode: z.string(),
  allowed: z.enum(allowedTypes),
  terminal: z.string(),
});
export type InvoiceSeller = z.output<typeof invoiceSeller>;

export const getInvoiceSeller = route({
  method: 'GET',
  path: '/invoice-sellers',
  summary: 'What stands of a seller on its invoices: of the platform, of an agent, or of the caller’s own agent',
  permission: 'invoice.read',
  query: z.object({ agentId: z.optional(idParameter<'agent'>()) }),
  answer: invoiceSeller,
  errors: [],
});

const rateField = z.int().check(z.gte(0), z.lte(10_000));
const taxCodeField = z.optional(z.string().check(z.trim(), z.regex(/^\d{19}$/, 'tax_code')));

export const setInvoiceSeller = route({
  method: 'PUT',
  path: '/invoice-sellers',
  summary: 'Set what stands of a seller on its invoices, its rates of tax and what it issues; for the platform only',
  permission: 'invoice.settings',
  body: z.object({
    /** The platform if omitted. */
    agentId: z.optional(idField<'agent'>()),
    name: textField(100, 2),
    taxNumber: z.optional(taxNumberField),
    address: z.optional(textField(200, 0)),
    tel: z.optional(textField(20, 0)),
    bank: z.optional(textField(100, 0)),
    bankAccount: z.optional(textField(50, 0)),
    drawer: z.optional(textField(20, 0)),
    checker: z.optional(textField(20, 0)),
    payee: z.optional(textField(20, 0)),
    electricityRateBp: rateField,
    serviceRateBp: rateField,
    electricityTaxCode: taxCodeField,
    serviceTaxCode: taxCodeField,
    allowed: z.enum(allowedTypes),
    terminal: z.optional(textField(20, 0)),
  }),
  answer: invoiceSeller,
  errors: [],
});

/** The customers' own API has these. */
export const titleBody = z.object({ ...titleFields, isDefault: z.optional(z.boolean()) });
