-- The lists of recharges and movements at ten million of each. A recharge says itself whose it is to see, since a list by
-- an expression over its card reads all of them for an agent with few; and its sums are read from the indexes alone.
alter table recharges add column owner_agent_id bigint;
update recharges r set owner_agent_id = coalesce((select agent_id from cards where id = r.card_id), r.agent_id)
 where card_id is not null or agent_id is not null;

create function recharges_owner() returns trigger language plpgsql as $$
begin
  new.owner_agent_id := coalesce((select agent_id from cards where id = new.card_id), new.agent_id);
  return new;
end
$$;
create trigger recharges_owner before insert or update of card_id, agent_id on recharges
  for each row execute function recharges_owner();
-- A card that changes its agent takes its recharges with it.
create function recharges_of_card_owner() returns trigger language plpgsql as $$
begin
  update recharges set owner_agent_id = coalesce(new.agent_id, agent_id) where card_id = new.id;
  return null;
end
$$;
create trigger recharges_of_card_owner after update of agent_id on cards
  for each row when (old.agent_id is distinct from new.agent_id) execute function recharges_of_card_owner();

drop index recharges_created;
create index recharges_created on recharges (created_at desc, id desc)
  include (amount_fen, gift_fen, refunded_fen, repaid_fen);
create index recharges_owner on recharges (owner_agent_id, created_at desc, id desc)
  include (amount_fen, gift_fen, refunded_fen, repaid_fen) where owner_agent_id is not null;

-- The newest rows are read index-only too: a fifth of ten million is too long to wait for a vacuum.
alter table movements set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);
alter table recharges set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);
