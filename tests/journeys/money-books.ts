import type { Database } from '@voltdeck/server/database/database';

/** What must hold of the books after every round, each a statement that finds what breaks it. */
const rules: Readonly<Record<string, string>> = {
  'all balances together are zero': `
    select sum(balance_fen)::bigint as sum from ledger_accounts having sum(balance_fen) <> 0`,
  'every balance is the sum of its postings': `
    select a.key, a.balance_fen, m.sum from ledger_accounts a
      left join (select account, sum(change)::bigint as sum from (
                   select to_account_id as account, amount_fen as change from ledger_postings
                   union all select from_account_id, -amount_fen from ledger_postings) each group by account) m
        on m.account = a.id
     where a.balance_fen <> coalesce(m.sum, 0)`,
  'no wallet, gift, held or frozen money is below zero': `
    select key, balance_fen from ledger_accounts where balance_fen < 0 and key ~ '^(card|customer|agent-prepaid|(agent|divider)-(balance|frozen))'`,
  'paid and gift money never meet': `
    select t.key, f.key as from_key, g.key as to_key from ledger_postings p
      join ledger_transfers t on t.id = p.transfer_id
      join ledger_accounts f on f.id = p.from_account_id
      join ledger_accounts g on g.id = p.to_account_id
     where (f.key ~ '-gift(-held)?:') <> (g.key ~ '-gift(-held)?:')
       and case when f.key ~ '-gift(-held)?:' then g.key else f.key end
           !~ '^(gift-expense$|electricity-income|service-income|receivable)'`,
  'no refund is above what its order paid, in either part': `
    select number, paid_fen, gift_paid_fen, refunded_fen, refunded_gift_fen from orders
     where refunded_fen > paid_fen or refunded_gift_fen > gift_paid_fen
        or refunded_fen - refunded_gift_fen > paid_fen - gift_paid_fen`,
  'an order that has a payer is paid, owed, forgiven, written off or discounted to the fen': `
    select number, amount_fen, paid_fen, owed_fen from orders
     where state = 'completed' and (card_id is not null or customer_id is not null) and payment_type <> 'none'
       and amount_fen <> paid_fen + owed_fen + forgiven_fen + written_off_fen + discount_fen`,
  'an order’s refunds are the sum of its rows': `
    select o.number from orders o
      left join (select order_id, sum(amount_fen) as sum from order_refunds
                  where state is distinct from 'failed' group by order_id) r on r.order_id = o.id
     where o.refunded_fen + o.forgiven_fen <> coalesce(r.sum, 0)`,
  'the shares of an order are what it received, to the fen': `
    select o.number, o.paid_fen - o.refunded_fen as received, s.sum as shared from orders o
      left join (select order_id, sum(amount_fen) as sum from order_shares group by order_id) s on s.order_id = o.id
     where o.paid_fen - o.refunded_fen <> coalesce(s.sum, 0)`,
  'what the books owe agents and dividers is the sum of their shares less what was paid out': `
    select a.key, a.sum as books, s.sum as shares, p.sum as paid_out from
      (select key, sum(balance_fen) as sum from ledger_accounts where key ~ '^(agent|divider)-share:' group by key) a
      full join (select party || '-share:' || coalesce(agent_id, divider_id) as key, sum(amount_fen) as sum
                   from order_shares where party <> 'platform' group by 1) s using (key)
      left join (select party || '-share:' || coalesce(agent_id, divider_id) as key, sum(paid_out_fen) as sum
                   from settlement_periods where state = 'paid_out' group by 1) p using (key)
     where coalesce(a.sum, 0) <> coalesce(s.sum, 0) - coalesce(p.sum, 0)`,
  'what the books owe agents and dividers, and what they were paid, is the sum of their shares': `
    select a.key, a.sum as books, s.sum as shares from
      (select key, sum(fen) as sum from (
         select regexp_replace(key, '-(share|balance|frozen):', ':') as key, balance_fen as fen from ledger_accounts
          where key ~ '^(agent|divider)-(share|balance|frozen):'
         union all select party || ':' || coalesce(agent_id, divider_id), amount_fen from agent_withdrawals
          where state in ('withdrawn', 'processed')) each group by key) a
      full join (select party || ':' || coalesce(agent_id, divider_id) as key, sum(amount_fen) as sum
                   from order_shares where party <> 'platform' group by 1) s using (key)
     where coalesce(a.sum, 0) <> coalesce(s.sum, 0)`,
  'a closed period is what its shares were, with the debt of the one before and what earlier ones could not pay out': `
    select p.id, p.shares_fen, s.sum, p.carried_in_fen, b.net_fen from settlement_periods p
      left join (select period_id, sum(amount_fen) as sum, count(distinct order_id) as orders
                   from order_shares group by period_id) s on s.period_id = p.id
      left join lateral (select net_fen from settlement_periods b
                          where b.agent_id is not distinct from p.agent_id and b.divider_id is not distinct from p.divider_id
                            and b.from_on < p.from_on order by b.from_on desc limit 1) b on true
     where p.state <> 'open' and (p.shares_fen <> coalesce(s.sum, 0) or p.orders <> coalesce(s.orders, 0)
                                  or p.carried_in_fen <> least(coalesce(b.net_fen, 0), 0)
                                     + (select coalesce(sum(r.net_fen - r.paid_out_fen), 0) from settlement_periods r
                                         where r.rest_period_id = p.id))`,
  'periods of a party follow one another, and none is closed before an earlier one': `
    select p.id, q.id from settlement_periods p
      join settlement_periods q on q.agent_id is not distinct from p.agent_id
                               and q.divider_id is not distinct from p.divider_id and q.id <> p.id
     where (p.from_on <= q.from_on and p.to_on >= q.from_on) or (p.from_on < q.from_on and p.state = 'open' and q.state <> 'open')`,
  'a period is paid out once, by what the books moved': `
    select p.id, p.paid_out_fen, t.times, t.sum from settlement_periods p
      left join (select split_part(key, ':', 2)::bigint as id, count(*) as times, sum(amount_fen) as sum
                   from ledger_transfers where reason = 'shares_paid_out' group by 1) t on t.id = p.id
     where coalesce(t.sum, 0) <> coalesce(p.paid_out_fen, 0)
        or coalesce(t.times, 0) > 1`,
  'commissions and channel fees in the books are the sum of their shares': `
    select a.key, a.sum as books, s.sum as shares from
      (select key, sum(balance_fen) as sum from ledger_accounts where key in ('commission', 'channel-fee') group by key) a
      full join (select replace(reason, '_', '-') as key, sum(amount_fen) as sum
                   from order_shares where reason in ('commission', 'channel_fee') group by 1) s using (key)
     where coalesce(a.sum, 0) <> coalesce(s.sum, 0)`,
  'no share is in a period of somebody else or of another day': `
    select s.id from order_shares s join settlement_periods p on p.id = s.period_id
     where s.party <> p.party or (s.agent_id, s.divider_id) is distinct from (p.agent_id, p.divider_id)
        or (s.created_at at time zone 'Asia/Shanghai')::date > p.to_on`,
  'held money is what open orders hold': `
    select coalesce(a.sum, 0) as accounts, coalesce(o.sum, 0) as orders from
      (select sum(balance_fen) as sum from ledger_accounts where key ~ '^(card|customer)(-gift)?-held:') a,
      (select sum(held_fen) as sum from orders where state in ('placed', 'charging', 'settling')) o
     where coalesce(a.sum, 0) <> coalesce(o.sum, 0)`,
  'debts are what orders owe': `
    select coalesce(a.sum, 0) as accounts, coalesce(o.sum, 0) as orders from
      (select -sum(balance_fen) as sum from ledger_accounts where key like 'receivable:%') a,
      (select sum(owed_fen) as sum from orders) o
     where coalesce(a.sum, 0) <> coalesce(o.sum, 0)`,
  'frozen money is what waits to be paid out': `
    select coalesce(a.sum, 0) as accounts, coalesce(w.sum, 0) + coalesce(r.sum, 0) as waiting from
      (select sum(balance_fen) as sum from ledger_accounts where key ~ '^(card|customer)-frozen:') a,
      (select sum(amount_fen) as sum from withdrawals where frozen) w,
      (select sum(amount_fen) as sum from recharge_refunds where state = 'processing') r
     where coalesce(a.sum, 0) <> coalesce(w.sum, 0) + coalesce(r.sum, 0)`,
  'frozen money of agents and dividers is what they wait to be paid, party by party': `
    select a.key, a.sum as accounts, w.sum as waiting from
      (select key, sum(balance_fen) as sum from ledger_accounts where key ~ '^(agent|divider)-frozen:' group by key) a
      full join (select party || '-frozen:' || coalesce(agent_id, divider_id) as key, sum(amount_fen) as sum
                   from agent_withdrawals where frozen group by 1) w using (key)
     where coalesce(a.sum, 0) <> coalesce(w.sum, 0)`,
  'a payment by code fills its wallet once, by what was paid': `
    select p.number, p.state, p.amount_fen, e.state as paid, r.amount_fen as recharged from channel_payments p
      left join embedded_payments e on e.number = p.number
      left join recharges r on r.id = p.recharge_id
     where (p.state = 'paid' and (e.state is distinct from 'paid'
                                  or (p.attention is null and r.amount_fen is distinct from p.amount_fen)))
        or (p.state <> 'paid' and p.recharge_id is not null)`,
  'the movements of a wallet add up to what its owner has, and the last one says so': `
    with each as (
      select case when card_id is null then 'customer' else 'card' end as kind, coalesce(card_id, customer_id) as owner,
             sum(paid_fen)::bigint as paid, sum(gift_fen)::bigint as gift,
             (array_agg(paid_after_fen order by id desc))[1] as paid_after,
             (array_agg(gift_after_fen order by id desc))[1] as gift_after
        from movements group by 1, 2),
    had as (
      select (regexp_match(key, '^(card|customer)'))[1] as kind, split_part(key, ':', 2)::bigint as owner,
             coalesce(sum(balance_fen) filter (where key !~ 'gift'), 0)::bigint as paid,
             coalesce(sum(balance_fen) filter (where key ~ 'gift'), 0)::bigint as gift
        from ledger_accounts where key ~ '^(card|customer)(-gift)?(-held)?:' group by 1, 2)
    select h.kind, h.owner, h.paid, e.paid as moved_paid, e.paid_after, h.gift, e.gift as moved_gift, e.gift_after
      from had h left join each e using (kind, owner)
     where (coalesce(e.paid, 0), coalesce(e.gift, 0)) <> (h.paid, h.gift)
        or (e.kind is not null and (e.paid_after, e.gift_after) <> (h.paid, h.gift))`,
};

/** Tables whose rows carry the key of the request that wrote them. */
const keyed: Readonly<Record<string, string>> = {
  recharges: 'remark',
  wallet_transfers: 'reason',
  wallet_gifts: 'reason',
  withdrawals: 'remark',
  order_refunds: 'reason',
  recharge_refunds: 'reason',
};

/** Everything that is wrong with the books now; empty when they are sound. */
export async function brokenRules(pool: Database['pool']): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {};
  for (const [rule, statement] of Object.entries(rules)) {
    const { rows } = await pool.query(statement);
    if (rows.length > 0) broken[rule] = rows.slice(0, 5);
  }
  for (const [table, column] of Object.entries(keyed)) {
    const { rows } = await pool.query(
      `select ${column} as key, count(*)::int as times from ${table}
        where ${column} like 'act-%' group by 1 having count(*) > 1`,
    );
    if (rows.length > 0) broken[`no key is applied twice in ${table}`] = rows.slice(0, 5);
  }
  return broken;
}

/** Payments and payouts whose outcome the channel knows and the books do not. */
export async function unknownOutcomes(pool: Database['pool']): Promise<unknown[]> {
  const { rows } = await pool.query(`
    select 'payout' as kind, number, state, attempts, next_try_at as next from channel_payouts where state = 'processing'
     union all
    select 'payment', p.number, p.state, p.looks, p.next_look_at from channel_payments p
      join embedded_payments e using (number) where e.state = 'paid' and p.state <> 'paid'`);
  return rows;
}

/** The keys whose effect is in the books. */
export async function appliedKeys(pool: Database['pool']): Promise<Set<string>> {
  const selects = Object.entries(keyed).map(
    ([table, column]) => `select ${column} as key from ${table} where ${column} like 'act-%'`,
  );
  const { rows } = await pool.query<{ key: string }>(selects.join(' union all '));
  return new Set(rows.map(({ key }) => key));
}
