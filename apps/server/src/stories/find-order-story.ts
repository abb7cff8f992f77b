import {
  type Ability,
  canAcceptOrder,
  canCancelOrder,
  canDismissOrder,
  canRefundOrder,
  canSettleByHand,
  canStopOrder,
} from '@voltdeck/charging/abilities';
import { hasPayer } from '@voltdeck/charging/charge/charge';
import { offersSettlement } from '@voltdeck/charging/offers-settlement';
import { refundableFen } from '@voltdeck/charging/refundable';
import { isBadStop } from '@voltdeck/charging/start-attempt';
import type { NowSentence, Sentence } from '@voltdeck/charging/story/story-kinds';
import {
  isLongPause,
  tellChargingOffline,
  tellDoubt,
  tellLateBill,
  tellLateRelease,
  tellNoEnergy,
  tellRefund,
  tellUnread,
  troubleLimits,
} from '@voltdeck/charging/story/troubles';
import type { CreditMovement } from '@voltdeck/contract/credit';
import type { Invoice } from '@voltdeck/contract/invoices';
import type { OrderDetail } from '@voltdeck/contract/orders';
import type { Permission } from '@voltdeck/contract/permissions';
import type { Story, StoryAct, StoryLink } from '@voltdeck/contract/stories';
import type { OrderId } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, instant, minuteMs, parseIso, toIso } from '@voltdeck/units/instant';
import { may } from '../caller/may.ts';
import { creditMovementList } from '../credit/queries.ts';
import { invoiceList } from '../invoices/queries.ts';
import { type CurvePoint, readCurve } from '../orders/curve.ts';
import { findOrderDetail } from '../orders/queries.ts';
import { tellFrames } from './tell-frames.ts';
import { tellTransfer, transfersOf } from './tell-money.ts';
import { tellActs, tellApprovals } from './tell-people.ts';
import { type Listener, Telling } from './telling.ts';

/** Frames are told from a moment before the order until a moment after it, for at most so long. */
const marginMs = minuteMs;
const framesSpanMaxMs = 2 * dayMs;

/** The story of an order; null for one out of scope. */
export async function findOrderStory(listener: Listener, id: OrderId): Promise<Story | null> {
  const order = await findOrderDetail(listener.db, listener.caller, id);
  if (order === null) return null;
  const { now } = listener;
  const telling = new Telling(listener);
  const to = closedAt(order) ?? now;
  const begins = earliest(order);
  const frames = {
    from: instant(Math.max(begins - marginMs, to + marginMs - framesSpanMaxMs)),
    to: instant(Math.min(to + marginMs, now)),
  };
  tellTimeline(telling, order);
  tellMoney(telling, order);
  const whole = { from: toIso(instant(begins - marginMs)), to: toIso(now) };
  await tellConnection(telling, order);
  await tellFrames(telling, {
    ...frames,
    station: { id: order.stationId, number: order.stationNumber },
    only: {
      connectorNumber: order.connectorNumber,
      cardNumber: order.cardNumber,
      transactions: await namesOf(telling, order),
    },
    tellsFailures: false,
    charges: chargeOf(order, now),
  });
  const { points } = await readCurve(listener.db, id, now);
  tellReadings(telling, order, points);
  await tellInvoices(telling, id);
  await tellCredit(telling, order);
  await tellApprovals(telling, order.number, { kind: 'order', id }, whole);
  await tellActs(telling, { recordKind: 'order', recordId: id }, whole, actsOfTimeline);
  return {
    subject: { kind: 'order', id, name: order.number },
    from: toIso(begins),
    to: toIso(to),
    isShortened: begins - marginMs < frames.from,
    now: nowOf(order),
    acts: actsOn(telling, order, frames),
    ...telling.told(),
  };
}

/** What station and server call the charge. */
async function namesOf({ listener: { db } }: Telling, { id, transactionKey }: OrderDetail) {
  const { number } = await db
    .selectFrom('orders')
    .select('transaction_number as number')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return [number, transactionKey].filter((name) => name !== null);
}

const timeOf = (iso: string): Instant => instant(Date.parse(iso));
/** A station's clock, or a charge reported late, may begin before the order was written. */
const earliest = ({ placedAt, startedAt }: OrderDetail) =>
  instant(Math.min(Date.parse(placedAt), Date.parse(startedAt ?? placedAt)));

function closedAt(order: OrderDetail): Instant | null {
  const closed = order.steps.find(({ step }) => step === 'completed' || step === 'cancelled')?.at ?? null;
  return closed === null ? null : instant(Math.max(Date.parse(closed), Date.parse(order.endedAt ?? closed)));
}

function chargeOf({ startedAt, endedAt }: OrderDetail, now: Instant) {
  if (startedAt === null) return [];
  return [{ fromMs: Date.parse(startedAt), toMs: endedAt === null ? now : Date.parse(endedAt) }];
}

/** Audit entries of what the timeline tells. */
const actsOfTimeline = ['start', 'stop', 'cancel', 'settle', 'refund', 'accept', 'dismiss', 'assign_stop'].map(
  (act) => `order.${act}`,
);

/** What an order's own record says of it. Money and refunds are told from the books, flags from their rules. */
function tellTimeline(telling: Telling, order: OrderDetail): void {
  for (const { at, event, params } of order.timeline) {
    const eventAt = typeof params.at === 'string' ? (parseIso(params.at) ?? timeOf(at)) : timeOf(at);
    const isTrouble = event === 'ended' && isBadStop(text(params.reason));
    telling.tell(eventAt, eventSentence(event, params, order, at), { isTrouble });
    if (event === 'ended') {
      const late = tellLateBill({ endedAtMs: eventAt, heardAtMs: Date.parse(at) });
      telling.tell(at, late, { until: null });
    }
  }
  for (const { rule, at, handled } of order.flags) {
    telling.tell(at, { kind: 'flagged', params: { rule } });
    if (handled === null) continue;
    const { how, userName, reason } = handled;
    telling.tell(handled.at, { kind: 'flag_handled', params: { rule, how, userName, remark: reason } });
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const figure = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function eventSentence(
  event: string,
  params: Readonly<Record<string, unknown>>,
  order: OrderDetail,
  at: string,
): Sentence | null {
  const place = { stationName: order.stationName, connectorNumber: order.connectorNumber };
  const userName = text(params.userName);
  switch (event) {
    case 'placed': {
      const cardNumber = text(params.cardNumber) ?? order.cardNumber;
      return userName === null && cardNumber !== null
        ? { kind: 'placed_by_card', params: { ...place, cardNumber } }
        : { kind: 'placed', params: { ...place, userName } };
    }
    case 'start_refused': {
      const outcome = text(params.outcome) ?? 'failed';
      const waitedMs = Date.parse(at) - Date.parse(order.placedAt);
      if (outcome === 'not_begun') return { kind: 'never_began', params: { waitedMs } };
      return { kind: 'placement_failed', params: { outcome, waitedMs } };
    }
    case 'started': {
      const authorization = text(params.authorization) ?? 'accepted';
      const meterWh = figure(params.meterWh);
      return authorization === 'accepted'
        ? { kind: 'began', params: { ...place, meterWh } }
        : { kind: 'began_refused', params: { ...place, authorization } };
    }
    case 'stop_asked':
      return userName === null
        ? { kind: 'stop_asked_by_rule', params: { because: text(params.because) } }
        : { kind: 'stop_asked', params: { userName } };
    case 'ended':
      return { kind: 'ended', params: { stopReason: text(params.reason), energyWh: order.energyWh } };
    case 'settlement_waits':
      return params.because === 'person'
        ? { kind: 'waits_for_person', params: {} }
        : { kind: 'waits_for_stop', params: {} };
    case 'settled':
      return { kind: 'settled', params: { amountFen: figure(params.amountFen), energyWh: order.energyWh } };
    case 'settled_by_hand':
      return { kind: 'settled_by_hand', params: { amountFen: figure(params.amountFen), userName } };
    case 'cancelled':
      return { kind: 'cancelled', params: {} };
    case 'repayment_undone':
      return { kind: 'repayment_undone', params: { amountFen: figure(params.amountFen) } };
    case 'stop_assigned':
      return { kind: 'stop_assigned', params: { orderNumber: text(params.otherOrder) ?? text(params.orderNumber) } };
    default:
      return null;
  }
}

/** When energy came, paused and ended. Energy counts from the start of the charge. */
function tellReadings(telling: Telling, order: OrderDetail, points: readonly CurvePoint[]): void {
  if (order.startedAt === null) return;
  const beganAtMs = Date.parse(order.startedAt);
  const untilMs = order.endedAt === null ? telling.listener.now : Date.parse(order.endedAt);
  const first = points.find(({ energyWh, powerW }) => (energyWh ?? 0) > 0 || (powerW ?? 0) > 0);
  const last = points.findLast(({ energyWh }) => energyWh !== null);
  // A charge without readings that ended with energy was reported whole.
  if (points.length > 0 || order.energyWh === 0) {
    const before = first === undefined ? points : points.slice(0, points.indexOf(first));
    const lastZero = before.at(-1)?.at ?? order.startedAt;
    const withoutUntilMs = first === undefined ? untilMs : Date.parse(lastZero);
    const until = instant(withoutUntilMs);
    telling.tell(instant(beganAtMs), tellNoEnergy({ beganAtMs, withoutUntilMs }), { until });
  }
  if (first !== undefined) {
    const afterMs = Math.max(0, Date.parse(first.at) - beganAtMs);
    telling.tell(first.at, { kind: 'first_energy', params: { afterMs, powerW: first.powerW } });
  }
  for (const doubted of new Set(points.map(({ doubt }) => doubt))) {
    const point = points.find(({ doubt }) => doubt !== null && doubt === doubted);
    if (point?.doubt != null) telling.tell(point.at, tellDoubt(point.doubt, point.energyWh));
  }
  tellMissing(telling, points);
  const zero = powerEndOf(points);
  if (zero !== null && order.state !== 'placed') {
    telling.tell(zero.at, { kind: 'power_zero', params: { energyWh: zero.energyWh, socPercent: zero.socPercent } });
  }
  if (last !== undefined && last !== first && order.endedAt !== null) {
    const { energyWh, socPercent } = last;
    telling.tell(last.at, { kind: 'last_energy', params: { energyWh, socPercent } });
  }
  if (last !== undefined && order.state === 'completed') {
    const afterWh = Math.round(((last.powerW ?? 0) * Math.max(0, untilMs - Date.parse(last.at))) / hourMs);
    const bill = { billedWh: order.energyWh, readWh: last.energyWh ?? 0, afterWh };
    telling.tell(order.endedAt ?? last.at, tellUnread(bill));
  }
}

/** Pauses between readings, where no silence of the station tells them. */
function tellMissing(telling: Telling, points: readonly CurvePoint[]): void {
  const times = points.map(({ at }) => Date.parse(at));
  const pauses = times.slice(1).map((toMs, index) => ({ fromMs: times[index] ?? toMs, toMs }));
  const lengths = pauses.map(({ fromMs, toMs }) => toMs - fromMs).sort((one, other) => one - other);
  const usualMs = lengths[Math.floor(lengths.length / 2)] ?? null;
  for (const { fromMs, toMs } of pauses) {
    if (!isLongPause({ fromMs, toMs }, usualMs, troubleLimits.readingsMs) || telling.isSilent(fromMs, toMs)) continue;
    const until = instant(toMs);
    telling.tell(instant(fromMs), { kind: 'readings_missing', params: { forMs: toMs - fromMs } }, { until });
  }
}

/** Where the power fell to zero for the rest of the charge; null where it did not, or never rose. */
function powerEndOf(points: readonly CurvePoint[]): CurvePoint | null {
  const lastUnder = points.findLastIndex(({ powerW }) => powerW !== null && powerW > 0);
  if (lastUnder === -1) return null;
  return points.slice(lastUnder + 1).find(({ powerW }) => powerW === 0) ?? null;
}

function tellMoney(telling: Telling, order: OrderDetail): void {
  const payer = { cardNumber: order.cardNumber };
  let heldFen = 0;
  for (const transfer of transfersOf(order.postings)) {
    const sentence = tellTransfer(transfer, payer);
    telling.tell(transfer.at, sentence);
    if (sentence?.kind === 'held') heldFen = figure(sentence.params.amountFen) ?? 0;
    const isRelease = sentence?.kind === 'hold_released' || sentence?.kind === 'charged';
    if (!isRelease || heldFen === 0 || order.endedAt === null) continue;
    const amountFen = figure(sentence.params.releasedFen ?? sentence.params.amountFen) ?? 0;
    const hold = { endedAtMs: Date.parse(order.endedAt), releasedAtMs: Date.parse(transfer.at), amountFen };
    telling.tell(transfer.at, tellLateRelease(hold));
    heldFen = 0;
  }
  for (const { createdAt, state, amountFen, forgivenFen, reason, userName } of order.refunds) {
    const said = { userName, remark: reason };
    const paidBackFen = amountFen - forgivenFen;
    if (forgivenFen > 0)
      telling.tell(createdAt, { kind: 'debt_forgiven', params: { ...said, amountFen: forgivenFen } });
    const trouble = tellRefund(state, amountFen);
    if (trouble !== null) telling.tell(createdAt, trouble);
    else if (paidBackFen > 0)
      telling.tell(createdAt, { kind: 'refunded', params: { ...said, amountFen: paidBackFen } });
  }
}

/** Whether the station went or came during the charge, as far as its record keeps that: the latest times. */
async function tellConnection(telling: Telling, order: OrderDetail): Promise<void> {
  if (order.startedAt === null || !telling.hears('connection', 'log.read')) return;
  const { db, now } = telling.listener;
  const station = await db
    .selectFrom('stations')
    .select(['online', 'online_at', 'offline_at'])
    .where('id', '=', order.stationId)
    .executeTakeFirstOrThrow();
  const [from, to] = [Date.parse(order.startedAt), closedAt(order) ?? now];
  const isWithin = (at: Instant | null): at is Instant => at !== null && at >= from && at <= to;
  if (isWithin(station.offline_at)) {
    telling.tell(station.offline_at, { kind: 'went_offline', params: {} });
    const isOnline = station.online;
    telling.tell(station.offline_at, tellChargingOffline({ isCharging: order.state === 'charging', isOnline }));
  }
  if (isWithin(station.online_at)) telling.tell(station.online_at, { kind: 'came_online', params: {} });
}

async function tellInvoices(telling: Telling, orderId: OrderId): Promise<void> {
  for (const invoice of await telling.read<Invoice>('payment', invoiceList, { orderId })) {
    const link = { to: 'invoice', id: invoice.id } as const;
    const params = { number: invoice.number, amountFen: invoice.amountFen };
    telling.tell(invoice.appliedAt, { kind: 'invoice_applied', params }, { link });
    if (invoice.issuedAt !== null) telling.tell(invoice.issuedAt, { kind: 'invoice_issued', params }, { link });
    if (invoice.state === 'failed' || invoice.state === 'signing_failed') {
      telling.tell(invoice.appliedAt, { kind: 'invoice_failed', params }, { link });
    }
  }
}

async function tellCredit(telling: Telling, { customerId, number }: OrderDetail): Promise<void> {
  if (customerId === null) return;
  const filter = { customerId, orderNumber: number };
  for (const { createdAt, points, after } of await telling.read<CreditMovement>(
    'payment',
    creditMovementList,
    filter,
  )) {
    if (points !== 0) telling.tell(createdAt, { kind: 'credit_changed', params: { points, after } });
  }
}

function nowOf(order: OrderDetail): NowSentence[] {
  const now: NowSentence[] = [answerOf(order)];
  const isLive = order.state === 'placed' || order.state === 'charging' || order.state === 'settling';
  if (isLive && order.heldFen > 0) now.push({ kind: 'hold_on', params: { amountFen: order.heldFen } });
  if (order.waits.length > 0) now.push({ kind: 'waits_for_approval', params: { count: order.waits.length } });
  const open = order.flags.filter(({ handled }) => handled === null).length;
  if (open > 0) now.push({ kind: 'flags_open', params: { count: open } });
  const openFen = order.refunds.filter(({ state }) => tellRefund(state, 1) !== null);
  if (openFen.length > 0) {
    now.push({
      kind: 'refund_open',
      params: { amountFen: openFen.reduce((sum, { amountFen }) => sum + amountFen, 0) },
    });
  }
  if (order.state === 'settling' && !order.stationOnline) {
    now.push({ kind: 'offline', params: { stationName: order.stationName } });
  }
  return now;
}

/** The answer in one sentence. */
function answerOf(order: OrderDetail): NowSentence {
  const { energyWh, amountFen, paidFen, owedFen, refundedFen, stationName } = order;
  switch (order.state) {
    case 'placed':
      return { kind: 'waits_for_station', params: { stationName, sinceAt: order.placedAt } };
    case 'charging': {
      const isCut = tellChargingOffline({ isCharging: true, isOnline: order.stationOnline }) !== null;
      return { kind: isCut ? 'charging_offline' : 'charging', params: { stationName, energyWh, amountFen } };
    }
    case 'settling': {
      const params = { sinceAt: order.waitsSince, energyWh };
      if (order.waitsFor === 'person') return { kind: 'waits_for_person', params };
      return { kind: order.waitsFor === 'stop' ? 'waits_for_stop' : 'settling', params };
    }
    case 'cancelled':
      return { kind: 'cancelled', params: {} };
    case 'completed':
      switch (order.paymentState) {
        case 'unpaid':
        case 'partly_paid':
          return amountFen === 0
            ? { kind: 'free_of_charge', params: { energyWh } }
            : { kind: 'owes', params: { energyWh, amountFen, paidFen, owedFen } };
        case 'paid':
          return amountFen === 0
            ? { kind: 'free_of_charge', params: { energyWh } }
            : { kind: 'paid', params: { energyWh, amountFen, paidFen } };
        case 'refunded':
        case 'partly_refunded':
          return { kind: 'refunded', params: { energyWh, paidFen, refundedFen } };
        case 'written_off':
          return { kind: 'written_off', params: { energyWh, amountFen: order.writtenOffFen } };
      }
  }
}

/** What the order's own page offers, by the same abilities; what makes no sense in its state is left out. */
function actsOn(telling: Telling, order: OrderDetail, frames: { from: Instant; to: Instant }): Story['acts'] {
  const { caller, now } = telling.listener;
  const acts: Story['acts'] = [];
  const page: StoryLink = { to: 'order', id: order.id };
  const offer = (act: StoryAct, permission: Permission, isFor: boolean, ability: Ability, link: StoryLink = page) => {
    if (!isFor || !may(caller, permission)) return;
    acts.push({ act, because: ability.allowed ? null : ability.because, link });
  };
  const allowed: Ability = { allowed: true };
  const isRunning = order.state === 'charging' || order.state === 'settling';
  const reach: Ability = order.stationOnline ? allowed : { allowed: false, because: 'station.offline' };
  const stop = canStopOrder(order);
  const payable = { ...order, hasPayer: hasPayer(order) };
  const isOver = order.refundableUntil !== null && Date.parse(order.refundableUntil) < now;
  offer('accept', 'order.settle', order.unhandled, canAcceptOrder({ ...order, hasProposal: order.proposal !== null }));
  offer('stop', 'order.stop', isRunning, stop.allowed ? reach : stop);
  offer('cancel', 'order.stop', order.state === 'placed', canCancelOrder(order));
  offer('settle', 'order.settle', offersSettlement(order), canSettleByHand(order));
  offer('collect', 'recharge.create', order.owedFen > 0, allowed);
  const left: Ability = refundableFen(order) > 0 ? allowed : { allowed: false, because: 'order.nothing_to_refund' };
  const refund = canRefundOrder({ ...order, isPeriodOver: isOver });
  offer('refund', 'order.refund', order.state === 'completed', refund.allowed ? left : refund);
  const dismiss = canDismissOrder(payable);
  offer('dismiss', 'order.settle', dismiss.allowed, dismiss);
  offer('station', 'station.read', true, allowed, { to: 'station', id: order.stationId });
  const span = { from: toIso(frames.from), until: toIso(frames.to) };
  offer('log', 'log.read', true, allowed, { to: 'frames', stationNumber: order.stationNumber, ...span });
  return acts;
}
