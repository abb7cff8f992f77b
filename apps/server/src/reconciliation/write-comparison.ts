import type { Instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Trx } from '../database/transact.ts';
import { type Comparison, type Day, foundColumns, instantSql, sumColumns } from './comparison.ts';

const figures = ['kind', 'our_fen', 'their_fen', 'our_wh', 'their_wh', 'other_day', 'repair'] as const;
const tuple = (of: string) => sql.raw(`(${figures.map((name) => `${of}.${name}`).join(', ')})`);

/**
 * Compares a day and keeps what differs, in one statement. A difference that is already known keeps its state and who
 * took it; one whose figures changed is open again, and one that is gone has settled by itself. The same comparison
 * twice changes nothing.
 */
export async function writeComparison(trx: Trx, { day }: Day, comparison: Comparison, at: Instant): Promise<void> {
  const { counterpart, sides, found, sums } = comparison;
  const changed = sql`${tuple('d')} is distinct from ${tuple('excluded')}`;
  // The state after the run: kept by a person's work unless the figures moved under it.
  const state = sql`
    case when excluded.state = 'settled' then case when d.state = 'done' and not ${changed} then 'done' else 'settled' end
         when d.state = 'taken' then 'taken'
         when d.state = 'done' and not ${changed} then 'done'
         else 'open' end`;
  const stays = sql`d.state = 'done' and not ${changed}`;
  await sql`
    insert into reconciliations (day, counterpart, state, ran_at)
    values (${day}::date, ${counterpart}, 'differs', ${instantSql(at)}) on conflict do nothing`.execute(trx);
  // Runs of one comparison go one after the other.
  await sql`select 1 from reconciliations where day = ${day}::date and counterpart = ${counterpart} for update`.execute(
    trx,
  );
  await sql`
    with recursive ${sides},
    found (${foundColumns}) as materialized (${found}),
    written as (
      insert into reconciliation_differences as d (
        day, counterpart, key, kind, subject, payment_id, refund_id, payout_id, order_id, bill_line_id, number,
        third_party_number, our_fen, their_fen, our_wh, their_wh, our_at, their_at, other_day, repair, state, found_at,
        ended_at)
      select ${day}::date, ${counterpart}, key, kind, subject, payment_id, refund_id, payout_id, order_id, bill_line_id,
             number, third_party_number, our_fen, their_fen, our_wh, their_wh, our_at, their_at, other_day, repair,
             case when settles then 'settled' else 'open' end, ${instantSql(at)},
             case when settles then ${instantSql(at)} end
        from found
      on conflict on constraint reconciliation_differences_key do update
         set kind = excluded.kind, subject = excluded.subject, payment_id = excluded.payment_id,
             refund_id = excluded.refund_id, payout_id = excluded.payout_id, bill_line_id = excluded.bill_line_id,
             third_party_number = excluded.third_party_number, our_fen = excluded.our_fen,
             their_fen = excluded.their_fen, our_wh = excluded.our_wh, their_wh = excluded.their_wh,
             our_at = excluded.our_at, their_at = excluded.their_at, other_day = excluded.other_day,
             repair = excluded.repair, state = ${state},
             ended_at = case when ${stays} then d.ended_at when excluded.state = 'settled' then ${instantSql(at)} end,
             ended_by = case when ${stays} then d.ended_by end, outcome = case when ${stays} then d.outcome end,
             reason = case when ${stays} then d.reason end
       where ${changed} or d.state <> ${state}
      returning 1),
    gone as (
      update reconciliation_differences d set state = 'settled', ended_at = ${instantSql(at)}
       where d.day = ${day}::date and d.counterpart = ${counterpart} and d.state in ('open', 'taken')
         and not exists (select 1 from found f where f.key = d.key)
      returning 1),
    summed (${sumColumns}) as (${sums})
    update reconciliations r
       set ran_at = ${instantSql(at)}, our_count = s.our_count, our_fen = s.our_fen, our_wh = s.our_wh,
           their_count = s.their_count, their_fen = s.their_fen, their_wh = s.their_wh, fee_fen = s.fee_fen,
           matched_count = s.matched_count
      from summed s, (select count(*) from written) w, (select count(*) from gone) g
     where r.day = ${day}::date and r.counterpart = ${counterpart}`.execute(trx);
  await noteState(trx, day, counterpart);
}

/** A comparison agrees once nobody has anything left to do about it. */
export async function noteState(trx: Trx, day: string, counterpart: string): Promise<void> {
  await sql`
    update reconciliations r
       set state = case when exists (select 1 from reconciliation_differences d
                                      where d.day = r.day and d.counterpart = r.counterpart
                                        and d.state in ('open', 'taken'))
                        then 'differs' else 'agrees' end
     where r.day = ${day}::date and r.counterpart = ${counterpart}`.execute(trx);
}
