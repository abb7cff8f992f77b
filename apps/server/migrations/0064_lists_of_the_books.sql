-- The books as lists. An account's key says what it is and whose; lists filter and join by both.
alter table ledger_accounts
  add column prefix text not null generated always as (
    case when key like 'channel:%' then 'channel' else regexp_replace(key, ':[0-9]+$', '') end) stored,
  add column owner_id bigint generated always as (substring(key from ':([0-9]+)$')::bigint) stored;
-- No index may hold a balance: a balance that changes would then be written to every index of the account.
create index ledger_accounts_prefix on ledger_accounts (prefix, id);

-- What a transfer moves, all postings together.
alter table ledger_transfers add column amount_fen bigint;
alter table ledger_transfers disable trigger ledger_transfers_append_only;
update ledger_transfers t set amount_fen = p.amount_fen
  from (select transfer_id, sum(amount_fen)::bigint as amount_fen from ledger_postings group by transfer_id) p
 where p.transfer_id = t.id;
update ledger_transfers set amount_fen = 0 where amount_fen is null;
alter table ledger_transfers enable trigger ledger_transfers_append_only;
alter table ledger_transfers alter column amount_fen set not null;

create index ledger_transfers_created on ledger_transfers (created_at, id);
create index ledger_transfers_reason on ledger_transfers (reason, created_at, id);
create index ledger_transfers_amount on ledger_transfers (amount_fen, created_at, id);
create index ledger_postings_from on ledger_postings (from_account_id, transfer_id);
create index ledger_postings_to on ledger_postings (to_account_id, transfer_id);

-- As in 0051, with what the transfer moves.
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

-- When every balance had last been compared with its postings, account after account over many runs.
alter table ledger_proof add column round_ended_at timestamptz;

-- What each proof of the books found: of what is new, every minute, and of everything, when somebody asks.
create table ledger_proof_runs (
  id bigint generated always as identity primary key,
  kind text not null constraint ledger_proof_runs_kind check (kind in ('new', 'whole')),
  began_at timestamptz not null,
  took_ms integer not null,
  outcome text not null
    constraint ledger_proof_runs_outcome check (outcome in ('compared', 'behind', 'in-flight')),
  -- Transfers up to this position were proven afterwards, and so many were not.
  proven_to bigint not null,
  behind bigint not null,
  -- How many transfers the run added up.
  transfers bigint not null,
  differences integer not null,
  -- Of the whole books only: the sum of all balances, zero if they are sound, who asked, and the first accounts that
  -- differ, which the proof of what is new may not see.
  sum_fen bigint,
  user_id bigint references users (id),
  found jsonb not null default '[]'
);
create index ledger_proof_runs_began on ledger_proof_runs (began_at, id);
create index ledger_proof_runs_found on ledger_proof_runs (began_at, id) where differences > 0;

-- The right to read the books is now a menu of its own.
update positions set menu_codes = array_append(menu_codes, 'ledgerList')
 where 'financeList' = any (menu_codes) and not 'ledgerList' = any (menu_codes);
