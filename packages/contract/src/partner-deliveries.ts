import * as z from 'zod/mini';
import { filter, idField, instantField, shown } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** What a partner is told, in the order of a charge; `power` is for supervision platforms. */
export const deliveryKinds = [
  'status',
  'start_result',
  'charge_status',
  'stop_result',
  'order',
  'order_check',
  'station',
  'power',
] as const;
/** `superseded`: there was nothing to tell any more, or something newer was told. */
export const deliveryStates = ['pending', 'delivered', 'failed', 'superseded'] as const;
/** Deliveries of one act. */
export const deliveriesOfActMax = 1_000;

export const partnerDelivery = z.object({
  id: idField<'partner_delivery'>(),
  partnerId: idField<'partner'>(),
  partnerName: z.string(),
  kind: z.enum(deliveryKinds),
  /** What it is about: the number of an order or a gun port, the name of a site, a day. */
  subject: z.string(),
  orderId: z.nullable(idField<'order'>()),
  state: z.enum(deliveryStates),
  tries: z.int(),
  /** Null once nothing more is tried. */
  nextAt: z.nullable(instantField),
  httpStatus: z.nullable(z.int()),
  /** Of the last answer; null where none came that could be verified. */
  ret: z.nullable(z.int()),
  /** The last answer, or what was wrong on the way. */
  answer: shown.partnerText(),
  createdAt: instantField,
  doneAt: z.nullable(instantField),
});
export type PartnerDelivery = z.output<typeof partnerDelivery>;

export const listPartnerDeliveries = listRoute({
  name: 'listPartnerDeliveries',
  path: '/partner-deliveries',
  summary: 'What partners are still to be told, were told, and refused to hear',
  permission: 'partner_delivery.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    partnerId: filter.id('partner'),
    kind: filter.choice(deliveryKinds),
    state: filter.choice(deliveryStates),
    orderId: filter.id('order'),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: partnerDelivery,
  columns: columnsOf<PartnerDelivery>()({
    createdAt: { kind: 'instant', title: 'deliveries.createdAt' },
    partnerName: { kind: 'text', title: 'interop.partner' },
    kind: { kind: 'choice', title: 'deliveries.kind', words: 'delivery-kind' },
    subject: { kind: 'number', title: 'deliveries.subject' },
    state: { kind: 'choice', title: 'deliveries.state', words: 'delivery-state' },
    tries: { kind: 'count', title: 'deliveries.tries' },
    nextAt: { kind: 'instant', title: 'deliveries.nextAt' },
    ret: { kind: 'text', title: 'deliveries.ret', of: ({ ret }) => (ret === null ? null : String(ret)) },
    httpStatus: { kind: 'count', title: 'deliveries.httpStatus' },
    answer: { kind: 'text', title: 'deliveries.answer' },
    doneAt: { kind: 'instant', title: 'deliveries.doneAt' },
  }),
});

const selected = z.object({
  ids: z.array(idField<'partner_delivery'>()).check(z.minLength(1), z.maxLength(deliveriesOfActMax)),
});
const counted = z.object({
  /** How many it took effect on; the others were in that state already or are gone. */
  count: z.int(),
});

export const replayDeliveries = route({
  method: 'POST',
  path: '/partner-deliveries/replays',
  summary: 'Tell partners again, at once. Of a state only the present one is told',
  permission: 'partner_delivery.replay',
  body: selected,
  answer: counted,
  errors: [],
});

export const giveUpDeliveries = route({
  method: 'POST',
  path: '/partner-deliveries/give-ups',
  summary: 'Stop telling partners what is still pending',
  permission: 'partner_delivery.replay',
  body: selected,
  answer: counted,
  errors: [],
});

export const exchangeWays = ['in', 'out'] as const;

export const partnerExchange = z.object({
  id: idField<'partner_exchange'>(),
  at: instantField,
  /** Null for a caller that nobody knows. */
  partnerId: z.nullable(idField<'partner'>()),
  partnerName: z.nullable(z.string()),
  /** `in`: the partner called us. */
  direction: z.enum(exchangeWays),
  interfaceName: z.string(),
  /** The business texts, decrypted and without their secrets. */
  request: shown.partnerText(),
  answer: shown.partnerText(),
  httpStatus: z.nullable(z.int()),
  ret: z.nullable(z.int()),
  tookMs: z.int(),
  address: z.string(),
});
export type PartnerExchange = z.output<typeof partnerExchange>;

export const listPartnerExchanges = listRoute({
  name: 'listPartnerExchanges',
  path: '/partner-exchanges',
  summary: 'Every call to and from partners, decrypted',
  permission: 'partner.exchanges',
  sorts: ['at'],
  first: '-at',
  filters: {
    partnerId: filter.id('partner'),
    direction: filter.choice(exchangeWays),
    interfaceName: filter.text(),
    ret: filter.number(-1, 9_999),
    /** Whether Ret is anything but 0, or there was none. */
    failed: filter.flag(),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: partnerExchange,
  readsMuch: ['interfaceName', 'ret', 'failed', 'direction'],
  columns: columnsOf<PartnerExchange>()({
    at: { kind: 'exactInstant', title: 'exchanges.at' },
    partnerName: { kind: 'text', title: 'interop.partner', absent: 'exchanges.unknown' },
    direction: { kind: 'choice', title: 'exchanges.direction', words: 'exchange-way' },
    interfaceName: { kind: 'number', title: 'exchanges.interface' },
    ret: { kind: 'text', title: 'deliveries.ret', of: ({ ret }) => (ret === null ? null : String(ret)) },
    httpStatus: { kind: 'count', title: 'deliveries.httpStatus' },
    tookMs: { kind: 'count', title: 'exchanges.took' },
    address: { kind: 'number', title: 'exchanges.address' },
    request: { kind: 'text', title: 'exchanges.request' },
    answer: { kind: 'text', title: 'exchanges.answer' },
  }),
});
