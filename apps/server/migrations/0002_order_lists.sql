-- Lists of orders by another time than that of placing. Orders without that time come last, so that sorting hides none.
drop index orders_ended;
create index orders_ended on orders (ended_at desc nulls last, id desc);
create index orders_started on orders (started_at desc nulls last, id desc);
-- Almost every order is paid; the few others are what people look for.
create index orders_not_paid on orders (placed_at desc, id desc) where payment_state <> 'paid';
