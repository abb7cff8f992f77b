import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';
import { sql } from 'kysely';
import { billListsPayouts } from '../channels/bill-lists-payouts.ts';
import type { Comparison, Day } from './comparison.ts';

/**
 * Our payments, refunds and payouts of a day with the lines of the channel's bill, by our numbers. A line that is there
 * twice matches once. What the bill of this day lacks is looked for in the bills of other days, and a line that none of
 * this day's records belongs to among the records of other days.
 */
export function compareChannel(channel: PaymentChannelName, { day }: Day): Comparison {
  return {
    counterpart: channel,
    sides: sql`
    ours as materialized (${oursOf(channel, day)}),
    lines as materialized (
      select id, line, kind, nullif(number, '') as number, third_party_number, amount_fen, fee_fen, at,
             row_number() over (partition by kind, nullif(number, '') order by line) as place
        from channel_bill_lines where channel = ${channel} and day = ${day}::date),
    firsts as (select * from lines where place = 1 and number is not null),
    met as materialized (
      select o.kind as our_kind, o.id as record_id, o.number as our_number, o.third_party_number as our_third,
             o.fen as our_fen, o.at as our_at,
             l.id as line_id, l.line, l.kind, l.number, l.third_party_number, l.amount_fen, l.at
        from ours o full join firsts l on l.kind = o.kind and l.number = o.number),
    strangers as (
      select line_id as id, line, kind, number, third_party_number, amount_fen, at from met where record_id is null
      union all
      select id, line, kind, number, third_party_number, amount_fen, at from lines where place > 1 or number is null)`,
    found: sql`
      select m.our_kind || ':' || m.our_number as key,
             case when m.line_id is not null then 'amount_differs' when other.day is null then 'ours_only' else 'late' end as kind,
             m.our_kind as subject,
             case m.our_kind when 'payment' then m.record_id end as payment_id,
             case m.our_kind when 'refund' then m.record_id end as refund_id,
             case m.our_kind when 'payout' then m.record_id end as payout_id,
             null::bigint as order_id, coalesce(m.line_id, other.id) as bill_line_id, m.our_number as number,
             coalesce(m.third_party_number, other.third_party_number, m.our_third) as third_party_number,
             m.our_fen, coalesce(m.amount_fen, other.amount_fen) as their_fen, null::bigint as our_wh,
             null::bigint as their_wh, m.our_at, coalesce(m.at, other.at) as their_at, other.day as other_day,
             case when m.line_id is not null then 'compare_amounts'
                  when other.day is null then 'ask_channel' else 'none' end as repair,
             other.day is not null as settles
        from met m
        left join lateral (
          select x.id, x.day, x.third_party_number, x.amount_fen, x.at from channel_bill_lines x
           where m.line_id is null and x.number = m.our_number and x.channel = ${channel} and x.kind = m.our_kind
             and x.day <> ${day}::date
           order by x.day, x.line limit 1) other on true
       where m.record_id is not null and (m.line_id is null or m.our_fen <> m.amount_fen)
      union all
      select 'line:' || l.line,
             case when earlier.day is not null then 'doubled' when record.booked_on is null then 'theirs_only'
                  when record.fen <> l.amount_fen then 'amount_differs' else 'late' end,
             l.kind,
             case l.kind when 'payment' then record.id end, case l.kind when 'refund' then record.id end,
             case l.kind when 'payout' then record.id end, null, l.id, l.number, l.third_party_number,
             case when record.booked_on is not null then record.fen end, l.amount_fen, null, null, record.at, l.at,
             case when earlier.day is not null then nullif(earlier.day, ${day}::date) else record.booked_on end,
             case when earlier.day is not null then
                    case when l.kind = 'payment' and earlier.third_party_number is distinct from l.third_party_number
                         then 'return_doubled' else 'ask_about_bill' end
                  when record.id is null then 'find_out'
                  when record.booked_on is null then 'ask_channel'
                  when record.fen <> l.amount_fen then 'compare_amounts'
                  when ended.by_person then 'ask_about_bill' else 'none' end,
             earlier.day is null and record.booked_on is not null and record.fen = l.amount_fen and not ended.by_person
        from strangers l
        left join lateral (
          select p.id, p.paid_fen as fen, p.paid_at as at, p.booked_on from channel_payments p
           where l.kind = 'payment' and p.number = l.number and p.channel = ${channel}
          union all
          select r.id, -r.amount_fen, r.ended_at, r.booked_on from channel_refunds r
            join channel_payments p on p.id = r.payment_id
           where l.kind = 'refund' and r.number = l.number and p.channel = ${channel}
          union all
          select o.id, -o.amount_fen, o.ended_at, o.booked_on from channel_payouts o
           where l.kind = 'payout' and o.number = l.number and o.channel = ${channel}) record on true
        -- The line that the record belongs to: that of its own day, else the first.
        left join lateral (
          select x.day, x.third_party_number from channel_bill_lines x
           where x.number = l.number and x.channel = ${channel} and x.kind = l.kind and x.id <> l.id
             and case when x.day = record.booked_on then true when record.booked_on = ${day}::date then
                      x.day = ${day}::date and x.line < l.line
                      else (x.day, x.line) < (${day}::date, l.line) end
           order by x.day is distinct from record.booked_on, x.day, x.line limit 1) earlier on true
        -- Somebody has dealt with it on the record's own day, so it must not end here unseen.
        cross join lateral (
          select exists (select 1 from reconciliation_differences d
                          where d.day = record.booked_on and d.counterpart = ${channel}
                            and d.key = l.kind || ':' || l.number and d.state = 'done') as by_person) ended`,
    sums: sql`
      select (select count(*) from ours)::int as our_count, (select coalesce(sum(fen), 0) from ours)::bigint as our_fen,
             0::bigint as our_wh, (select count(*) from lines)::int as their_count,
             (select coalesce(sum(amount_fen), 0) from lines)::bigint as their_fen, 0::bigint as their_wh,
             (select coalesce(sum(fee_fen), 0) from lines)::bigint as fee_fen,
             (select count(*) from met where record_id is not null and line_id is not null and our_fen = amount_fen)::int
               as matched_count`,
  };
}

/** Our side of a day, with money in above zero and money out below. */
export function oursOf(channel: PaymentChannelName, day: string) {
  const payouts = sql`
      union all
      select 'payout', id, number, third_party_number, -amount_fen, ended_at from channel_payouts
       where channel = ${channel} and booked_on = ${day}::date`;
  return sql`
      select 'payment' as kind, id, number, third_party_number, paid_fen as fen, paid_at as at from channel_payments
       where channel = ${channel} and booked_on = ${day}::date
      union all
      select 'refund', r.id, r.number, r.third_party_number, -r.amount_fen, r.ended_at
        from channel_refunds r join channel_payments p on p.id = r.payment_id
       where p.channel = ${channel} and r.booked_on = ${day}::date${billListsPayouts[channel] ? payouts : sql``}`;
}
