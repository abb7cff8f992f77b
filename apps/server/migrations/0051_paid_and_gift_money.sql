-- A wallet has a paid and a gift part, apart in the books. Orders and what follows from them name the gift part of their
-- sums; the rest is paid money.
alter table orders
  add column held_gift_fen bigint not null default 0,
  add column gift_paid_fen bigint not null default 0,
  add column refunded_gift_fen bigint not null default 0,
  add constraint orders_gift_parts check (
    held_gift_fen between 0 and held_fen and gift_paid_fen between 0 and paid_fen
    and refunded_gift_fen between 0 and refunded_fen) not valid;
-- What a coupon took off the bill, and what nobody will pay any more, are owed no more.
alter table orders
  add column discount_fen bigint not null default 0 check (discount_fen >= 0),
  add column written_off_fen bigint not null default 0 check (written_off_fen >= 0),
  drop column owed_fen;
alter table orders add column owed_fen bigint not null generated always as (
  case when state = 'completed' and (case payment_type when 'card' then card_id else customer_id end) is not null
       then amount_fen - discount_fen - paid_fen - forgiven_fen - written_off_fen else 0 end) stored;
alter table orders add constraint orders_owed check (owed_fen >= 0);
create index orders_owed_by_card on orders (card_id, settled_at, id) where owed_fen > 0 and payment_type = 'card';
create index orders_owed_by_customer on orders (customer_id, settled_at, id)
  where owed_fen > 0 and payment_type = 'online';
alter table order_refunds add column gift_fen bigint not null default 0;
alter table debt_repayments add column gift_fen bigint not null default 0;

-- What happened to a wallet's money, one row an event, with what was its owner's afterwards (free and held together).
-- Holds are no movements: the money stays its owner's.
create table movements (
  id bigint generated always as identity primary key,
  transfer_id bigint not null,
  number text not null,
  type text not null check (type in ('recharge', 'consume', 'gift', 'system_recharge', 'transfer', 'order_refund',
                                     'withdrawal', 'gift_deducted', 'refund_failed')),
  card_id bigint,
  customer_id bigint,
  -- Whose it is to see: the agent of the card, or of the recharge.
  agent_id bigint,
  paid_fen bigint not null,
  gift_fen bigint not null,
  paid_after_fen bigint not null,
  gift_after_fen bigint not null,
  order_id bigint,
  recharge_id bigint,
  channel text,
  user_id bigint,
  remark text not null default '',
  created_at timestamptz not null,
  constraint movements_wallet check ((card_id is null) <> (customer_id is null)),
  constraint movements_move check (paid_fen <> 0 or gift_fen <> 0)
);
create index movements_created on movements (created_at desc, id desc);
create index movements_card on movements (card_id, created_at desc, id desc) where card_id is not null;
create index movements_customer on movements (customer_id, created_at desc, id desc) where customer_id is not null;
create index movements_agent on movements (agent_id, created_at desc, id desc) where agent_id is not null;
create index movements_type on movements (type, created_at desc, id desc);
create index movements_number on movements (number);

-- The history so far: every change of a wallet, holds left out, with its sums by the order in which it was posted.
with changes as (
  select t.id as transfer_id, t.position, t.key, t.reason, t.order_id, t.created_at,
         w.part[1] as kind, w.part[2]::bigint as owner, sum(m.change)::bigint as change
    from ledger_transfers t
    join ledger_postings p on p.transfer_id = t.id
    cross join lateral (values (p.to_account_id, p.amount_fen), (p.from_account_id, -p.amount_fen)) as m (account_id, change)
    join ledger_accounts a on a.id = m.account_id
    cross join lateral regexp_match(a.key, '^(card|customer)(?:-held)?:(\d+)$') as w (part)
   where w.part is not null
   group by t.id, w.part[1], w.part[2]
  having sum(m.change) <> 0),
told as (
  select c.*, sum(change) over (partition by kind, owner order by position) as after_fen,
         substring(key from '^recharge:(\d+)')::bigint as recharge_id
    from changes c)
insert into movements (transfer_id, number, type, card_id, customer_id, agent_id, paid_fen, gift_fen, paid_after_fen,
                       gift_after_fen, order_id, recharge_id, channel, user_id, remark, created_at)
select told.transfer_id, coalesce(r.number, o.number, told.key),
       case told.reason when 'recharge' then 'system_recharge' when 'charge_settled' then 'consume'
                        when 'debt_repaid' then 'consume' when 'refund_order' then 'order_refund'
                        when 'reversal' then case when r.id is null then 'refund_failed' else 'withdrawal' end
                        else 'transfer' end,
       case told.kind when 'card' then told.owner end, case told.kind when 'customer' then told.owner end,
       case told.kind when 'card' then (select agent_id from cards where id = told.owner) else r.agent_id end,
       told.change, 0, told.after_fen, 0, told.order_id, r.id,
       case when r.id is not null then 'back-office' end, r.user_id, coalesce(r.remark, ''), told.created_at
  from told
  left join recharges r on r.id = told.recharge_id
  left join orders o on o.id = told.order_id
 order by told.position;

drop function post_transfer(text, text, bigint, timestamptz, text[], text[], bigint[], text[], text[]);

-- Posts one transfer in one round trip; false when its key was posted before. Own accounts are locked in the order of
-- their ids before anything refers to them, so that two transfers never wait for each other in a circle; nobody waits for
-- a shared one. `moves` are the movements of wallets that it makes; their wallets' accounts are locked with the others,
-- so that the balances they tell follow each other without a gap.
create function post_transfer(
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
  insert into ledger_transfers (key, reason, order_id, created_at)
    values (transfer_key, transfer_reason, transfer_order_id, posted_at)
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
    insert into movements (transfer_id, number, type, card_id, customer_id, agent_id, paid_fen, gift_fen,
                           paid_after_fen, gift_after_fen, order_id, recharge_id, channel, user_id, remark, created_at)
      select new_id, m.number, m.type, case m.wallet when 'card' then m.owner end,
             case m.wallet when 'customer' then m.owner end, m.agent_id, m.paid_fen, m.gift_fen,
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
