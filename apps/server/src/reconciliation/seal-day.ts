import { createHash } from 'node:crypto';
import type { ApiError } from '@voltdeck/contract/errors';
import { isPaymentChannel, paymentChannels } from '@voltdeck/contract/payment-channels';
import {
  billAwaitedDays,
  type Counterpart,
  type sealReconciliationDay as route,
} from '@voltdeck/contract/reconciliation';
import type { BodyOf } from '@voltdeck/contract/route';
import type { ReconciliationDayId } from '@voltdeck/units/id';
import {
  dayMs,
  type Instant,
  instant,
  minuteMs,
  parseShanghaiDate,
  shanghaiDate,
  toIso,
} from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { haveOneGiver, haveOnePhone } from '../second-person/deciders.ts';
import { ownDifferencesLimit, readLimit } from '../second-person/limits.ts';
import { oursOf } from './compare-channel.ts';
import { type Day, dayOf, instantSql } from './comparison.ts';
import { digestsOf } from './day-digests.ts';
import { isBillGivenUp } from './queries.ts';
import { compare, counterpartsOf, holdDay } from './reconcile-day.ts';

/** What began before the end of a day is mostly committed by then; what is not gets the next day. */
const settlingMs = 2 * minuteMs;

/**
 * Seals a day: it is compared once more, and nothing may be left to deal with. What is sealed is written down word for
 * word with the hash of the seal before it. A bill that is no longer looked for may be missing if the caller says why. Who
 * ended much of the day's differences with channels leaves the seal to somebody else. Payments that are found out about afterwards belong to the next open day.
 */
export async function sealDay(
  trx: Trx,
  caller: Caller,
  wanted: string,
  { missingBillReason }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<ReconciliationDayId, ApiError>> {
  const day = dayOf(wanted);
  if (day === null || caller.agents !== 'all') return failed({ code: 'record.not_found' });
  if (instant(day.to + settlingMs) > at)
    return failed({ code: 'reconciliation.day_not_over', params: { day: wanted } });
  const held = await holdDay(trx, wanted, 'alone', at);
  if (!held.ok) return held;
  const recorded = await countRecords(trx, day);
  const counterparts = await counterpartsOf(trx, day);
  for (const counterpart of counterparts) await compare(trx, day, counterpart, at);
  const missing = await missingBills(trx, day);
  const refusal = await whyNot(trx, caller, wanted, { missing, missingBillReason }, at);
  if (refusal !== null) return failed(refusal);
  const withoutBills = missing.length === 0 ? null : { counterparts: missing, reason: missingBillReason ?? '' };
  const digests = await digestsOf(trx, day, counterparts);
  const kept = await keptText(trx, wanted);
  // From here on no payment, order or transfer gets this day. One that got it since the comparison would be sealed unseen.
  await sql`select pg_advisory_xact_lock(reconciliation_lock())`.execute(trx);
  if (!(await isAsCompared(trx, day, counterparts)) || (await countRecords(trx, day)) !== recorded) {
    return failed({ code: 'reconciliation.changed_meanwhile', params: { day: wanted } });
  }
  const before = await lastSeal(trx);
  const text = JSON.stringify({
    day: wanted,
    sealedAt: toIso(at),
    sealedBy: caller.userId,
    before: before?.hash ?? null,
    ...(withoutBills === null ? {} : { withoutBills }),
    kept,
    digests,
  });
  const hash = hashOf(text);
  const { id } = await trx
    .updateTable('reconciliation_days')
    .set({
      sealed_at: at,
      sealed_by: caller.userId,
      sealed_text: text,
      sealed_hash: hash,
      seal_number: (before?.number ?? 0) + 1,
      missing_bill_reason: withoutBills?.reason ?? null,
    })
    .where('day', '=', wanted)
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(trx, caller, at, {
    action: 'reconciliation.seal',
    recordKind: 'reconciliation_day',
    recordId: id,
    after: { day: wanted, hash, ...(withoutBills === null ? {} : { withoutBills }) },
  });
  return ok(id);
}

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** The channels whose bill of a day is missing. Their side has nothing; ours is noted as it is. */
async function missingBills(trx: Trx, { day }: Day): Promise<Counterpart[]> {
  const waiting = await trx
    .selectFrom('reconciliations')
    .select('counterpart')
    .where('day', '=', day)
    .where('state', '=', 'waiting')
    .orderBy('counterpart')
    .execute();
  for (const { counterpart } of waiting) {
    if (!isPaymentChannel(counterpart)) continue;
    await sql`
      update reconciliations r set our_count = o.count, our_fen = o.fen
        from (select count(*) as count, coalesce(sum(fen), 0)::bigint as fen from (${oursOf(counterpart, day)}) o) o
       where r.day = ${day}::date and r.counterpart = ${counterpart}`.execute(trx);
  }
  return waiting.map(({ counterpart }) => counterpart);
}

async function whyNot(
  trx: Trx,
  caller: Caller,
  day: string,
  { missing, missingBillReason }: { missing: readonly Counterpart[]; missingBillReason: string | undefined },
  at: Instant,
): Promise<ApiError | null> {
  if (missing.length > 0 && missingBillReason === undefined) {
    return { code: 'reconciliation.bill_missing', params: { day, days: billAwaitedDays } };
  }
  if (missing.length > 0 && !isBillGivenUp(day, at)) {
    const until = shanghaiDate(instant((parseShanghaiDate(day) ?? at) + billAwaitedDays * dayMs));
    return { code: 'reconciliation.bill_awaited', params: { day, until } };
  }
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from reconciliation_differences
     where day = ${day}::date and state in ('open', 'taken')`.execute(trx);
  const { open = 0 } = rows[0] ?? {};
  if (open > 0) return { code: 'reconciliation.open_differences', params: { day, count: open } };
  return (await endedMuch(trx, caller, day)) ? { code: 'reconciliation.own_differences', params: { day } } : null;
}

/** Whether the caller, or who counts as one person with them, ended more with channels than may be sealed alone. */
async function endedMuch(trx: Trx, { userId }: Caller, day: string): Promise<boolean> {
  const limit = await readLimit(trx, ownDifferencesLimit);
  if (limit === 'off') return false;
  const [own, other] = [sql`${userId}::bigint`, sql.ref('d.ended_by')];
  const { rows } = await sql<{ much: boolean }>`
    select count(*) > 0 and coalesce(sum(
             case d.kind when 'amount_differs' then abs(d.our_fen - d.their_fen)
                         else greatest(abs(d.our_fen), abs(d.their_fen)) end), 0) > ${limit} as much
      from reconciliation_differences d
     where d.day = ${day}::date and d.state = 'done' and d.counterpart = any(${[...paymentChannels]})
       and (d.ended_by = ${own} or ${haveOnePhone(own, other)} or ${haveOneGiver(own, other, sql.ref('d.ended_at'))})`.execute(
    trx,
  );
  return rows[0]?.much === true;
}

/** Counts and sums of each side, and every difference with how it ended, as they stand. */
export async function keptText(db: Kysely<Tables>, day: string): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select json_build_object(
             'sides', (select json_agg(json_build_array(counterpart, state, our_count, our_fen, our_wh, their_count,
                                         their_fen, their_wh, fee_fen, matched_count) order by counterpart)
                         from reconciliations where day = ${day}::date),
             'differences', (select count(*) from reconciliation_differences where day = ${day}::date),
             'differencesHash', (
               select encode(sha256(convert_to(coalesce(string_agg(concat_ws('|', id, counterpart, key, kind, number,
                        third_party_number, our_fen, their_fen, our_wh, their_wh, other_day, repair, state,
                        extract(epoch from found_at), taken_by, extract(epoch from taken_at), ended_by,
                        extract(epoch from ended_at), outcome, reason), chr(10) order by id), ''), 'UTF8')), 'hex')
                 from reconciliation_differences where day = ${day}::date))::text as text`.execute(db);
  return rows[0]?.text ?? '';
}

/** How many orders and transfers a day has. They get their day once, by trigger, and none leaves it. */
async function countRecords(trx: Trx, { from, to }: Day): Promise<number> {
  const [begin, end] = [instantSql(from), instantSql(to)];
  const { rows } = await sql<{ records: number }>`
    select ((select count(*) from orders where settled_at >= ${begin} and settled_at < ${end})
            + (select count(*) from ledger_transfers where created_at >= ${begin} and created_at < ${end}))::int
             as records`.execute(trx);
  return rows[0]?.records ?? 0;
}

/** Whether our side of the channels still has what was compared. */
async function isAsCompared(trx: Trx, { day }: Day, counterparts: readonly Counterpart[]): Promise<boolean> {
  for (const counterpart of counterparts) {
    if (!isPaymentChannel(counterpart)) continue;
    const { rows } = await sql<{ same: boolean }>`
      select (select (count(*), coalesce(sum(fen), 0)::bigint) = (r.our_count::bigint, r.our_fen)
                from (${oursOf(counterpart, day)}) o) as same
        from reconciliations r where r.day = ${day}::date and r.counterpart = ${counterpart}`.execute(trx);
    if (rows[0]?.same !== true) return false;
  }
  return true;
}

async function lastSeal(trx: Trx): Promise<{ hash: string; number: number } | null> {
  const last = await trx
    .selectFrom('reconciliation_days')
    .select(['sealed_hash as hash', 'seal_number as number'])
    .where('seal_number', 'is not', null)
    .orderBy('seal_number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last === undefined || last.hash === null || last.number === null
    ? null
    : { hash: last.hash, number: last.number };
}
