-- The lists of cards, registered users and recharges by what their screens filter by, each in the order of the list.
create index cards_agent_created on cards (agent_id, created_at desc, id desc);
create index cards_not_active on cards (created_at desc, id desc) include (state) where state <> 'active';
create index customers_not_normal on customers (created_at desc, id desc) include (state) where state <> 'normal';
create index recharges_card on recharges (card_id, created_at desc, id desc) where card_id is not null;
create index recharges_customer on recharges (customer_id, created_at desc, id desc) where customer_id is not null;
create index recharges_agent on recharges (agent_id, created_at desc, id desc) where agent_id is not null;
create index recharges_reversed on recharges (created_at desc, id desc) where reversed_at is not null;
