-- The list of all movements of wallets: what became of one, and an index for every filter and sort that it offers. The
-- sums of a filter are read from the indexes alone, which is why they carry the amounts.
alter table movements add column state text not null default 'done'
  constraint movements_state check (state in ('done', 'refunded', 'partly_refunded', 'reversed'));
alter table movements add constraint movements_channel
  check (channel in ('front-desk', 'back-office', 'bank', 'wechat', 'alipay', 'embedded'));
drop index movements_created;
create index movements_created on movements (created_at desc, id desc) include (type, paid_fen, gift_fen);
drop index movements_agent;
create index movements_agent on movements (agent_id, created_at desc, id desc) include (type, paid_fen, gift_fen)
  where agent_id is not null;
drop index movements_type;
create index movements_type on movements (type, created_at desc, id desc) include (paid_fen, gift_fen);
create index movements_by_channel on movements (channel, created_at desc, id desc) include (type, paid_fen, gift_fen)
  where channel is not null;
create index movements_state on movements (state, created_at desc, id desc) where state <> 'done';
create index movements_order on movements (order_id) where order_id is not null;
create index movements_recharge on movements (recharge_id) where recharge_id is not null;

update movements m set state = 'reversed'
  from recharges r
 where r.id = m.recharge_id and r.reversed_at is not null and m.type in ('recharge', 'system_recharge');

-- A card's movements are its own agent's to see, whichever agent's station it charged at.
create function movements_of_card_agent() returns trigger language plpgsql as $$
begin
  new.agent_id := (select agent_id from cards where id = new.card_id);
  return new;
end
$$;
create trigger movements_of_card_agent before insert on movements
  for each row when (new.card_id is not null) execute function movements_of_card_agent();
update movements m set agent_id = c.agent_id
  from cards c where c.id = m.card_id and m.agent_id is distinct from c.agent_id;
