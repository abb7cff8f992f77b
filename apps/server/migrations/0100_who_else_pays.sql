-- A charge may be paid by the balance of a group, by the pot that a group filled for one of its members, or by what
-- another operator deposited.
alter table orders
  add column group_id bigint,
  add column group_member_id bigint,
  add column partner_id bigint,
  drop constraint orders_payment_type_check,
  add constraint orders_payment_type_check
    check (payment_type in ('card', 'online', 'group', 'member', 'partner', 'none')),
  -- A pot belongs to a member of a group, and whoever charges at a group's expense is its member.
  add constraint orders_group check (
    (group_id is null) = (group_member_id is null) and (group_id is null) = (payment_type not in ('group', 'member'))),
  add constraint orders_partner check ((partner_id is null) = (payment_type <> 'partner')),
  drop column owed_fen;
alter table orders add column owed_fen bigint not null generated always as (
  case when state = 'completed'
        and (payment_type in ('group', 'member', 'partner')
             or case payment_type when 'card' then card_id else customer_id end is not null)
       then amount_fen - discount_fen - paid_fen - forgiven_fen - written_off_fen else 0 end) stored;
alter table orders add constraint orders_owed check (owed_fen >= 0);
create index orders_owed_by_card on orders (card_id, settled_at, id) where owed_fen > 0 and payment_type = 'card';
create index orders_owed_by_customer on orders (customer_id, settled_at, id)
  where owed_fen > 0 and payment_type = 'online';
create index orders_owed_by_group on orders (group_id, settled_at, id) where owed_fen > 0 and payment_type = 'group';
create index orders_owed_by_member on orders (group_member_id, settled_at, id)
  where owed_fen > 0 and payment_type = 'member';
create index orders_owed_by_partner on orders (partner_id, settled_at, id)
  where owed_fen > 0 and payment_type = 'partner';
create index orders_owed_since on orders (settled_at desc, id desc) where owed_fen > 0;
create index orders_owed_since_agent on orders (agent_id, settled_at desc, id desc) where owed_fen > 0;
create index orders_owed_most on orders (owed_fen desc, id desc) where owed_fen > 0;
create index orders_owed_most_agent on orders (agent_id, owed_fen desc, id desc) where owed_fen > 0;
create index orders_running_of_group on orders (group_id) where state in ('placed', 'charging') and group_id is not null;
create index orders_running_of_partner on orders (partner_id)
  where state in ('placed', 'charging') and partner_id is not null;

alter table recharges
  add column group_id bigint,
  add column partner_id bigint,
  drop constraint recharges_target,
  add constraint recharges_target check (num_nonnulls(card_id, customer_id, group_id, partner_id) = 1);

alter table movements
  add column group_id bigint,
  add column member_id bigint,
  add column partner_id bigint,
  drop constraint movements_wallet,
  add constraint movements_wallet check (num_nonnulls(card_id, customer_id, group_id, member_id, partner_id) = 1);
create index movements_group on movements (group_id, created_at desc, id desc) where group_id is not null;
create index movements_member on movements (member_id, created_at desc, id desc) where member_id is not null;
create index movements_partner on movements (partner_id, created_at desc, id desc) where partner_id is not null;

-- Whether an account is a part of somebody's wallet; debts have prefixes of their own.
create function is_wallet_prefix(prefix text) returns boolean language sql immutable parallel safe as $$
  select prefix ~ '^(card|customer|group|member|partner)(-|$)'
$$;

-- As in 0064, for the wallets of groups, members and partners as well.
create or replace function post_transfer(
  transfer_key text, transfer_reason text, transfer_order_id bigint, posted_at timestamptz,
  from_keys text[], to_keys text[], amounts bigint[], keys_below_zero text[], shared_keys text[] default '{}',
  moves jsonb default null
) returns boolean language plpgsql as $$
declare
  new_id bigint;
  all_keys text[] := from_keys || to_keys;
  wallet_keys text[] := '{}';
  keys text[];
  ids bigint[];
begin
  insert into ledger_transfers (key, reason, order_id, created_at, amount_fen)
    values (transfer_key, transfer_reason, transfer_order_id, posted_at,
            (select coalesce(sum(amount), 0) from unnest(amounts) as amount))
    on conflict (key) do nothing returning id into new_id;
  if new_id is null then
    return false;
  end if;
  if moves is not null then
    wallet_keys := array(select (m ->> 'wallet') || part || ':' || (m ->> 'owner')
                           from jsonb_array_elements(moves) m cross join unnest(array['', '-held', '-gift', '-gift-held']) part);
  end if;
  for attempt in 1..2 loop
    select coalesce(array_agg(id), '{}'), coalesce(array_agg(key), '{}') into ids, keys from (
      select id, key from (
        select id, key from ledger_accounts
         where key = any (all_keys || wallet_keys) and key <> all (shared_keys) order by id for no key update) own
      union all
      select free.id, free.key from unnest(shared_keys) as k cross join lateral (
        select id, key from ledger_accounts where key = k limit 1 for no key update skip locked) free) locked;
    exit when keys @> all_keys;
    -- What has no row yet, or none that is free, gets one and is locked with the others.
    insert into ledger_accounts (key, may_go_below_zero)
      select distinct k, k = any (keys_below_zero) from unnest(all_keys) as k
       where k <> all (shared_keys) and k <> all (keys) order by k
      on conflict do nothing;
    insert into ledger_accounts (key, shard, may_go_below_zero)
      select k, nextval('ledger_shards'), true from unnest(shared_keys) as k where k <> all (keys);
  end loop;
  with posted as (
    insert into ledger_postings (transfer_id, line, from_account_id, to_account_id, amount_fen)
      select new_id, line, ids[array_position(keys, from_key)], ids[array_position(keys, to_key)], amount
        from unnest(from_keys, to_keys, amounts) with ordinality as p (from_key, to_key, amount, line))
  update ledger_accounts a
     set balance_fen = a.balance_fen
           + (select coalesce(sum(amount) filter (where to_key = a.key), 0)
                     - coalesce(sum(amount) filter (where from_key = a.key), 0)
                from unnest(from_keys, to_keys, amounts) as p (from_key, to_key, amount))
   where a.id = any (ids) and a.key = any (all_keys);
  if moves is not null then
    insert into movements (transfer_id, number, type, card_id, customer_id, group_id, member_id, partner_id, agent_id,
                           paid_fen, gift_fen, paid_after_fen, gift_after_fen, order_id, recharge_id, channel, user_id, remark, created_at)
      select new_id, m.number, m.type, case m.wallet when 'card' then m.owner end,
             case m.wallet when 'customer' then m.owner end, case m.wallet when 'group' then m.owner end,
             case m.wallet when 'member' then m.owner end, case m.wallet when 'partner' then m.owner end,
             m.agent_id, m.paid_fen, m.gift_fen,
             (select coalesce(sum(balance_fen), 0) from ledger_accounts
               where key in (m.wallet || ':' || m.owner, m.wallet || '-held:' || m.owner)),
             (select coalesce(sum(balance_fen), 0) from ledger_accounts
               where key in (m.wallet || '-gift:' || m.owner, m.wallet || '-gift-held:' || m.owner)),
             transfer_order_id, m.recharge_id, m.channel, m.user_id, coalesce(m.remark, ''), posted_at
        from jsonb_to_recordset(moves) as m (wallet text, owner bigint, number text, type text, agent_id bigint,
               paid_fen bigint, gift_fen bigint, recharge_id bigint, channel text, user_id bigint, remark text);
  end if;
  return true;
end
$$;

-- As in 0088 and 0096, with all wallets.
create or replace view statement_flows as
select t.id, t.position, t.created_at, t.reason, t.order_id, o.site_id, o.agent_id,
       (t.created_at at time zone 'Asia/Shanghai')::date as day,
       (t.reason = 'charge_settled')::int as orders,
       case when t.reason = 'charge_settled' then o.energy_wh else 0 end as energy_wh,
       m.*
  from ledger_transfers t
  join orders o on o.id = t.order_id
  cross join lateral (
    select coalesce(sum(amount) filter (where settles and taker = 'electricity-income:site'), 0)::bigint as electricity_fen,
           coalesce(sum(amount) filter (where settles and taker = 'service-income:site'), 0)::bigint as service_fen,
           coalesce(sum(amount) filter (where giver = 'coupon-expense'), 0)::bigint as coupon_fen,
           coalesce(sum(amount) filter (where taker = 'coupon-expense'), 0)::bigint as coupon_back_fen,
           coalesce(sum(case when is_wallet_giver and (takes_income or taker like 'receivable:%') then amount
                             when is_wallet_taker and giver like 'receivable:%' then -amount end), 0)::bigint as received_fen,
           coalesce(sum(amount) filter (where gives_income and is_wallet_taker), 0)::bigint as refunded_fen,
           coalesce(sum(amount) filter (where gives_income and taker like 'receivable:%'), 0)::bigint as forgiven_fen,
           coalesce(sum(case when giver = 'bad-debt' then amount when taker = 'bad-debt' then -amount end), 0)::bigint
             as written_off_fen,
           coalesce(sum(case when taker = 'channel-fee' then amount when giver = 'channel-fee' then -amount end), 0)::bigint
             as channel_fee_fen,
           coalesce(sum(case when taker = 'commission' then amount when giver = 'commission' then -amount end), 0)::bigint
             as commission_fen
      from (
        select p.amount_fen as amount, f.prefix as giver, g.prefix as taker, t.reason = 'charge_settled' as settles,
               f.prefix in ('electricity-income:site', 'service-income:site') as gives_income,
               g.prefix in ('electricity-income:site', 'service-income:site') as takes_income,
               is_wallet_prefix(f.prefix) as is_wallet_giver,
               is_wallet_prefix(g.prefix) as is_wallet_taker
          from ledger_postings p
          join ledger_accounts f on f.id = p.from_account_id
          join ledger_accounts g on g.id = p.to_account_id
         where p.transfer_id = t.id) posting) m
 where t.order_id is not null
   and t.reason in ('charge_settled', 'order_shared', 'refund_order', 'debt_repaid', 'debt_written_off', 'correction', 'reversal');

create or replace view ledger_flows as
select t.id, t.position, t.created_at, (t.created_at at time zone 'Asia/Shanghai')::date as day,
       case when is_wallet_prefix(a.prefix) or a.prefix like 'receivable:%' then a.prefix
            else a.key end as account, m.change as change_fen
  from ledger_transfers t
  join ledger_postings p on p.transfer_id = t.id
  cross join lateral (values (p.to_account_id, p.amount_fen), (p.from_account_id, -p.amount_fen)) as m (account_id, change)
  join ledger_accounts a on a.id = m.account_id;
