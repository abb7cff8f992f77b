-- History lists ask for completed and cancelled orders: with the state beside the keys, their pages and their bounded
-- counts read the index alone and not ten thousand rows all over the table.
drop index orders_placed, orders_ended, orders_started, orders_site, orders_agent, orders_station, orders_customer,
           orders_card, orders_abnormal, orders_not_paid;
create index orders_placed on orders (placed_at desc, id desc) include (state);
create index orders_ended on orders (ended_at desc nulls last, id desc) include (state);
create index orders_started on orders (started_at desc nulls last, id desc) include (state);
create index orders_site on orders (site_id, placed_at desc, id desc) include (state);
create index orders_agent on orders (agent_id, placed_at desc, id desc) include (state);
create index orders_station on orders (station_id, placed_at desc, id desc) include (state);
create index orders_customer on orders (customer_id, placed_at desc, id desc) include (state)
  where customer_id is not null;
create index orders_card on orders (card_number, placed_at desc, id desc) include (state)
  where card_number is not null;
create index orders_abnormal on orders (placed_at desc, id desc) include (state) where abnormal;
create index orders_not_paid on orders (placed_at desc, id desc) include (state, payment_state)
  where payment_state <> 'paid';
-- An index alone answers for pages of the table that a vacuum has seen. The usual fifth of the table would be months of
-- orders, the very ones that people look at.
alter table orders set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);
