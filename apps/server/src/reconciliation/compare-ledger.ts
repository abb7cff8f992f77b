import { type AccountKind, accountKinds, chart } from '@voltdeck/ledger/chart';
import { sql } from 'kysely';
import { type Comparison, type Day, instantSql } from './comparison.ts';

const prefixesOf = (isMeant: (kind: AccountKind) => boolean) =>
  accountKinds.filter(isMeant).map((kind) => chart[kind].prefix as string);
const isOwed = (kind: AccountKind) => kind.endsWith('receivable');
/** What payers have, whether free, held or frozen, paid or given. */
const wallets = prefixesOf((kind) => !chart[kind].mayBeNegative && !isOwed(kind));
const receivables = prefixesOf(isOwed);

/**
 * The orders that were settled on a day or for which money moved on it, with the books: what an order says was paid and
 * not refunded is what left its payer's wallet for it, and what it says is owed stands on the receivable account.
 */
export function compareLedger({ from, to }: Day): Comparison {
  return {
    counterpart: 'ledger',
    sides: sql`
    touched as materialized (
      select id from orders where settled_at >= ${instantSql(from)} and settled_at < ${instantSql(to)}
      union
      select order_id from ledger_transfers
       where created_at >= ${instantSql(from)} and created_at < ${instantSql(to)}
         and order_id is not null and reason <> 'order_shared'),
    moved as materialized (
      select t.order_id,
             sum(case when g.prefix = any(${wallets}::text[]) then p.amount_fen else 0 end
                 - case when r.prefix = any(${wallets}::text[]) then p.amount_fen else 0 end)::bigint as paid_fen,
             sum(case when g.prefix = any(${receivables}::text[]) then p.amount_fen else 0 end
                 - case when r.prefix = any(${receivables}::text[]) then p.amount_fen else 0 end)::bigint as owed_fen
        from touched join ledger_transfers t on t.order_id = touched.id and t.reason <> 'order_shared'
        join ledger_postings p on p.transfer_id = t.id
        join ledger_accounts g on g.id = p.from_account_id
        join ledger_accounts r on r.id = p.to_account_id
       group by t.order_id),
    met as materialized (
      select o.id, o.number, o.state, coalesce(o.settled_at, o.placed_at) as at, m.order_id is not null as is_booked,
             o.paid_fen - o.refunded_fen as our_fen, coalesce(m.paid_fen, 0) as their_fen,
             -- A charge of nobody known is owed by nobody in the books.
             case when o.card_id is null and o.customer_id is null then 0 else o.owed_fen end as our_owed,
             coalesce(m.owed_fen, 0) as their_owed
        from touched join orders o on o.id = touched.id left join moved m on m.order_id = o.id)`,
    found: sql`
      select 'order:' || id as key,
             case when our_fen <> 0 and not is_booked then 'ours_only'
                  when our_fen = 0 and our_owed = 0 then 'theirs_only' else 'amount_differs' end as kind,
             'order' as subject, null::bigint as payment_id, null::bigint as refund_id, null::bigint as payout_id,
             id as order_id, null::bigint as bill_line_id, number, null::text as third_party_number,
             case when our_fen <> their_fen then our_fen else -our_owed end as our_fen,
             case when our_fen <> their_fen then their_fen else -their_owed end as their_fen,
             null::bigint as our_wh, null::bigint as their_wh, at as our_at, null::timestamptz as their_at,
             null::date as other_day, 'check_books' as repair, false as settles
        from met where our_fen <> their_fen or our_owed <> their_owed`,
    sums: sql`
      select count(*)::int as our_count, coalesce(sum(our_fen), 0)::bigint as our_fen, 0::bigint as our_wh,
             count(*) filter (where is_booked)::int as their_count, coalesce(sum(their_fen), 0)::bigint as their_fen,
             0::bigint as their_wh, 0::bigint as fee_fen,
             (count(*) filter (where our_fen = their_fen and our_owed = their_owed))::int as matched_count
        from met`,
  };
}
