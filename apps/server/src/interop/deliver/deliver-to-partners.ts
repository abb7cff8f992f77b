import {
  answerOfConfirm,
  checkedDay,
  isCheckTime,
  notifyRetryDelayMs,
  orderRetryDelayMs,
  statusPushIntervalMs,
} from '@voltdeck/tcec102/conversation';
import type { Message } from '@voltdeck/tcec102/messages/all';
import { disputesOf } from '@voltdeck/tcec102/translate';
import type { PartnerId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs, secondMs, shanghaiDate } from '@voltdeck/units/instant';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { isDatabaseAway } from '../../database/is-database-away.ts';
import { findPartnerById, type Partner } from '../partner.ts';
import { type DeliveryKind, type DueDelivery, isOfState, type Told } from './delivery.ts';
import { messageOf } from './delivery-messages.ts';
import { callLimits, PartnerCaller, type PartnerLine } from './partner-caller.ts';

/** Partners that one node tells at the same time. */
const partnersAtOnce = 8;
/** How often due deliveries are looked for, and how long a partner's rate counts. */
const roundMs = secondMs;
/** How often a platform is told what a site draws: no rule that we know says it, so it is the usual five minutes. */
const powerIntervalMs = 5 * minuteMs;
/** A node that dies leaves its partner to another one after this: a call may be two, with a new token before each. */
const leaseMs = 5 * callLimits.timeoutMs;

/** Tells partners what happened, until the returned function is called and what is under way has ended. */
export function deliverToPartners(context: Context<'console'>): () => Promise<void> {
  const caller = new PartnerCaller(context);
  /** Partners that are being told: one that answers slowly delays no round. */
  const telling = new Set<Promise<unknown>>();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<unknown> = Promise.resolve();
  const failed = (error: unknown) => {
    if (!isDatabaseAway(error)) context.log.error({ err: error }, 'partners: a round of deliveries failed');
  };
  const run = async () => {
    try {
      await makeDue(context);
      for (const partner of await takePartners(context, partnersAtOnce - telling.size)) {
        const told = tellPartner(context, caller, partner)
          .catch(failed)
          .finally(() => telling.delete(told));
        telling.add(told);
      }
    } catch (error) {
      failed(error);
    }
    if (!isStopped) timer = setTimeout(start, roundMs);
  };
  const start = () => {
    round = run();
  };
  start();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await round;
    await Promise.all(telling);
  };
}

/**
 * One round, until everybody was told: what is due by the clock becomes a delivery, and each partner is told as much as
 * its rate allows. @returns how many deliveries were tried
 */
export async function deliverOnce(
  context: Context<'console'>,
  caller: PartnerCaller = new PartnerCaller(context),
): Promise<number> {
  await makeDue(context);
  const partners = await takePartners(context, partnersAtOnce);
  const told = await Promise.all(partners.map((partner) => tellPartner(context, caller, partner)));
  return told.reduce((sum, count) => sum + count, 0);
}

async function makeDue({ database, now }: Context<'console'>): Promise<void> {
  const at = now();
  const nextAt = instant(at + statusPushIntervalMs);
  await sql`
    with due as (
      update partner_charges set status_due_at = to_timestamp(${nextAt} / 1000.0)
       where id in (select id from partner_charges where status_due_at <= to_timestamp(${at} / 1000.0)
                     order by status_due_at limit 1000 for update skip locked)
      returning partner_id, order_id)
    insert into partner_deliveries (partner_id, kind, subject, order_id, next_at, created_at)
    select partner_id, 'charge_status', order_id::text, order_id, to_timestamp(${at} / 1000.0), to_timestamp(${at} / 1000.0)
      from due join partners on partners.id = due.partner_id
     where order_id is not null and partners.enabled and partners.pushing and 'charges' = any (partners.pushes)
    on conflict (partner_id, kind, subject) where state = 'pending' and ${isOfState}
      do nothing`.execute(database.db);
  await sql`
    with due as (
      update partner_sites o set power_due_at = to_timestamp(${instant(at + powerIntervalMs)} / 1000.0)
        from partners p
       where p.id = o.partner_id and p.role = 'supervision' and p.enabled and p.pushing and 'power' = any (p.pushes)
         and o.power_due_at <= to_timestamp(${at} / 1000.0)
      returning o.partner_id, o.site_id)
    insert into partner_deliveries (partner_id, kind, subject, site_id, next_at, created_at)
    select partner_id, 'power', site_id::text, site_id, to_timestamp(${at} / 1000.0), to_timestamp(${at} / 1000.0) from due
    on conflict (partner_id, kind, subject) where state = 'pending' and ${isOfState}
      do nothing`.execute(database.db);
  if (!isCheckTime(at)) return;
  const day = shanghaiDate(checkedDay(at).from);
  await sql`
    insert into partner_deliveries (partner_id, kind, subject, day, next_at, created_at)
    select id, 'order_check', ${day}, ${day}::date, to_timestamp(${at} / 1000.0), to_timestamp(${at} / 1000.0)
      from partners
     where enabled and pushing and 'checks' = any (pushes) and role in ('demand', 'both')
       -- Asked every second of the night: without this, each would use up an id.
       and not exists (select from partner_deliveries d
                        where d.partner_id = partners.id and d.kind = 'order_check' and d.subject = ${day})
    on conflict do nothing`.execute(database.db);
}

/** A partner that this node tells until the lease ends. */
type Taken = { id: PartnerId; leaseEndsAt: Instant };

/** Partners with something due that nobody is telling. */
async function takePartners({ database, now }: Context<'console'>, countMax: number): Promise<Taken[]> {
  const at = now();
  const leaseEndsAt = instant(at + leaseMs);
  const { rows } = await sql<{ id: PartnerId }>`
    update partners set delivery_ends_at = to_timestamp(${leaseEndsAt} / 1000.0)
     where id in (
       select p.id from partners p
        where p.enabled and p.pushing
          and (p.delivery_ends_at is null or p.delivery_ends_at <= to_timestamp(${at} / 1000.0))
          and exists (select from partner_deliveries d
                       where d.partner_id = p.id and d.state = 'pending' and d.next_at <= to_timestamp(${at} / 1000.0))
        -- By chance, so that a few that are away take no turn of the others for ever.
        order by random() limit ${countMax} for update of p skip locked)
    returning id`.execute(database.db);
  return rows.map(({ id }) => ({ id, leaseEndsAt }));
}

/** @returns how many deliveries were tried */
async function tellPartner(
  context: Context<'console'>,
  caller: PartnerCaller,
  { id, leaseEndsAt }: Taken,
): Promise<number> {
  const { db } = context.database;
  try {
    const partner = await findPartnerById(db, id);
    if (partner === null) return 0;
    const line = await caller.open(partner);
    const due = await takeDue(context, partner);
    // All have ended before the lease does, whatever became of one.
    const told = await Promise.allSettled(due.map((delivery) => tell(context, caller, line, delivery)));
    for (const one of told) if (one.status === 'rejected') throw one.reason;
    return due.length;
  } finally {
    await db
      .updateTable('partners')
      .set({ delivery_ends_at: null })
      .where('id', '=', id)
      .where('delivery_ends_at', '=', leaseEndsAt)
      .execute();
  }
}

/** What a partner takes in a round: states of gun ports after all else, the longest due first. */
async function takeDue({ database, now }: Context<'console'>, partner: Partner): Promise<DueDelivery[]> {
  const due = async (of: RawBuilder<boolean>, countMax: number) => {
    const { rows } = await sql<DueDelivery>`
      select id, version, kind, order_id as "orderId", connector_id as "connectorId", site_id as "siteId",
             day::text as day, tries
        from partner_deliveries
       where partner_id = ${partner.id} and state = 'pending' and ${of}
         and next_at <= to_timestamp(${now()} / 1000.0)
       order by next_at, id limit ${countMax}`.execute(database.db);
    return rows;
  };
  const first = await due(sql`kind <> 'status'`, partner.ratePerSecond);
  return [...first, ...(await due(sql`kind = 'status'`, partner.ratePerSecond - first.length))];
}

async function tell(
  context: Context<'console'>,
  caller: PartnerCaller,
  line: PartnerLine,
  delivery: DueDelivery,
): Promise<void> {
  const { db } = context.database;
  const { partner, ownCode } = line;
  let told: Awaited<ReturnType<typeof messageOf>>;
  try {
    told = await messageOf(db, partner, ownCode, delivery, context.now());
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    // It cannot be said now; a person reads why in the queue.
    context.log.error({ err: error, delivery: delivery.id }, 'partners: a delivery cannot be written');
    return retry(context, delivery, { httpStatus: null, ret: null, text: 'not_sayable' }, retryDelayMs(delivery));
  }
  if (told === null) return end(context, delivery, 'superseded', { httpStatus: null, ret: null, text: '' });
  const outcome = await caller.call(line, told.interfaceName, told.request);
  if (outcome.kind === 'answered') {
    if (!isOfAnother(told, outcome.answer)) return take(context, partner, delivery, outcome);
    const { httpStatus } = outcome;
    return retry(context, delivery, { httpStatus, ret: 0, text: 'StartChargeSeq differs' }, retryDelayMs(delivery));
  }
  const { httpStatus, ret, because, isRetried } = outcome;
  const delayMs = isRetried ? retryDelayMs(delivery) : null;
  return retry(context, delivery, { httpStatus, ret, text: because }, delayMs);
}

/** Whether the answer to a bill names another charge: it confirms neither. */
function isOfAnother({ interfaceName, request }: Told, answer: object): boolean {
  if (interfaceName !== 'notification_charge_order_info') return false;
  const [asked, given] = [request, answer] as { StartChargeSeq?: string }[];
  return asked?.StartChargeSeq !== given?.StartChargeSeq;
}

/** Tries again after a while, or gives up. */
async function retry(
  context: Context<'console'>,
  delivery: DueDelivery,
  answer: Ending,
  delayMs: number | null,
): Promise<void> {
  if (delayMs === null) return end(context, delivery, 'failed', answer);
  await context.database.db
    .updateTable('partner_deliveries')
    .set({
      tries: delivery.tries + 1,
      next_at: instant(context.now() + delayMs),
      http_status: answer.httpStatus,
      ret: answer.ret,
      answer: answer.text.slice(0, answerCharsMax),
    })
    .where('id', '=', delivery.id as never)
    .where('state', '=', 'pending')
    .execute();
}

const answerCharsMax = 1_000;

/** Money waits for bills and what compares them, so these have no last try. */
function retryDelayMs({ kind, tries }: DueDelivery): number | null {
  const isOfMoney: Partial<Record<DeliveryKind, true>> = { order: true, order_check: true };
  return isOfMoney[kind] === true ? orderRetryDelayMs(tries + 1) : notifyRetryDelayMs(tries + 1);
}

type Ending = { httpStatus: number | null; ret: number | null; text: string };

/** What became of the subject while it was being told is told next. */
async function end(
  { database, now }: Context<'console'>,
  { id, version }: DueDelivery,
  state: 'delivered' | 'failed' | 'superseded',
  { httpStatus, ret, text }: Ending,
): Promise<void> {
  const at = now();
  await sql`
    update partner_deliveries
       set state = case when version = ${version} then ${state} else state end,
           next_at = case when version = ${version} then null else to_timestamp(${at} / 1000.0) end,
           done_at = case when version = ${version} then to_timestamp(${at} / 1000.0) end,
           tries = case when version = ${version} then tries + 1 else 0 end,
           http_status = ${httpStatus}::integer, ret = ${ret}::integer, answer = ${text.slice(0, answerCharsMax)}
     where id = ${id} and state = 'pending'`.execute(database.db);
}

async function take(
  context: Context<'console'>,
  partner: Partner,
  delivery: DueDelivery,
  { answer, httpStatus }: { answer: object; httpStatus: number },
): Promise<void> {
  const ending = { httpStatus, ret: 0, text: JSON.stringify(answer) };
  if (delivery.kind === 'order' && partner.role !== 'supervision') await noteConfirmation(context, delivery, answer);
  if (delivery.kind === 'order_check') await noteDisputes(context, delivery, answer);
  await end(context, delivery, 'delivered', ending);
}

async function noteConfirmation({ database, now }: Context<'console'>, { orderId }: DueDelivery, answer: object) {
  const { ConfirmResult } = answer as Message<'notification_charge_order_info', 'answer'>;
  const confirmation = answerOfConfirm(ConfirmResult);
  if (confirmation === 'repeat' || orderId === null) return;
  await database.db
    .updateTable('partner_charges')
    .set({ confirmation, confirm_result: ConfirmResult, confirmed_at: now() })
    .where('order_id', '=', orderId)
    .execute();
}

/** Which orders of the day the partner disputes; the others are agreed. */
async function noteDisputes({ database, now }: Context<'console'>, { id, day }: DueDelivery, answer: object) {
  const disputes = disputesOf(answer as Message<'check_charge_orders', 'answer'>);
  const at = now();
  await sql`
    with named as (
      select sequence, reason from jsonb_to_recordset(${JSON.stringify(disputes)}::jsonb) as d (sequence text, reason text))
    update partner_charges p
       set checked_at = to_timestamp(${at} / 1000.0), dispute = (select reason from named where named.sequence = p.sequence limit 1)
      from orders o
     where o.id = p.order_id and p.partner_id = (select partner_id from partner_deliveries where id = ${id})
       and (o.ended_at at time zone 'Asia/Shanghai')::date = ${day}::date and o.state = 'completed'
       and p.created_at >= (${day}::date - 8)::timestamp at time zone 'Asia/Shanghai'`.execute(database.db);
}
