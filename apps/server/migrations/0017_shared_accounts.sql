-- Accounts that many transfers post to at once (a site's income, a channel) have several sub-balances, as many as ever
-- were posted to at the same time: a transfer takes one that nobody holds, or makes another. Whoever reads such an
-- account adds them up. An account whose balance decides something has one row, which transfers wait for.
alter table ledger_accounts
  add column shard bigint not null default 0,
  drop constraint ledger_accounts_key_key,
  add constraint ledger_accounts_key_shard unique (key, shard);
create sequence ledger_shards;

drop function post_transfer(text, text, bigint, timestamptz, text[], text[], bigint[], text[]);

-- Posts one transfer in one round trip; false when its key was posted before. Own accounts are locked in the order of
-- their ids before anything refers to them, so that two transfers never wait for each other in a circle; nobody waits for
-- a shared one.
create function post_transfer(
  transfer_key text, transfer_reason text, transfer_order_id bigint, posted_at timestamptz,
  from_keys text[], to_keys text[], amounts bigint[], keys_below_zero text[], shared_keys text[] default '{}'
) returns boolean language plpgsql as $$
declare
  new_id bigint;
  own_keys text[];
  keys text[];
  ids bigint[];
  more_keys text[];
  more_ids bigint[];
begin
  insert into ledger_transfers (key, reason, order_id, created_at)
    values (transfer_key, transfer_reason, transfer_order_id, posted_at)
    on conflict (key) do nothing returning id into new_id;
  if new_id is null then
    return false;
  end if;
  own_keys := array(select distinct k from unnest(from_keys || to_keys) as k where k <> all (shared_keys));
  for attempt in 1..2 loop
    select coalesce(array_agg(id), '{}'), coalesce(array_agg(key), '{}') into ids, keys
      from (select id, key from ledger_accounts where key = any (own_keys) order by id for no key update) locked;
    exit when cardinality(ids) >= cardinality(own_keys);
    insert into ledger_accounts (key, may_go_below_zero)
      select k, k = any (keys_below_zero) from unnest(own_keys) as k where k <> all (keys) order by k
      on conflict do nothing;
  end loop;
  if cardinality(shared_keys) > 0 then
    select array_agg(id), array_agg(k) into more_ids, more_keys
      from unnest(shared_keys) as k
      cross join lateral (select id from ledger_accounts where key = k limit 1 for no key update skip locked) free;
    ids := ids || more_ids;
    keys := keys || more_keys;
    if cardinality(keys) < cardinality(own_keys) + cardinality(shared_keys) then
      with made as (
        insert into ledger_accounts (key, shard, may_go_below_zero)
          select k, nextval('ledger_shards'), true from unnest(shared_keys) as k where k <> all (keys)
          returning id, key)
      select array_agg(id), array_agg(key) into more_ids, more_keys from made;
      ids := ids || more_ids;
      keys := keys || more_keys;
    end if;
  end if;
  insert into ledger_postings (transfer_id, line, from_account_id, to_account_id, amount_fen)
    select new_id, line, ids[array_position(keys, from_key)], ids[array_position(keys, to_key)], amount
      from unnest(from_keys, to_keys, amounts) with ordinality as p (from_key, to_key, amount, line);
  update ledger_accounts a set balance_fen = a.balance_fen + d.change
    from (select ids[array_position(keys, k)] as id, sum(change) as change from (
            select unnest(from_keys) as k, -unnest(amounts) as change
            union all select unnest(to_keys), unnest(amounts)) moves
          group by 1) d
    where a.id = d.id;
  return true;
end
$$;
