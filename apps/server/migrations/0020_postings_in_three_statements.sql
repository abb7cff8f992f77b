-- Every charge is posted twice, and beginning a statement costs more than carrying it out: a transfer is written, its
-- accounts are locked, and its postings and balances are written, in one statement each.

-- Posts one transfer in one round trip; false when its key was posted before. Own accounts are locked in the order of
-- their ids before anything refers to them, so that two transfers never wait for each other in a circle; nobody waits for
-- a shared one.
create or replace function post_transfer(
  transfer_key text, transfer_reason text, transfer_order_id bigint, posted_at timestamptz,
  from_keys text[], to_keys text[], amounts bigint[], keys_below_zero text[], shared_keys text[] default '{}'
) returns boolean language plpgsql as $$
declare
  new_id bigint;
  all_keys text[] := from_keys || to_keys;
  keys text[];
  ids bigint[];
begin
  insert into ledger_transfers (key, reason, order_id, created_at)
    values (transfer_key, transfer_reason, transfer_order_id, posted_at)
    on conflict (key) do nothing returning id into new_id;
  if new_id is null then
    return false;
  end if;
  for attempt in 1..2 loop
    select coalesce(array_agg(id), '{}'), coalesce(array_agg(key), '{}') into ids, keys from (
      select id, key from (
        select id, key from ledger_accounts
         where key = any (all_keys) and key <> all (shared_keys) order by id for no key update) own
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
   where a.id = any (ids);
  return true;
end
$$;
