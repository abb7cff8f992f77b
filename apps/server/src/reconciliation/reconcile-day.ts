import type { ApiError } from '@voltdeck/contract/errors';
import { isPaymentChannel, type PaymentChannelName, paymentChannels } from '@voltdeck/contract/payment-channels';
import type { Counterpart } from '@voltdeck/contract/reconciliation';
import { dayMs, type Instant, minuteMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { readParameter } from '../database/parameter.ts';
import { readingsKept } from '../database/readings-kept.ts';
import type { Tables } from '../database/tables.generated.ts';
import { type Trx, transact } from '../database/transact.ts';
import { compareChannel } from './compare-channel.ts';
import { compareLedger } from './compare-ledger.ts';
import { compareMeters } from './compare-meters.ts';
import { type Comparison, type Day, dayOf, instantSql } from './comparison.ts';
import { writeComparison } from './write-comparison.ts';

/** A day of a million orders takes longer than the other statements of people may. */
const statementMaxMs = 5 * minuteMs;

/** Compares a day that is over with each of its counterparts, or with those that are named. */
export async function reconcileDay(
  db: Kysely<Tables>,
  wanted: string,
  at: Instant,
  only?: readonly Counterpart[],
): Promise<Result<null, ApiError>> {
  const day = dayOf(wanted);
  if (day === null) return failed({ code: 'record.not_found' });
  if (day.to > at) return failed({ code: 'reconciliation.day_not_over', params: { day: wanted } });
  const run = async (of: Day, counterpart: Counterpart) =>
    transact(db, async (trx) => {
      const held = await holdDay(trx, of.day, 'shared', at);
      return held.ok ? ok(await compare(trx, of, counterpart, at)) : held;
    });
  for (const counterpart of only ?? (await counterpartsOf(db, day))) {
    const ran = await run(day, counterpart);
    if (!ran.ok) return ran;
    // What this day's bill has of other days ends there by itself. A sealed day stays as it is.
    for (const other of isPaymentChannel(counterpart) ? await otherDays(db, day, counterpart) : []) {
      const also = await run(other, counterpart);
      if (!also.ok && also.error.code !== 'reconciliation.sealed') return also;
    }
  }
  return ok(null);
}

/** Compares a day, which is held, with one counterpart. */
export async function compare(trx: Trx, day: Day, counterpart: Counterpart, at: Instant): Promise<void> {
  // What is no longer kept cannot be compared: every order would seem to lack its readings.
  if (counterpart === 'meters' && (await areReadingsGone(trx, day, at))) return;
  const comparison = await comparisonOf(trx, day, counterpart);
  if (comparison === null) return noteMissingBill(trx, day, counterpart, at);
  await writeComparison(trx, day, comparison, at);
}

/** Null while the channel's bill is missing. */
async function comparisonOf(trx: Trx, day: Day, counterpart: Counterpart): Promise<Comparison | null> {
  switch (counterpart) {
    case 'meters':
      return compareMeters(trx, day);
    case 'ledger':
      return compareLedger(day);
    default:
      return (await hasBill(trx, day.day, counterpart)) ? compareChannel(counterpart, day) : null;
  }
}

async function areReadingsGone(trx: Trx, { from }: Day, at: Instant): Promise<boolean> {
  return from < at - (await readParameter(trx, readingsKept)) * dayMs;
}

async function hasBill(trx: Trx, day: string, channel: PaymentChannelName): Promise<boolean> {
  const bill = await trx
    .selectFrom('channel_bills')
    .select('day')
    .where('channel', '=', channel)
    .where('day', '=', day)
    .where('failure', 'is', null)
    .executeTakeFirst();
  return bill !== undefined;
}

async function noteMissingBill(trx: Trx, { day }: Day, counterpart: Counterpart, at: Instant): Promise<void> {
  await sql`
    insert into reconciliations (day, counterpart, state, ran_at)
    values (${day}::date, ${counterpart}, 'waiting', ${instantSql(at)}) on conflict do nothing`.execute(trx);
}

/**
 * Locks a day: in common while it is compared, alone while it is sealed. A day without a row gets one. Sealed ones are
 * refused.
 */
export async function holdDay(
  trx: Trx,
  day: string,
  how: 'shared' | 'alone',
  at: Instant,
): Promise<Result<null, ApiError>> {
  await sql`select set_config('statement_timeout', ${`${statementMaxMs}`}, true)`.execute(trx);
  await sql`insert into reconciliation_days (day, created_at) values (${day}::date, ${instantSql(at)})
            on conflict do nothing`.execute(trx);
  const { rows } = await sql<{ sealed: boolean }>`
    select sealed_at is not null as sealed from reconciliation_days where day = ${day}::date
       ${how === 'alone' ? sql`for update` : sql`for share`}`.execute(trx);
  return rows[0]?.sealed === true ? failed({ code: 'reconciliation.sealed', params: { day } }) : ok(null);
}

/** What a day is compared with: the channels that were in use by then, the meters and the books. */
export async function counterpartsOf(db: Kysely<Tables>, { day, to }: Day): Promise<Counterpart[]> {
  const used: PaymentChannelName[] = [];
  for (const channel of paymentChannels) {
    const { rows } = await sql<{ used: boolean }>`
      select exists (select 1 from channel_bills where channel = ${channel} and day = ${day}::date)
          or coalesce((select created_at < ${instantSql(to)} from channel_payments
                        where channel = ${channel} order by id limit 1), false)
          or exists (select 1 from channel_payouts where channel = ${channel} and booked_on <= ${day}::date) as used`.execute(
      db,
    );
    if (rows[0]?.used === true) used.push(channel);
  }
  return [...used, 'meters', 'ledger'];
}

/** The unsealed days that the bill of a day has lines of. */
async function otherDays(db: Kysely<Tables>, { day }: Day, channel: PaymentChannelName): Promise<Day[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct d.other_day::text as day from reconciliation_differences d
      join reconciliations r on r.day = d.other_day and r.counterpart = d.counterpart
     where d.day = ${day}::date and d.counterpart = ${channel} and d.kind in ('late', 'amount_differs', 'doubled')
       and not is_day_sealed(d.other_day)
     order by 1`.execute(db);
  return rows.flatMap((row) => dayOf(row.day) ?? []);
}
