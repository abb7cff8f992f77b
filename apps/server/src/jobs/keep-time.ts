import { dayMs, type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import { keptDays } from '../database/kept-days.ts';
import { readParameter } from '../database/parameter.ts';
import { readingsKept } from '../database/readings-kept.ts';
import type { Tables } from '../database/tables.generated.ts';
import { idempotencyKeptMs } from '../http/idempotency.ts';
import { keepCurves } from '../orders/keep-curves.ts';
import { countedTogetherMs } from '../second-person/ask-second-person.ts';
import { addPartitions, dropPartitions, type PartitionWork } from './partitions.ts';

/** Partitions reach back as far as offline stations deliver, and further ahead than a server is likely to be down. */
const partitioned = [
  { parent: 'readings', unit: 'week', backDays: 90, aheadDays: 14, days: keptDays.readings },
  { parent: 'charge_notes', unit: 'week', backDays: 1, aheadDays: 14, days: keptDays.readings },
  { parent: 'interaction_logs', unit: 'day', backDays: 1, aheadDays: 7, days: keptDays.interactionLogs },
  { parent: 'audit_entries', unit: 'week', backDays: 1, aheadDays: 14, days: keptDays.auditEntries },
  { parent: 'partner_exchanges', unit: 'day', backDays: 1, aheadDays: 7, days: keptDays.partnerExchanges },
] as const;

/** Rows that one statement deletes, and statements per table and run. */
const rowsDeletedAtOnce = 10_000;
const statementsMax = 100;

/** Creates missing partitions. What fails now is logged and left to a later run. */
export async function makeTimePartitions(db: Kysely<Tables>, now: Instant): Promise<PartitionWork> {
  const spans = partitioned.map(({ parent, unit, backDays, aheadDays }) => ({
    parent,
    unit,
    from: instant(now - backDays * dayMs),
    to: instant(now + aheadDays * dayMs),
  }));
  return addPartitions(db, spans);
}

/** Drops partitions past their retention. Those still being read are left to a later run. */
export async function dropOldPartitions(db: Kysely<Tables>, now: Instant): Promise<PartitionWork> {
  // What a partner that was away for so long would hear of charges that ended long ago. Bills are never given up.
  await sql`
    update partner_deliveries set state = 'superseded', next_at = null, done_at = to_timestamp(${now} / 1000.0)
     where id in (
      select id from partner_deliveries
       where state = 'pending' and kind not in ('order', 'order_check')
         and created_at < to_timestamp(${before(now, resultsToldDays)} / 1000.0)
       order by created_at limit ${rowsDeletedAtOnce * statementsMax})`.execute(db);
  const readingsDays = await readParameter(db, readingsKept);
  const beganAt = performance.now();
  const isOver = () => performance.now() - beganAt > curvesMs;
  return dropPartitions(
    db,
    partitioned.map(({ parent, days }) => ({
      parent,
      before: before(now, isReadings(parent) ? readingsDays : days),
      // An order keeps its curve when its readings go.
      ...(parent === 'readings' && { prepare: (partition: string) => keepCurves(db, partition, { now, isOver }) }),
    })),
  );
}

const isReadings = (parent: string) => parent === 'readings' || parent === 'charge_notes';

/** How long one run keeps curves; the next run continues. */
const curvesMs = 10 * minuteMs;

/** Results of starts and stops, and states, are told for as long. */
const resultsToldDays = 7;

/** Deletes the envelopes of partners that their time window keeps out by now. */
export async function forgetEnvelopes(db: Kysely<Tables>, now: Instant): Promise<void> {
  await db.deleteFrom('partner_envelopes').where('expires_at', '<', now).execute();
}

/** Deletes what is past its retention from tables without partitions, and from default partitions. */
export async function forgetOldRecords(db: Kysely<Tables>, now: Instant): Promise<void> {
  await deleteStrays(db, 'interaction_logs_stray', before(now, keptDays.interactionLogs));
  await deleteStrays(db, 'partner_exchanges_stray', before(now, keptDays.partnerExchanges));
  await sql`
    delete from partner_deliveries where id in (
      select id from partner_deliveries
       where created_at < to_timestamp(${before(now, keptDays.partnerDeliveries)} / 1000.0) and state <> 'pending'
       order by created_at limit ${rowsDeletedAtOnce * statementsMax})`.execute(db);
  const readingsDays = await readParameter(db, readingsKept);
  await deleteStrays(db, 'charge_notes_stray', before(now, readingsDays));
  await deleteStrays(db, 'readings_stray', before(now, readingsDays));
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', instant(now - idempotencyKeptMs))
    .execute();
  await db
    .deleteFrom('unapproved_acts')
    .where('at', '<', instant(now - countedTogetherMs))
    .execute();
  const sessionsBefore = before(now, keptDays.endedSessions);
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('ended_at', '<', sessionsBefore), eb('expires_at', '<', sessionsBefore)]))
    .execute();
  await db
    .deleteFrom('customer_sessions')
    .where((eb) => eb.or([eb('ended_at', '<', sessionsBefore), eb('expires_at', '<', sessionsBefore)]))
    .execute();
  // The bytes go with the sweep of unreferenced files (sweep-files.ts).
  await db
    .deleteFrom('files')
    .where('purpose', '=', 'task')
    .where('created_at', '<', before(now, keptDays.taskFiles))
    .execute();
  await db.deleteFrom('tasks').where('created_at', '<', before(now, keptDays.tasks)).execute();
  await deleteOldCurves(db, before(now, keptDays.orderCurves));
  await deleteOldTariffs(db, before(now, keptDays.stationTariffs));
  await deleteOldPlaces(db, before(now, keptDays.stationPlaces));
  await deleteOldPriceChanges(db, before(now, keptDays.priceChanges));
  await deleteOldPulls(db, before(now, keptDays.partnerPulls));
  await deleteRefusedPartnerCharges(db, before(now, keptDays.refusedPartnerCharges));
  await deleteOldCalls(db, now);
  await deleteOldAttempts(db, before(now, keptDays.startAttempts));
  await deleteOldReportRuns(db, before(now, keptDays.reportRuns));
  await deleteOldRebuilds(db, before(now, keptDays.saleRebuilds));
  await db.deleteFrom('ledger_proof_runs').where('began_at', '<', before(now, keptDays.proofRuns)).execute();
  await db.deleteFrom('power_samples').where('at', '<', before(now, keptDays.powerSamples)).execute();
  await db.deleteFrom('sign_ins').where('at', '<', before(now, keptDays.signIns)).execute();
  await db.deleteFrom('captchas').where('expires_at', '<', now).execute();
  await db.deleteFrom('sms_codes').where('sent_at', '<', before(now, keptDays.smsCodes)).execute();
  await db.deleteFrom('grid_bill_imports').where('created_at', '<', before(now, keptDays.stationImports)).execute();
  await db.deleteFrom('card_imports').where('created_at', '<', before(now, keptDays.stationImports)).execute();
  await db.deleteFrom('group_member_imports').where('created_at', '<', before(now, keptDays.stationImports)).execute();
  await db.deleteFrom('station_imports').where('created_at', '<', before(now, keptDays.stationImports)).execute();
  await db.deleteFrom('unknown_stations').where('last_seen_at', '<', before(now, keptDays.unknownStations)).execute();
  await db.deleteFrom('login_failures').where('last_failed_at', '<', before(now, keptDays.loginFailures)).execute();
}

/** What was said with payment channels and invoice providers; its payments, refunds, payouts and invoices stay. */
async function deleteOldCalls(db: Kysely<Tables>, now: Instant): Promise<void> {
  const old = (table: string, days: number, which = sql`true`) =>
    inStatements(() =>
      sql`
        delete from ${sql.table(table)} where id = any (array(
          select id from ${sql.table(table)} where at < ${at(before(now, days))} and ${which}
           order by at limit ${rowsDeletedAtOnce}))`.execute(db),
    );
  await old('channel_calls', keptDays.channelCalls);
  await old('invoice_calls', keptDays.invoiceCalls);
  await old('channel_notifications', keptDays.refusedNotifications, sql`nonce is null`);
  await old('channel_notifications', keptDays.channelNotifications);
}

/** Ids grow with time, so the first orders that are kept end the search. */
async function deleteOldCurves(db: Kysely<Tables>, beforeAt: Instant): Promise<void> {
  await inStatements(() =>
    sql`
      delete from order_curves c using orders o
       where c.order_id = any (array(select order_id from order_curves order by order_id limit ${rowsDeletedAtOnce}))
         and o.id = c.order_id and coalesce(o.ended_at, o.placed_at) < ${at(beforeAt)}`.execute(db),
  );
}

/** A rule stays as long as it was the last one before `beforeAt`: charges of that time are priced by it. */
async function deleteOldTariffs(db: Kysely<Tables>, beforeAt: Instant): Promise<void> {
  await inStatements(() =>
    sql`
      delete from station_tariffs where id = any (array(
        select h.id from station_tariffs h
         where h.from_at < ${at(beforeAt)}
           and exists (select 1 from station_tariffs n
                        where n.station_id = h.station_id and n.kind = h.kind
                          and n.from_at > h.from_at and n.from_at <= ${at(beforeAt)})
         limit ${rowsDeletedAtOnce}))`.execute(db),
  );
}

/** As with the rules, the last place before `beforeAt` stays. */
async function deleteOldPlaces(db: Kysely<Tables>, beforeAt: Instant): Promise<void> {
  await inStatements(() =>
    sql`
      delete from station_places where (station_id, from_at) in (
        select h.station_id, h.from_at from station_places h
         where h.from_at < ${at(beforeAt)}
           and exists (select 1 from station_places n
                        where n.station_id = h.station_id and n.from_at > h.from_at and n.from_at <= ${at(beforeAt)})
         limit ${rowsDeletedAtOnce})`.execute(db),
  );
}

/** With their stations, one change at a time: each may have thousands. */
async function deleteOldPriceChanges(db: Kysely<Tables>, beforeAt: Instant): Promise<void> {
  await inStatements(
    () =>
      sql`
      delete from price_changes where id = (
        select id from price_changes
         where state <> 'waiting' and effective_at < ${at(beforeAt)} order by effective_at limit 1)`.execute(db),
    1,
  );
}

/** Pulls that one statement deletes: each may have a thousand changes. */
const pullsAtOnce = 200;

/**
 * With their changes. The last of each kind and result of a partner stays: the next pull asks for what changed since,
 * and its page shows how it went.
 */
async function deleteOldPulls(db: Kysely<Tables>, beforeAt: Instant): Promise<void> {
  await inStatements(
    () =>
      sql`
      delete from partner_pulls where id = any (array(
        select p.id from partner_pulls p
         where p.started_at < ${at(beforeAt)}
           and exists (select 1 from partner_pulls n
                        where n.partner_id = p.partner_id and n.kind = p.kind and n.state = p.state
                          and (n.started_at, n.id) > (p.started_at, p.id))
         order by p.started_at limit ${pullsAtOnce}))`.execute(db),
    pullsAtOnce,
  );
}

/** A partner that asks under a fresh name each time has as many as it likes. */
async function deleteRefusedPartnerCharges(db: Kysely<Tables>, beforeAt: Instant): Promise<void> {
  await inStatements(() =>
    sql`
      delete from partner_charges where id = any (array(
        select id from partner_charges
         where refusal is not null and order_id is null and created_at < ${at(beforeAt)}
         order by created_at, id limit ${rowsDeletedAtOnce}))`.execute(db),
  );
}

/** Those that the sums do not hold yet stay. */
async function deleteOldAttempts(db: Kysely<Tables>, beforeAt: Instant): Promise<void> {
  await inStatements(() =>
    sql`
      delete from start_attempts where id = any (array(
        select id from start_attempts a
         where at < ${at(beforeAt)} and not exists (select from start_attempt_tail where attempt_id = a.id)
         order by at limit ${rowsDeletedAtOnce}))`.execute(db),
  );
  await inStatements(() =>
    sql`
      delete from port_faults where id = any (array(
        select id from port_faults where to_at < ${at(beforeAt)} order by to_at limit ${rowsDeletedAtOnce}))`.execute(
      db,
    ),
  );
}

/** With their mails. One that is still under way stays. */
async function deleteOldReportRuns(db: Kysely<Tables>, beforeAt: Instant): Promise<void> {
  await inStatements(() =>
    sql`
      delete from report_runs where id = any (array(
        select id from report_runs where due_at < ${at(beforeAt)} and next_at is null
         order by due_at limit ${rowsDeletedAtOnce}))`.execute(db),
  );
}

async function deleteOldRebuilds(db: Kysely<Tables>, beforeAt: Instant): Promise<void> {
  await inStatements(() =>
    sql`
      delete from sale_rebuilds where id = any (array(
        select id from sale_rebuilds where asked_at < ${at(beforeAt)} and done_at is not null
         order by asked_at limit ${rowsDeletedAtOnce}))`.execute(db),
  );
}

async function inStatements(
  next: () => Promise<{ numAffectedRows?: bigint }>,
  atOnce: number = rowsDeletedAtOnce,
): Promise<void> {
  for (let statement = 0; statement < statementsMax; statement += 1) {
    const { numAffectedRows } = await next();
    if ((numAffectedRows ?? 0n) < atOnce) return;
  }
}

async function deleteStrays(db: Kysely<Tables>, table: string, beforeAt: Instant): Promise<void> {
  await inStatements(() =>
    sql`
      delete from ${sql.table(table)} where ctid = any (array(
        select ctid from ${sql.table(table)} where at < ${at(beforeAt)} limit ${rowsDeletedAtOnce}))`.execute(db),
  );
}

function before(now: Instant, days: number): Instant {
  return instant(now - days * dayMs);
}

function at(time: Instant) {
  return sql`to_timestamp(${time} / 1000.0)`;
}
